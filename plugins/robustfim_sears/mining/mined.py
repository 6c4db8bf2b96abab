"""The result of mining: rules, with the texts that they flip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from robustfim.candidate import Candidate, Edit
from robustfim.prediction import Prediction
from robustfim.statistics import Rate
from robustfim_sears.mining.equivalence import Share
from robustfim_sears.mining.seas import Sea
from robustfim_sears.mining.selection import select
from robustfim_sears.rule.file import entry
from robustfim_sears.rule.rule import Rule

__all__ = ["HELD", "Flip", "Mined", "MinedRule"]

HELD = 1
"""The half that measures the rules, if the other half selected them."""

_NO_TEXT = Rate(0, 0)


@dataclass(frozen=True)
class Flip:
    """A text x whose label changes when a rule r is applied, while the meaning stays.

    Attributes:
        source: The index of x among the texts that were read.
        candidate: The example with the rule's edit.
        score: The score S(x, r(x)), which is at least the threshold τ.
        before: The prediction for x.
        after: The prediction for r(x).
    """

    source: int
    candidate: Candidate
    score: float
    before: Prediction
    after: Prediction

    @property
    def edit(self) -> Edit:
        """Return the edit; its origin is the rule."""
        return self.candidate.edits[0]

    @property
    def texts(self) -> tuple[str, str]:
        """Return the texts x and r(x)."""
        return self.candidate.source.fields[self.edit.field], self.candidate.example.fields[self.edit.field]


@dataclass(frozen=True)
class MinedRule:
    """A mined replacement rule with its effects on texts.

    Attributes:
        rule: The rule.
        support: The number of texts that the rule changes, among the texts that selected the rule and have a prediction
            before and after.
        flips: The texts in ``support`` whose label changes and whose meaning stays.
        share: The texts in a sample of ``support`` whose meaning stays.
        held: The flips (label changes) among texts that did not take part in selecting the rule.
        made: The changed text, by the index of the original.
        half: The half of the texts that selected the rule.
        rate: The fraction of changed texts whose label changes and whose meaning stays, on texts held out from the
            rule's selection; of no text if all texts took part in the selection.
    """

    rule: Rule
    support: int
    flips: tuple[Flip, ...]
    share: Share
    held: tuple[Flip, ...] = ()
    made: Mapping[int, str] = field(default_factory=dict)
    half: int = 0
    rate: Rate = _NO_TEXT

    @property
    def chosen_by(self) -> Rate:
        """Return the fraction of changed texts whose label changes, on the texts from which the rule was selected.

        This fraction is biased upwards by the selection.
        """
        return Rate(len(self.flips), self.support)

    @property
    def entry(self) -> dict[str, Any]:
        """Return the rule's entry for a file of rules, with two of its flips."""
        shown = ((*flip.texts, f"{flip.before.label} → {flip.after.label}") for flip in self.flips[:2])
        return entry(self.rule, self.rate, shown, chosen_by=[len(self.flips), self.support], equivalent=[*self.share])

    def copies(self, other: MinedRule) -> bool:
        """Return whether this rule is a near-copy of another: it makes at least half of the other rule's changes."""
        same = sum(self.made.get(index) == text for index, text in other.made.items())
        return 2 * same >= len(other.made) > 0

    @property
    def cover(self) -> dict[int, float]:
        """Return the score of each text that the rule flips, by the text's index."""
        return {flip.source: flip.score for flip in self.flips}


@dataclass(frozen=True)
class Mined:
    """The result of mining replacement rules that change a model's labels.

    Attributes:
        candidates: All rules that flip enough texts and passed the filter, in the order in which they were found.
        chosen: Indices of the selected rules among ``candidates``, in the order of selection.
        number: The largest number of rules to select.
        seas: The adversaries (paraphrases that change the label) from which the rules were derived.
        texts: The number of texts that were read.
        score_name: The name of the score S.
        tau: The threshold τ of the score.
        delta: The fraction δ of a rule's applications that may change the meaning.
        seed: The seed.
        counts: The numbers of paraphrases, texts and rules kept or left out, by reason.
        halves: The half of each text; empty if all texts select rules and none only measures.
        split: Whether the first half selects all rules and the second half measures them. Otherwise each half measures
            the rules that the other half may select (cross-fitting).
        fields: The fields that were read; empty for all.
    """

    candidates: tuple[MinedRule, ...]
    chosen: tuple[int, ...]
    number: int
    seas: tuple[Sea, ...]
    texts: int
    score_name: str
    tau: float
    delta: float
    seed: int
    counts: Mapping[str, int]
    halves: tuple[int, ...] = ()
    split: bool = False
    fields: tuple[str, ...] = ()

    @property
    def rules(self) -> tuple[MinedRule, ...]:
        """Return the selected rules, in the order of selection."""
        return tuple(self.candidates[index] for index in self.chosen)

    @property
    def flipped(self) -> tuple[int, int]:
        """Return how many texts held out from a rule's selection change their label, and how many were held out."""
        found = {flip.source for rule in self.rules for flip in rule.held}
        return len(found), sum(not self.split or half == HELD for half in self.halves)

    def reselected(self, accepted: Sequence[int] = (), refused: Iterable[int] = ()) -> Mined:
        """Select rules again, given the answers of a reviewer.

        Args:
            accepted: Indices of candidates that stay selected.
            refused: Indices of candidates that must not be selected.

        Returns:
            A copy in which the accepted rules are selected, in their order, then the rules that add most to them.
        """
        covers, out = [candidate.cover for candidate in self.candidates], set(refused)
        while True:
            chosen = select(covers, max(self.number, len(accepted)), chosen=accepted, refused=out)
            # What rules of one half flip says nothing of those of the other, so their copies are looked for.
            copy = next((each for place, each in enumerate(chosen) if self._copied(each, chosen[:place])), None)
            if copy is None or copy in accepted:
                return replace(self, chosen=tuple(chosen))
            out.add(copy)

    def _copied(self, index: int, before: Sequence[int]) -> bool:
        rule = self.candidates[index]
        others = (self.candidates[each] for each in before)
        return any(mined_rule.half != rule.half and mined_rule.copies(rule) for mined_rule in others)
