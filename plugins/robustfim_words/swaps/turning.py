"""Turning: perturbations after which a text speaks less for the label that it had."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from robustfim.example import Example
from robustfim_words.tagging.resourced import WithTagger
from robustfim_words.text.tokens import Token, tokenise
from robustfim_words.text.tone import leaning, sides

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["LOWERS", "Turning", "labels_by_side", "weakens"]

LOWERS: Mapping[str, str] = {"use": "directional", "direction": "down", "watch": "gold"}
"""What an edit can promise of a text of any length: the probability of its label does not rise."""

_READ = 1000
"""Examples by which the labels are told apart."""
_FEWEST = 8
"""Examples of a label below which nothing is said of it."""
_CLEAR = 3.0
"""Standard errors by which a label's texts must lean."""
_APART = 0.25
"""Standard deviations by which they must: labels of sentiment lie .26 and more from the middle, topics of news .2."""
_SURE = 2.0
"""How far, in natural logarithms of odds, a text without a gold label must lean by itself: with most of its words on
that side, 96 of 100 film sentences that lean so far lean the right way."""


class Turning(WithTagger):
    """A perturbation that takes something away from the side, praise or blame, for which a text's label stands.

    Which side that is, is read off the data: a label stands for praise where the words of its texts lean clearly more
    to praise than those of the other labels. A text without a gold label is on the side to which it clearly leans.
    """

    keeps_label = False
    expects: str | Mapping[str, str] = LOWERS
    _sides: Mapping[str, bool] | None = None

    def prepare(self, context: Context) -> None:
        """Let the tagger keep its tags in the store of the run, and tell the labels' sides apart."""
        super().prepare(context)
        examples = context.examples
        step = max(1, len(examples) // _READ)
        self._sides = labels_by_side([examples[place] for place in range(0, len(examples), step)])

    def _side(self, example: Example) -> bool | None:
        """Tell whether an example's label stands for praise (True) or for blame; None where neither is clear."""
        if self._sides is not None and len(example.gold) == 1:
            return self._sides.get(example.gold[0])
        tokens = _tokens(example)
        lean = leaning(tokens)
        return lean > 0 if abs(lean) >= _SURE and lean * _balance(tokens) > 0 else None


def labels_by_side(examples: Sequence[Example]) -> dict[str, bool]:
    """Tell which gold labels stand for praise and which for blame.

    Args:
        examples: Some of the data. Those with one gold label count.

    Returns:
        By label, True for praise; without the labels whose texts do not lean three standard errors and .25 standard
        deviations away from the mean of all labels.
    """
    leans: dict[str, list[int]] = {}
    for example in examples:
        if len(example.gold) == 1:
            leans.setdefault(example.gold[0], []).append(_balance(_tokens(example)))
    known = {label: lean for label, lean in leans.items() if len(lean) >= _FEWEST}
    means = {label: statistics.fmean(lean) for label, lean in known.items()}
    middle = statistics.fmean(means.values()) if means else 0.0
    apart = {label: (means[label] - middle) / max(statistics.stdev(lean), 1e-9) for label, lean in known.items()}
    return {
        label: distance > 0
        for label, distance in apart.items()
        if abs(distance) > max(_APART, _CLEAR / math.sqrt(len(known[label])))
    }


def weakens(before: Sequence[Token], after: str, side: bool, *, wholly: bool = False) -> bool:
    """Tell whether a text speaks less for a side than it did.

    Args:
        before: The tokens of the text, or of a part of it.
        after: What it has become.
        side: True for praise.
        wholly: Whether it must have spoken for that side alone, and speak for the other alone now.
    """
    behind = tokenise(after)
    if wholly:
        return set(sides(before).values()) == {side} and set(sides(behind).values()) == {not side}
    change = _balance(behind) - _balance(before)
    return change < 0 if side else change > 0


def _tokens(example: Example) -> list[Token]:
    return [token for text in example.fields.values() for token in tokenise(text)]


def _balance(tokens: Sequence[Token]) -> int:
    """Count the words of praise, less those of blame."""
    return sum(1 if side else -1 for side in sides(tokens).values())
