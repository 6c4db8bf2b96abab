"""What mining found: rules, with the texts that they flip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from robustfim.candidate import Candidate, Edit
from robustfim.prediction import Prediction
from robustfim.statistics import Rate
from robustfim_sears.mining.equivalence import Share
from robustfim_sears.mining.seas import Sea
from robustfim_sears.mining.selection import select, value
from robustfim_sears.rule.rule import Rule

__all__ = ["Flip", "Mined", "MinedRule"]


@dataclass(frozen=True)
class Flip:
    """A text that a rule turns into an adversary.

    Attributes:
        source: The index of the text among those that were read.
        candidate: The example, with the one edit of the rule.
        score: S(x, r(x)) ≥ τ.
        before: The prediction of the example.
        after: The prediction of what the rule makes of it.
    """

    source: int
    candidate: Candidate
    score: float
    before: Prediction
    after: Prediction

    @property
    def edit(self) -> Edit:
        """The edit; its origin is the rule."""
        return self.candidate.edits[0]

    @property
    def texts(self) -> tuple[str, str]:
        """The text x, and r(x)."""
        return self.candidate.source.fields[self.edit.field], self.candidate.example.fields[self.edit.field]


@dataclass(frozen=True)
class MinedRule:
    """A rule and what it does.

    Attributes:
        rule: The rule.
        support: Texts that it changes and that have a prediction before and after.
        flips: Those of them whose label changes, and that still mean the same.
        share: How many of a sample of ``support`` mean the same.
    """

    rule: Rule
    support: int
    flips: tuple[Flip, ...]
    share: Share

    @property
    def rate(self) -> Rate:
        """Flips among the texts that the rule changes."""
        return Rate(len(self.flips), self.support)

    @property
    def cover(self) -> dict[int, float]:
        """The score of each text that it flips."""
        return {flip.source: flip.score for flip in self.flips}


@dataclass(frozen=True)
class Mined:
    """The result of mining.

    Attributes:
        candidates: All rules that flip enough texts and passed the filter, in the order in which they were found.
        chosen: Indices of the selected ones among them, in the order of selection.
        number: The most rules to select.
        seas: The adversaries that the rules were learnt from.
        texts: Texts that were read.
        score_name: Which score S is.
        tau: τ.
        delta: δ.
        seed: The seed.
        counts: What became of paraphrases, texts and rules, by a few words.
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

    @property
    def rules(self) -> tuple[MinedRule, ...]:
        """The selected rules, in the order of selection."""
        return tuple(self.candidates[index] for index in self.chosen)

    @property
    def flipped(self) -> int:
        """Texts that one of the selected rules flips at least."""
        return len({flip.source for rule in self.rules for flip in rule.flips})

    @property
    def value(self) -> float:
        """Σ_x max_r S(x, r(x)) · SEA(x, r(x)) of the selected rules."""
        return value(rule.cover for rule in self.rules)

    def reselected(self, accepted: Sequence[int] = (), refused: Iterable[int] = ()) -> Mined:
        """Select again around the answers of a reviewer.

        Args:
            accepted: Indices of candidates that stay.
            refused: Indices of candidates that must not be selected.

        Returns:
            The accepted rules, in their order, and behind them those that add most to them.
        """
        covers = [each.cover for each in self.candidates]
        chosen = select(covers, max(self.number, len(accepted)), chosen=accepted, refused=refused)
        return replace(self, chosen=tuple(chosen))
