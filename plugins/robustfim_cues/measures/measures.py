"""The measures of a cue: applicability, productivity and coverage (Niven & Kao 2019, section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from robustfim.example import Example
from robustfim.statistics import family, wilson
from robustfim_cues.measures.occurrence import Occurrences, occurrences

__all__ = ["Cue", "Cues", "measure"]


@dataclass(frozen=True)
class Cue:
    """A word or n-gram, with numbers on how strongly it is associated with a label.

    Attributes:
        text: The cue; ``field:cue`` if several fields are read.
        label: The label that is most overrepresented among examples with the cue; for choices always ``right``.
        applicability: α, the number of examples to which the cue applies. A cue applies to a choice if it stands in
            exactly one alternative, and to a text if it stands in the text.
        hits: The number of these examples that have ``label``; for choices, that have the cue in the right alternative.
        chance: The expected fraction of hits if cue and label are independent: 1/2 for choices; for texts the fraction
            of all examples that have ``label``.
        examples: n, the number of all examples.
        p_value: The exact, two-sided p-value of independence: binomial for choices; for texts Fisher's test of the cue
            against the label (with more than two labels the smallest p-value, times the number of labels).
        adjusted: The p-value, corrected by Holm (1979) for the number of cues.
    """

    text: str
    label: str
    applicability: int
    hits: int
    chance: float
    examples: int
    p_value: float
    adjusted: float

    @property
    def productivity(self) -> float:
        """Return π, the fraction of the examples with this cue that have the cue's label, in [0, 1].

        A cue that is independent of the label has a productivity near ``chance``.
        """
        return self.hits / self.applicability

    @property
    def coverage(self) -> float:
        """Return ξ, the fraction of examples to which the cue applies, in [0, 1]."""
        return self.applicability / self.examples

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % Wilson interval of the productivity."""
        ends = wilson(self.hits, self.applicability)
        return ends or (0.0, 1.0)


@dataclass(frozen=True)
class Cues:
    """All measured cues of a data set: words or n-grams, with their association with a label.

    Attributes:
        found: The cues that apply to at least ``minimum`` examples, the smallest p-value first.
        examples: The number of examples.
        choices: Whether the examples are choices between two alternatives.
        minimum: The smallest number of examples to which a cue must apply.
        rarer: The number of cues left out because they apply to fewer than ``minimum`` examples.
    """

    found: tuple[Cue, ...]
    examples: int
    choices: bool
    minimum: int
    rarer: int

    def significant(self, level: float = 0.05) -> tuple[Cue, ...]:
        """Return the cues whose corrected p-value is at most ``level``."""
        return tuple(cue for cue in self.found if cue.adjusted <= level)


def measure(
    examples: Sequence[Example],
    *,
    longest: int = 1,
    minimum: int = 5,
    fields: Sequence[str] = (),
) -> Cues:
    """Measure how strongly each word or n-gram of a data set is associated with a label.

    Args:
        examples: Labelled examples: choices, texts or pairs of texts.
        longest: The largest n of n-grams, ≥ 1.
        minimum: The smallest number of examples to which a cue must apply, ≥ 1. Rarer cues are not tested, so Holm's
            correction does not count them.
        fields: The fields to read; by default the alternatives of choices, all fields of other examples.

    Returns:
        The cues, ordered by p-value, then by applicability.

    Raises:
        DataError: There is no example, an example has no gold label, or all have the same label.
    """
    occurring = occurrences(examples, longest=longest, fields=fields)
    kept = {cue: counts for cue, counts in occurring.counts.items() if sum(counts) >= minimum}
    judged = [(cue, counts, *_point(counts, occurring)) for cue, counts in kept.items()]
    adjusted = family([p_value for *_, p_value in judged]).tolist()
    found = [
        Cue(
            cue, occurring.labels[best], sum(counts), counts[best],
            0.5 if occurring.choices else occurring.totals[best] / occurring.examples,
            occurring.examples, p_value, corrected,
        )
        for (cue, counts, best, p_value), corrected in zip(judged, adjusted, strict=True)
    ]  # fmt: skip
    found.sort(key=lambda cue: (cue.p_value, -cue.applicability, cue.text))
    rarer = len(occurring.counts) - len(kept)
    return Cues(tuple(found), occurring.examples, occurring.choices, minimum, rarer)


def _point(counts: Sequence[int], occurring: Occurrences) -> tuple[int, float]:
    """Find the label of which productivity speaks, and the exact p-value of independence."""
    from scipy.stats import binomtest, fisher_exact

    applicable = sum(counts)
    if occurring.choices:
        return 0, float(binomtest(counts[0], applicable, 0.5).pvalue)
    lift = [count / total for count, total in zip(counts, occurring.totals, strict=True)]
    best = max(range(len(counts)), key=lift.__getitem__)
    values = []
    for count, total in zip(counts, occurring.totals, strict=True):
        others, all_others = applicable - count, occurring.examples - total
        table = [[count, total - count], [others, all_others - others]]
        values.append(float(fisher_exact(table).pvalue))
    # With two labels both tables are one; with more, Bonferroni's correction over them.
    return best, min(values) if len(values) == 2 else min(1.0, len(values) * min(values))
