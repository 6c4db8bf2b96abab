"""What mining found: rules, with the texts that they flip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from robustfim.candidate import Candidate, Edit
from robustfim.prediction import Prediction
from robustfim.statistics import Rate
from robustfim_sears.mining.equivalence import Share
from robustfim_sears.mining.seas import Sea
from robustfim_sears.mining.selection import select, value
from robustfim_sears.rule.file import entry
from robustfim_sears.rule.rule import Rule

__all__ = ["HELD", "Flip", "Mined", "MinedRule", "Told"]

HELD = 1
"""The half that measures the rules, if the other half selected them."""


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
class Told:
    """The effect of a rule on texts that did not take part in its selection.

    Attributes:
        flips: Texts whose predicted label the rule changes while the meaning stays.
        support: Texts that the rule changes, with a prediction before and after.
    """

    flips: int
    support: int


@dataclass(frozen=True)
class MinedRule:
    """A rule and what it does.

    Attributes:
        rule: The rule.
        support: Texts, of those that chose the rule, that it changes and that have a prediction before and after.
        flips: Those of them whose label changes, and that still mean the same.
        share: How many of a sample of ``support`` mean the same.
        held: The flips of texts that had no hand in choosing it.
        made: What it makes of each text that it changes, by the index of the text.
        half: Which half of the texts chose it.
        told: What the other half says; None where all texts chose.
    """

    rule: Rule
    support: int
    flips: tuple[Flip, ...]
    share: Share
    held: tuple[Flip, ...] = ()
    made: Mapping[int, str] = field(default_factory=dict)
    half: int = 0
    told: Told | None = None

    @property
    def rate(self) -> Rate:
        """The fraction of changed texts whose label changes, among the texts that did not select the rule."""
        return Rate(0, 0) if self.told is None else Rate(self.told.flips, self.told.support)

    @property
    def chosen_by(self) -> Rate:
        """The same fraction among the texts that selected the rule; it is too high because of the selection."""
        return Rate(len(self.flips), self.support)

    @property
    def entry(self) -> dict[str, Any]:
        """The rule in a file of rules, with two of its flips."""
        shown = ((*flip.texts, f"{flip.before.label} → {flip.after.label}") for flip in self.flips[:2])
        return entry(self.rule, self.rate, shown, chosen_by=[len(self.flips), self.support], equivalent=[*self.share])

    def copies(self, other: MinedRule) -> bool:
        """Whether another rule does mostly what this one does: half of its changes at least are the same."""
        same = sum(self.made.get(index) == text for index, text in other.made.items())
        return 2 * same >= len(other.made) > 0

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
        halves: The half of each text; empty where all of them chose and nothing is told.
        split: Whether the first half chose all rules and the second tells of them; else each half tells of the rules
            that the other may choose (cross-fitting).
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
        """The selected rules, in the order of selection."""
        return tuple(self.candidates[index] for index in self.chosen)

    @property
    def flipped(self) -> tuple[int, int]:
        """Texts that a selected rule flips which they did not choose, and all texts that tell of rules."""
        found = {flip.source for rule in self.rules for flip in rule.held}
        return len(found), sum(not self.split or half == HELD for half in self.halves)

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
        covers, out = [each.cover for each in self.candidates], set(refused)
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
        return any(each.half != rule.half and each.copies(rule) for each in others)
