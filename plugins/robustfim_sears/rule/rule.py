"""A rule: replaces a few words or parts of speech by other words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import NamedTuple

from robustfim.errors import UsageError, shown
from robustfim_sears.rule.tagged_text import fold
from robustfim_sears.rule.tags import COARSE, FINE, kind_of

__all__ = ["FORM", "Element", "Piece", "Rule", "is_mark"]

FORM = (
    "'antecedent → consequent', such as 'movie → film', 'What VERB → So what VERB' or 'film/NOUN → movie'; '->' is an "
    "arrow, too"
)
_ARROW = re.compile(r"\s*(?:->|→)\s*")
_SUFFIXED = re.compile(r"([A-Z]+\$?)(\W.*)?\Z", re.DOTALL)


class Element(NamedTuple):
    """One word of a rule's antecedent (the words to replace), given by its text, its part of speech, or both.

    Attributes:
        word: The word, in the form of :func:`~robustfim_sears.rule.tagged_text.fold`; ``""`` for any word.
        tag: The coarse or fine part of speech; ``""`` for any.
    """

    word: str = ""
    tag: str = ""

    def __str__(self) -> str:
        return f"{self.word}/{self.tag}" if self.word and self.tag else self.word or self.tag


class Piece(NamedTuple):
    """One word of a rule's consequent, the words that are put in.

    Attributes:
        word: The word as written; after a repeated word, the text that follows it without a space, such as ``'s``.
        repeats: The index of the element of the antecedent whose word is repeated here; None if no word is.
    """

    word: str
    repeats: int | None = None


@dataclass(frozen=True)
class Rule:
    """A replacement rule such as ``what NOUN → which NOUN`` (Ribeiro, Singh and Guestrin 2018).

    Attributes:
        antecedent: The words or tags to replace, at least one element.
        consequent: The new words, at least one piece.
    """

    antecedent: tuple[Element, ...]
    consequent: tuple[Piece, ...]

    @classmethod
    def parse(cls, text: str) -> Rule:
        """Parse a rule such as ``what NOUN → which NOUN``.

        A tag in the consequent stands for the word that this tag matched in the antecedent: the first occurrence of the
        tag for the first, the second for the second. A word in capitals that is not a tag is an ordinary word.

        Args:
            text: ``"antecedent → consequent"``, words and tags separated by spaces. A word of the antecedent may carry
                a tag, ``film/NOUN``; a tag of the consequent may be followed by a mark, ``WP's``.

        Raises:
            UsageError: The text has another form, names an unknown tag, or the rule changes nothing.
        """
        sides = _ARROW.split(text.strip())
        if len(sides) != 2 or not all(sides):
            raise UsageError(f"{text!r} is not a rule. The form is {FORM}.")
        elements = tuple(_element(each, text) for each in sides[0].split())
        rule = cls(elements, _pieces(sides[1].split(), elements, text))
        if len(rule.consequent) == len(elements) and all(map(rule.copies, range(len(elements)), range(len(elements)))):
            raise UsageError(f"{text!r} changes nothing. The form is {FORM}.")
        return rule

    @cached_property
    def text(self) -> str:
        """Return the rule in the form that :meth:`parse` reads: ``"what NOUN → which NOUN"``."""
        written = ""
        for piece in self.consequent:
            word = piece.word if piece.repeats is None else self.antecedent[piece.repeats].tag + piece.word
            near = bool(written) and is_mark(written[-1]) and is_mark(word)
            written += word if near or not written else f" {word}"
        return f"{' '.join(map(str, self.antecedent))} → {written}"

    def copies(self, piece: int, element: int) -> bool:
        """Return whether a new word of the rule is exactly the word that an element of the antecedent matched."""
        here = self.consequent[piece]
        if here.repeats is not None:
            return here.repeats == element and not here.word
        return fold(here.word) == self.antecedent[element].word


def is_mark(word: str) -> bool:
    """Return whether a word contains no letter and no digit."""
    return not any(map(str.isalnum, word))


def _element(written: str, rule: str) -> Element:
    if kind_of(written):
        return Element(tag=written)
    word, slash, tag = written.rpartition("/")
    if slash and word and tag.isupper() and tag.rstrip("$").isalpha():
        if not kind_of(tag):
            raise _unknown(tag, rule)
        return Element(fold(word), tag)
    _refuse_near_tag(written, rule)
    return Element(fold(written))


def _pieces(written: list[str], elements: tuple[Element, ...], rule: str) -> tuple[Piece, ...]:
    """Read a consequent; the k-th use of a tag repeats the word of the k-th element that has it."""
    pieces: list[Piece] = []
    used: dict[str, int] = {}
    for each in written:
        match = _SUFFIXED.match(each)
        tag = match[1] if match and kind_of(match[1]) else ""
        if not tag:
            _refuse_near_tag(each, rule)
            pieces.append(Piece(each))
            continue
        places = [index for index, element in enumerate(elements) if element.tag == tag]
        if used.get(tag, 0) >= len(places):
            has = f"only {len(places)}" if places else "none"
            raise UsageError(
                f"{rule!r}: the consequent repeats the tag {tag} more often than the antecedent, which has {has}."
            )
        pieces.append(Piece(each[len(tag) :], places[used.get(tag, 0)]))
        used[tag] = used.get(tag, 0) + 1
    return tuple(pieces)


def _refuse_near_tag(written: str, rule: str) -> None:
    """Refuse a misspelled tag: capitals that are nearly one. Words may be written in small letters."""
    if written.isupper() and len(written) > 3 and get_close_matches(written, COARSE, cutoff=0.75):
        raise _unknown(written, rule)


def _unknown(tag: str, rule: str) -> UsageError:
    near = get_close_matches(tag, [*COARSE, *FINE], n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return UsageError(
        f"{shown(rule)}: unknown part of speech {shown(tag)}.{hint} Known: {', '.join(sorted(COARSE))}, and the fine "
        "ones of the Penn Treebank; a word is written in small letters."
    )
