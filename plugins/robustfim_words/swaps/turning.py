"""Turning: perturbations after which a text speaks less, or more, for the label that it had."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.tagging.resourced import WithTables, WithTagger
from robustfim_words.text.clauses import NOUNS, clause
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.text_kind import judged
from robustfim_words.text.tokens import Token, sentences, tokenise
from robustfim_words.text.tone import leaning, sides

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = [
    "FALLS", "LOWERS", "RAISES", "Sided", "Turning", "asserted", "become", "judging", "labels_by_side", "weakens",
]  # fmt: skip

LOWERS: Mapping[str, str] = {"use": "directional", "direction": "down", "watch": "gold"}
"""What an edit against a text's label can promise, however long the text is: its probability does not rise."""
FALLS: Mapping[str, str | float] = {**LOWERS, "by": 0.05}
"""What an edit promises that turns a short text as a whole: the label's probability falls."""
RAISES: Mapping[str, str] = {"use": "directional", "direction": "up", "watch": "gold"}
"""What an edit in favour of the label can: its probability does not fall."""

_READ = 1000
"""Examples by which the labels are told apart."""
_FEWEST = 8
"""Examples of a label below which nothing is said of it."""
_CLEAR = 3.0
"""Standard errors by which a label's texts must lean."""
_APART = 0.3
"""Standard deviations within labels by which they must lean away from the middle. With this and what follows, of 1,000
samples each of 60, 100, 200, 480 and 1,000 texts, none of news, of intents and of hate speech had sides; of 200 texts
all of film sentences and of two collections of reviews, and 94 % of the shipped ones, had both."""
_MOST = 0.5
"""The share of texts whose labels must have a side: of 150 intents a few lean as far as labels of sentiment do."""
_SURE = 2.0
"""How far, in natural logarithms of odds, a text without a gold label must lean by itself: with most of its words on
that side, 96 of 100 film sentences that lean so far lean the right way."""


class Sided(WithTables):
    """A perturbation that goes by the side, praise or blame, for which a text's label stands.

    Which side that is, is read off the data: a label stands for praise where the words of its texts lean clearly more
    to praise than those of the other labels. A text without a gold label is on the side to which it clearly leans.
    """

    contract = Contract(keeps="nothing")
    _by_name = False
    _dense = 0.0
    """The share of its words by which a text without a gold label must praise more than blame, or the other way."""
    _sides: Mapping[str, bool] | None = None

    def prepare(self, context: Context) -> None:
        """Tell the labels' sides apart."""
        examples = context.examples
        step = max(1, len(examples) // _READ)
        read = [examples[place] for place in range(0, len(examples), step)]
        self._sides = labels_by_side(read, by_name=self._by_name)

    def resources(self) -> dict[str, str]:
        """Name the tables, and the sides on which the run's labels are."""
        sides = ", ".join(f"{label}: {'praise' if good else 'blame'}" for label, good in (self._sides or {}).items())
        return super().resources() | {"sides": sides or "none"}

    def _side(self, example: Example) -> bool | None:
        """Tell whether an example's label stands for praise (True) or for blame; None where neither is clear."""
        if self._sides is not None and len(example.gold) == 1:
            return self._sides.get(example.gold[0])
        tokens = _tokens(example)
        lean = leaning(tokens)
        balance = math.copysign(_balance(tokens), lean * _balance(tokens))
        return lean > 0 if abs(lean) >= _SURE and balance > self._dense * len(tokens) else None

    def _stands(self, example: Example, side: bool) -> bool:
        """Tell whether an example's label stands for a side, where the data tell; without one label nothing does."""
        return self._sides is None or len(example.gold) != 1 or self._sides.get(example.gold[0]) is side


class Turning(Sided, WithTagger):
    """A perturbation that takes something away from the side for which a text's label stands.

    A label that names its side ("hateful", "non-hateful") has it however little its texts lean that way. A text without
    a gold label must be full of praise or of blame, as are reviews and no letters.
    """

    contract = Contract(keeps="nothing", expects=LOWERS)
    _by_name = True
    _dense = 0.05

    def prepare(self, context: Context) -> None:
        """Let the tagger keep its tags in the store of the run, and tell the labels' sides apart."""
        WithTagger.prepare(self, context)
        Sided.prepare(self, context)


def labels_by_side(examples: Sequence[Example], *, by_name: bool = False) -> dict[str, bool]:
    """Tell which gold labels stand for praise and which for blame.

    Args:
        examples: Some of the data. Those with one gold label count.
        by_name: Whether a label that names its side has it where its texts lean that way at all.

    Returns:
        By label, True for praise; without the labels whose texts do not lean three standard errors and .3 standard
        deviations within labels away from the mean of all labels. Empty where half of the texts have no such label, or
        all labels have one side.
    """
    leans: dict[str, list[float]] = {}
    for example in examples:
        if len(example.gold) == 1:
            leans.setdefault(example.gold[0], []).append(leaning(_tokens(example)))
    known = {label: lean for label, lean in leans.items() if len(lean) >= _FEWEST}
    if len(known) < 2:
        return {}
    means = {label: statistics.fmean(lean) for label, lean in known.items()}
    middle = statistics.fmean(means.values())
    within = [value - means[label] for label, lean in known.items() for value in lean]
    deviation = math.sqrt(math.fsum(value**2 for value in within) / (len(within) - len(known)))
    apart = {label: mean - middle for label, mean in means.items()}
    found = {
        label: distance > 0
        for label, distance in apart.items()
        if abs(distance) > deviation * max(_APART, _CLEAR / math.sqrt(len(known[label])))
        or (by_name and _named(label) is (distance > 0))
    }
    many = sum(len(known[label]) for label in found) >= _MOST * sum(map(len, leans.values()))
    return found if many and len(set(found.values())) > 1 else {}


def _named(label: str) -> bool | None:
    """Tell which side a label names; None for neither, and for both."""
    said = set(sides(tokenise(label.replace("_", " ").replace("-", " "))).values())
    return said.pop() if len(said) == 1 else None


def asserted(tokens: Sequence[Token]) -> Iterator[range]:
    """List the sentences of a text that are no questions, conditions, wishes, expectations or habits."""
    for sentence in sentences(tokens):
        if closed_class("not asserted").isdisjoint(tokens[place].text.lower() for place in sentence):
            yield sentence


def become(text: str, tokens: Sequence[Token], edit: Edit) -> str:
    """Return what some tokens of a text, one behind the other, become by an edit among them."""
    return text[tokens[0].start : edit.start] + edit.after + text[edit.end : tokens[-1].end]


def judging(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a finite verb says what its writer or what is judged does: "I love it", not "critics love it"."""
    noun = next((each for each in clause(tokens, index) if each.tag in NOUNS), None)
    small = noun.text.lower() if noun else ""
    return noun is None or small in closed_class("judging") or small in judged()


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
