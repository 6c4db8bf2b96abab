"""Drop a sentence: a text with several sentences loses one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_texts import at_least
from robustfim_words.tagging.resourced import Proposing
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.tokens import Token, Tokens
from robustfim_words.text.tone import leaning

__all__ = ["DropSentence"]

_FEWEST = 4
"""The smallest number of words of a sentence that may be dropped. Exclamations and signatures are shorter and stay."""
_ENDED = re.compile(r"[.!?…][\"'”’)\]]*\s*(?:(?:<[^>]*>)\s*)*\Z")
_STOPS = tuple(".!?…\"'”’)]>*")
_WORD = re.compile(r"[^\W\d_]{2,}")


class DropSentence(Proposing):
    """Drops one sentence of a text that has several.

    Questions and their answers are never dropped, nor is a sentence that makes up most of the text or stands before a
    "But" or a "Then". A sentence is also kept if the other sentences do not lean to the same side, praise or blame, as
    the whole text, since the sentence may be the only verdict. With ``least: 3``, at least two sentences remain. Set
    the limit of a check a little higher than usual, since a verdict may be worded without praise or blame.

    Args:
        least: The smallest number of sentences that a text must have, at least 2.

    Raises:
        UsageError: ``least`` is below 2.
    """

    contract = Contract(keeps="nothing")

    def __init__(self, *, least: int = 3) -> None:
        self._least = at_least("least", least, 2)

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a sentence, in random order."""
        for field, tokens in self._read(example).items():
            text = example.fields[field]
            firsts = [token for token in tokens if token.starts]
            starts = [_opened(text, token.start) for token in firsts]
            if len(starts) < self._least:
                continue
            ends = [*starts[1:], len(text)]
            for place in random.sample(range(len(starts)), len(starts)):
                start, end, last = starts[place], ends[place], place == len(starts) - 1
                if (
                    text[:start].rstrip()[-1:] == "?"
                    or 3 * (end - start) > 2 * len(text)
                    or not _whole(text[start:end])
                ):
                    continue
                if not last and _leans(tokens, firsts[place], firsts[place + 1]):
                    continue
                if not text[:start].rstrip().endswith(_STOPS) and place:
                    continue  # behind a dateline, or "P.S."
                if place and len(_WORD.findall(text[starts[place - 1] : start])) < _FEWEST:
                    continue  # "Yes.", "It's official.", "Believe me."
                if _carries(tokens, start, end):
                    continue
                start = len(text[:start].rstrip()) if last else start
                yield Candidate(example, (Edit(field, start, end, text[start:end], "", f"drop_sentence: {place + 1}"),))


def _leans(tokens: Tokens, first: Token, after: Token) -> bool:
    """Tell whether the beginning of a sentence looks back to the sentence before it, which alone says of whom."""
    place, behind = tokens.index(first), tokens.index(after)
    begun, goes_on = ([token.small for token in tokens[index : index + _FEWEST]] for index in (place, behind))
    back = closed_class("names again").intersection(goes_on)
    broken = after.text.islower() and not tokens[0].text.islower()  # behind "Mass."
    return (
        goes_on[0] in closed_class("leans back")
        or broken
        or (bool(back) and closed_class("names again").isdisjoint(begun))
    )


def _carries(tokens: Tokens, start: int, end: int) -> bool:
    """Tell whether the words of a text lean to a side, and those outside of one sentence no longer do."""
    whole = leaning(tokens)
    return bool(whole) and whole * leaning([token for token in tokens if not start <= token.start < end]) <= 0


def _whole(sentence: str) -> bool:
    """Tell whether a sentence states something, ends with a mark, and its brackets and quotation marks close in it."""
    bare = sentence.strip()
    closed = bare.count("(") == bare.count(")") and bare.count('"') % 2 == 0
    stated = len(_WORD.findall(bare)) >= _FEWEST and "?" not in bare[-3:]
    return closed and stated and _ENDED.search(bare) is not None


def _opened(text: str, start: int) -> int:
    """Take in the quotation marks and brackets that open a sentence."""
    while start and text[start - 1] in "\"'“‘«([":
        start -= 1
    return start
