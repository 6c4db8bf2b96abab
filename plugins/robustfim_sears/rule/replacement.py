"""Replacement: apply a rule to matched words, and adjust case and spaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from robustfim_sears.rule.article import agreeing
from robustfim_sears.rule.matching import Match, find
from robustfim_sears.rule.rule import Rule, is_mark
from robustfim_sears.rule.tagged_text import STOPS, TaggedText

__all__ = ["Replacement", "apply", "replace"]

_CLOSING = frozenset(",.;:!?)]}%…")
_OPENING = frozenset("([{$#")


class Replacement(NamedTuple):
    """One replacement in a text: ``text[start:end]`` becomes ``after``."""

    start: int
    end: int
    after: str

    def of(self, text: str) -> str:
        """Return the text after the replacement."""
        return text[: self.start] + self.after + text[self.end :]


def apply(rule: Rule, text: TaggedText) -> Replacement | None:
    """Return the replacement that a rule makes at the first match in a text.

    Returns:
        The replacement; None if the rule does not occur, or changes nothing.
    """
    match = find(rule, text)
    return None if match is None else replace(rule, text, match)


def replace(rule: Rule, text: TaggedText, match: Match) -> Replacement | None:
    """Return the replacement that a rule makes at a given match in a text.

    Words that antecedent and consequent share at their ends stay untouched, with the spaces around them. New words take
    the case of the old words: capitals for capitals, a capital first letter for a capital first letter. At the
    beginning of a sentence the new first word is capitalised. Apostrophes are curly if the text has curly apostrophes,
    and an "a" or "an" before the words is adjusted.

    Returns:
        The replacement; None if it changes nothing.
    """
    before, after = len(rule.antecedent), len(rule.consequent)
    head = 0
    while head < min(before, after) and rule.copies(head, head):
        head += 1
    tail = 0
    while tail < min(before, after) - head and rule.copies(after - 1 - tail, before - 1 - tail):
        tail += 1
    place = _Place(rule, text, match, head, before - tail)
    new = [place.write(index) for index in range(head, after - tail)]
    made = place.delete() if not new else place.insert(new) if head == before - tail else place.swap(new)
    start, words = agreeing(text.text, made.start, made.end, made.after)
    made = Replacement(start, made.end, words)
    return made if text.text[made.start : made.end] != made.after else None


@dataclass(frozen=True)
class _Place:
    """The elements of a match from ``head`` to before ``stop``, which give way."""

    rule: Rule
    text: TaggedText
    match: Match
    head: int
    stop: int

    def start(self, element: int) -> int:
        return self.text.tokens[self.match.first[element]].start

    def end(self, element: int) -> int:
        return self.text.tokens[self.match.last[element]].end

    def written(self, element: int) -> str:
        return self.text.text[self.start(element) : self.end(element)]

    @property
    def starts(self) -> bool:
        """Return whether the replaced text begins a sentence."""
        return self.head < len(self.match.first) and self.text.starts_sentence(self.match.first[self.head])

    def write(self, index: int) -> str:
        """Write one word of the consequent."""
        piece = self.rule.consequent[index]
        curly = "’" in self.text.text
        word = piece.word.replace("'", "’") if curly else piece.word
        if piece.repeats is None:
            return word.lower() if self._caseless else word
        again = self.written(piece.repeats)
        if index and self._capital_of_place(piece.repeats):
            again = _small(again)
        return again + word

    def swap(self, new: Sequence[str]) -> Replacement:
        """Replace old words by new words."""
        start, end = self.start(self.head), self.end(self.stop - 1)
        old, words = self.text.text[start:end], _joined(new)
        if sum(map(str.isalpha, old)) > 1 and old.isupper():
            words = words.upper()
        elif old[:1].isupper() and (self.starts or not _is_i(old)):
            words = _capital(words)
        return Replacement(start, end, words)

    def insert(self, new: Sequence[str]) -> Replacement:
        """Insert new words after the words that stay, or before them."""
        words, next_ = _joined(new), self.stop
        words = words.upper() if self._all_shout() else words
        behind = next_ == len(self.match.first) or (self.head and self.end(self.head - 1) == self.start(next_))
        if self.head and (behind or _near("", new[0])):
            here = self.end(self.head - 1)
            if _near("", new[0]):
                return Replacement(here, here, words)
            after_stop = self.written(self.head - 1)[-1] in STOPS and not self._caseless
            return Replacement(here, here, f" {_capital(words) if after_stop else words}")
        start, follows = self.start(next_), self.written(next_)
        blank = "" if new[-1] in _OPENING else " "
        if not (self.starts and follows[:1].isupper()) or self._all_shout():
            return Replacement(start, start, words + blank)
        follows = _small(follows) if self._capital_of_place(next_) else follows
        return Replacement(start, self.end(next_), _capital(words) + blank + follows)

    def delete(self) -> Replacement:
        """Delete words, with the space on one side."""
        start, end = self.start(self.head), self.end(self.stop - 1)
        if self.stop == len(self.match.first) or (self.head and self.start(self.stop) == end):
            return Replacement(self.end(self.head - 1), end, "")
        stop = self.start(self.stop)
        follows = self.written(self.stop)
        if self.starts and self.text.text[start : start + 1].isupper() and follows[:1].islower():
            return Replacement(start, self.end(self.stop), _capital(follows))
        leans = start and not self.text.text[start - 1].isspace() and self.text.text[start] in _CLOSING
        return Replacement(start, end if leans else stop, "")

    @property
    def _caseless(self) -> bool:
        """Whether the text has no capital."""
        return self.text.text == self.text.text.lower()

    def _all_shout(self) -> bool:
        """Whether every matched word is in capitals."""
        return all(_shouts(self.written(each)) for each in range(len(self.match.first)))

    def _capital_of_place(self, element: int) -> bool:
        """Whether a word has its capital from where it stands: it begins a sentence and is not a name."""
        token = self.text.tokens[self.match.first[element]]
        return (
            self.text.starts_sentence(self.match.first[element])
            and token.coarse != "PROPN"
            and not _is_i(token.text)
            and not token.text[1:].isupper()
        )


def _joined(words: Sequence[str]) -> str:
    """Join words with blanks, but for marks that stand close to a word."""
    text = words[0]
    for before, word in pairwise(words):
        text += word if _near(before, word) else f" {word}"
    return text


def _near(before: str, word: str) -> bool:
    """Whether no blank stands before a word."""
    clitic = len(word) > 1 and (word[0] in "'’" or word.lower() in ("n't", "n’t")) and not is_mark(word)
    return word[0] in _CLOSING or clitic or (before != "" and before[-1] in _OPENING)


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def _small(word: str) -> str:
    return word[:1].lower() + word[1:]


def _is_i(word: str) -> bool:
    return word == "I" or word.startswith(("I'", "I’", "I "))


def _shouts(word: str) -> bool:
    return word.isupper() and (sum(map(str.isalpha, word)) > 1 or word == "I")
