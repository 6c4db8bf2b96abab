"""Base classes of perturbations that make a text support its label, praise or blame, less or more."""

from __future__ import annotations

import math
import statistics
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.tagging.resourced import WithTables, WithTagger
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text.clauses import NOUNS, clause, main_clauses, only_sentence, stated
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.text_kind import judged
from robustfim_words.text.tokens import Token, Tokens, sentences, tokenise
from robustfim_words.text.tone import leaning, sides

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["FALLS", "LOWERS", "RAISES", "Sided", "Turning", "asserted", "disputed", "judging", "labels_by_side"]

LOWERS: Mapping[str, str] = {"use": "directional", "direction": "down", "watch": "gold"}
"""The expectation for an edit against a text's label, in texts of any length: the label's probability does not rise."""
FALLS: Mapping[str, str | float] = {**LOWERS, "by": 0.05}
"""The expectation for an edit that reverses a whole short text: the label's probability falls."""
RAISES: Mapping[str, str] = {"use": "directional", "direction": "up", "watch": "gold"}
"""The expectation for an edit in favour of the label: the label's probability does not fall."""

_READ = 1000
"""The number of examples from which the sides of the labels are read."""
_FEWEST = 8
"""The smallest number of examples of a label; a label with fewer gets no side."""
_CLEAR = 3.0
"""The number of standard errors by which a label's texts must lean to a side."""
_APART = 0.3
"""The number of standard deviations within labels by which a label's texts must lean away from the mean of all labels.
With this number and the next, no sample of news, intents or hate speech had sides, in 1,000 samples each of 60 to 1,000
texts. In samples of 200 texts, all of film sentences and of two collections of reviews, and 94 % of the shipped
reviews, had both sides."""
_AGAINST = 0.1
"""The number of standard deviations by which a label's texts must lean away from the side that its name states for the
name not to count. In samples of 200 texts of hate speech, labels lean by up to 0.2 to either side."""
_MOST = 0.5
"""The fraction of texts whose labels must have a side. Of 150 intents, a few lean as far as labels of sentiment do."""
_LEANS = 0.5
"""How far what a text says beside a reversed statement may lean to its side, in natural logarithms of odds."""
_REST = 20
"""The largest number of words and marks beside the statement's sentence. Longer texts go on with their opinion."""
_SHORT = 60
"""The largest number of words and marks of a text of several sentences that is reversed whole."""
_DENSE = 0.05
"""The fraction of its words by which a text without a gold label must praise more than blame, or the reverse."""
_SURE = 2.0
"""How far a text without a gold label must lean to a side, in natural logarithms of odds. Of the film sentences that
lean this far and have most of their words on the side, 96 % lean the right way."""


class Sided(WithTables):
    """Base class of perturbations that need to know whether a text's label stands for praise or blame (its side).

    The side of a label is estimated from the data. A label stands for praise if its texts have clearly more praise, by
    their words, than the texts of other labels. The side of a text without a gold label is estimated from its words.
    """

    contract = Contract(keeps="nothing")
    _by_name = False
    _sides: Mapping[str, bool] | None = None

    def prepare(self, context: Context) -> None:
        """Estimate from the data which labels stand for praise and which stand for blame."""
        super().prepare(context)
        examples = context.examples
        step = max(1, len(examples) // _READ)
        read = [examples[place] for place in range(0, len(examples), step)]
        self._sides = labels_by_side(read, by_name=self._by_name)

    def resources(self) -> dict[str, str]:
        """Identify the tables, and the sides of the run's labels."""
        sides = ", ".join(f"{label}: {'praise' if good else 'blame'}" for label, good in (self._sides or {}).items())
        return super().resources() | {"sides": sides or "none"}

    def _side(self, example: Example) -> bool | None:
        """Tell whether an example's label stands for praise (True) or for blame; None where neither is clear."""
        if self._sides is not None and len(example.gold) == 1:
            return self._sides.get(example.gold[0])
        tokens = _tokens(example)
        lean, said = leaning(tokens), [*sides(tokens).values()]
        more = said.count(lean > 0) - said.count(lean <= 0)
        return lean > 0 if abs(lean) >= _SURE and more > _DENSE * len(tokens) else None


class Turning(Sided, WithTagger):
    """Base class of perturbations that weaken the praise or blame for which a text's label stands.

    A label whose name states praise or blame ("hateful", "non-hateful") stands for it unless its texts lean the other
    way. The side of a text without a gold label is the side of its only statement of praise or blame.
    """

    _by_name = True

    def __init__(self, whole: bool) -> None:
        self._whole = whole
        self.contract = Contract(keeps="nothing", expects=FALLS if whole else LOWERS)

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the edits that reverse a statement of the label's side, of which nothing is left in its text."""
        labelled = self._sides is not None and len(example.gold) == 1
        for field, text in example.fields.items() if self._fits(example) else ():
            tokens = tagger(self._pipeline).tag(text)
            only, parts = only_sentence(tokens), [*asserted(tokens)]
            if 1 < len(parts) == sum(token.starts for token in tokens) and len(tokens) <= _SHORT:
                parts.append(range(len(tokens)))
            for sentence in parts:
                said = tokens[sentence.start : sentence.stop]
                judged = [*sides(said).values()]
                side = self._side(example) if labelled else next(iter(judged), None)
                if side is None or {*judged} != {side} or (self._whole and sentence.start not in only):
                    continue
                if not self._whole and (
                    disputed(tokens, sentence, side) or not (labelled or _opinionated(tokens, side))
                ):
                    continue
                for edit in self._turned(field, text, tokens, sentence, side, random):
                    after = text[said[0].start : edit.start] + edit.after + text[edit.end : said[-1].end]
                    if side not in sides(tokenise(after)).values():
                        yield edit

    @abstractmethod
    def _turned(
        self, field: str, text: str, tokens: Tokens, sentence: range, side: bool, random: Random
    ) -> Iterator[Edit]:
        """List edits of a sentence that may reverse its praise (``side``) or its blame."""


def labels_by_side(examples: Sequence[Example], *, by_name: bool = False) -> dict[str, bool]:
    """Find the gold labels that stand for praise, and the labels that stand for blame.

    Args:
        examples: Examples of the data. Only examples with one gold label count.
        by_name: Whether a label whose name states praise or blame stands for it unless its texts lean the other way.

    Returns:
        A mapping from labels to True for praise and False for blame. The mean score of a label's texts, from blame to
        praise, must differ from the mean of all labels by three standard errors and by 0.3 standard deviations within
        labels; else the label is missing. The mapping is empty if half of the texts would have no label in it, or if
        all labels have the same side.
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
    }
    for label, distance in apart.items() if by_name else ():
        side = _named(label)
        if side is not None and distance * (1 if side else -1) > -_AGAINST * deviation:
            found.setdefault(label, side)
    many = sum(len(known[label]) for label in found) >= _MOST * sum(map(len, leans.values()))
    return found if many and len(set(found.values())) > 1 else {}


def _named(label: str) -> bool | None:
    """Tell which side a label names; None for neither, and for both."""
    said = set(sides(tokenise(label.replace("_", " ").replace("-", " "))).values())
    return said.pop() if len(said) == 1 else None


def asserted(tokens: Tokens) -> Iterator[range]:
    """List the sentences that assert something: no questions, requests, conditions, wishes, expectations or habits."""
    said = stated(tokens)
    for sentence in sentences(tokens):
        small = (tokens[place].small for place in sentence)
        if sentence.start in said and closed_class("not asserted").isdisjoint(small):
            yield sentence


def disputed(tokens: Tokens, sentence: range, side: bool) -> bool:
    """Check whether what a text says beside a statement would contradict the statement's reversal.

    The text does so if any other sentence praises or blames or leans to the side, or if the statement's sentence says
    more than the statement: it has a "but" or a "because" ("I hate musicals, but not this one"), or a main clause
    without a word of the side ("The songs are good, and you will laugh").

    Args:
        tokens: The tagged tokens of a text.
        sentence: The range of the statement's sentence.
        side: True for a statement of praise, False for a statement of blame.
    """
    said = tokens[sentence.start : sentence.stop]
    joints = [token for place, token in enumerate(said) if place == 0 or said[place - 1].small != "nothing"]
    if any(token.small in closed_class("contrasts or gives a reason") for token in joints) or main_clauses(said) > max(
        1, len(sides(said))
    ):
        return True
    rest = [*tokens[: sentence.start], *tokens[sentence.stop :]]
    return len(rest) > _REST or bool(sides(rest)) or leaning(rest) * (1 if side else -1) > _LEANS


def _opinionated(tokens: Tokens, side: bool) -> bool:
    """Tell whether a text without a gold label says enough for a side."""
    many = [*sides(tokens).values()].count(side) >= _DENSE * len(tokens)
    return many and leaning(tokens) * (1 if side else -1) > 0


def judging(tokens: Tokens, index: int) -> bool:
    """Check whether the subject of a finite verb is the writer or the thing judged: "I love it", not "critics do"."""
    noun = next((token for token in clause(tokens, index) if token.tag in NOUNS), None)
    small = noun.small if noun else ""
    return noun is None or small in closed_class("judging") or small in judged()


def _tokens(example: Example) -> list[Token]:
    return [token for text in example.fields.values() for token in tokenise(text)]
