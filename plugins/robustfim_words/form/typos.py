"""Typos: typing errors inside a word."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Annotated

from pydantic import Field

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_texts import some_of
from robustfim_words.form.slips import Letters, Slips, plain_words
from robustfim_words.text import inflection

__all__ = ["INSIDE", "KINDS", "NEIGHBOURS", "Typos", "keys_beside", "slips"]

KINDS = ("keyboard", "swap", "drop", "double", "space")
INSIDE = KINDS[:-1]
"""The kinds of slips that are used if a suite names no kinds."""
_DRAWS = 4
"""How many slips of a kind are drawn for a word, at most, until the result is not a word itself."""


def keys_beside(rows: Sequence[str]) -> Mapping[str, str]:
    """Map each key of a keyboard to the keys that touch it: in the same row, and in the rows above and below.

    Each row is shifted to the right of the row above it by half a key.

    >>> keys_beside(("qwe", "asd"))["s"]
    'wead'
    """
    at = {key: (row, place) for row, keys in enumerate(rows) for place, key in enumerate(keys)}
    return {
        key: "".join(
            other for other, (y, x) in at.items() if abs(y - row) < 2 and abs(x - place) < 2 and y - row != x - place
        )
        for key, (row, place) in at.items()
    }


NEIGHBOURS = keys_beside(("qwertyuiop", "asdfghjkl", "zxcvbnm"))


def slips(
    word: str,
    kinds: Sequence[str],
    beside: Mapping[str, str],
    known: Callable[[str], bool],
    random: Random,
    first: int = 1,
) -> Iterator[tuple[str, str]]:
    """Yield misspellings of a word, one for each kind of typing error.

    Args:
        word: The word, of letters only.
        kinds: The kinds of slips, of ``INSIDE``.
        beside: For each key of the keyboard, the keys that touch it.
        known: A function that returns whether a word is in the dictionary; misspellings that are words are not used.
        random: The random source.
        first: Index of the first letter that may change.

    Yields:
        The kind and the misspelled word.
    """
    for kind in kinds:
        for _ in range(_DRAWS):
            slip = _slip(kind, word, beside, random, first)
            if slip is None:
                break
            if not known(slip):
                yield kind, slip
                break


def _slip(kind: str, word: str, beside: Mapping[str, str], random: Random, first: int) -> str | None:
    """Misspell a word; None where this kind of slip leaves it as it is."""
    places: Sequence[int] = range(first, len(word))
    if kind == "keyboard":
        places = [place for place in places if beside.get(word[place].lower())]
    elif kind == "swap":
        places = [place for place in places[:-1] if word[place].lower() != word[place + 1].lower()]
    if not places:
        return None
    place = random.choice(places)
    head, letter, tail = word[:place], word[place], word[place + 1 :]
    if kind == "keyboard":
        key = random.choice(beside[letter.lower()])
        return head + (key.upper() if letter.isupper() else key) + tail
    if kind == "swap":
        return head + _in_case_of(letter + tail[0], tail[0] + letter) + tail[1:]
    if kind == "drop":
        return head + tail
    again = letter if head or word.isupper() else letter.lower()  # "Iit"
    return head + letter + again + tail


class Typos(Slips):
    """Makes one typing error in a word of letters only.

    ``keyboard`` replaces a letter by its neighbour on the keyboard, ``swap`` exchanges two neighbouring letters,
    ``drop`` leaves a letter out and ``double`` types it twice. Case is kept. Readers still recognise the word: by
    default the first letter is kept, and the result is never another word of the dictionary ("boring" never becomes
    "bring"). ``space`` is used only if you name it. It moves the blank between two words by one letter ("Powero f",
    "Powe rof"), unless the results are two other words.

    Args:
        kinds: The kinds of errors to make; all except ``space`` by default.
        letters: The number of letters of the shortest word that is changed, at least 2.
        first_letter: Whether the first letter may change as well.
        per_character: The number of errors of a candidate for each character of the text, above 0 and at most 1. Use it
            in place of ``words``. A word has at most one error, a candidate at least one.

    Raises:
        UsageError: A kind is unknown.
    """

    _name = "typos"

    def __init__(
        self,
        *,
        kinds: list[str] | None = None,
        letters: Letters = 4,
        first_letter: bool = False,
        per_character: Annotated[float, Field(gt=0, le=1)] | None = None,
    ) -> None:
        super().__init__(letters=letters)
        chosen = some_of("kinds", INSIDE if kinds is None else kinds, KINDS)
        self._inside, self._space = [kind for kind in chosen if kind != "space"], "space" in chosen
        self.contract = Contract(per_character=per_character, carries=True)
        self._first = 0 if first_letter else 1

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List one edit of each kind of error for each word."""
        if self._space:
            yield from self._beside_the_blank(example, random)
        yield from super().edits(example, random)

    def _slips(self, word: str, random: Random) -> Iterator[tuple[str, str]]:
        return slips(word, self._inside, NEIGHBOURS, inflection.is_word, random, self._first)

    def _beside_the_blank(self, example: Example, random: Random) -> Iterator[Edit]:
        """Slip at each blank between two words of letters, one of them long enough."""
        for field, tokens in self._read(example).items():
            for first, second in pairwise(plain_words(tokens, 1)):
                left, right = first.text, second.text
                before = f"{left} {right}"
                if example.fields[field][first.start : second.end] != before:
                    continue
                if max(len(left), len(right)) < self._letters:
                    continue
                late = [(left + right[0], right[1:])] if len(right) > 1 else []
                early = [(left[:-1], left[-1] + right)] if len(left) > 1 else []
                slips = [pair for pair in late + early if not all(map(inflection.is_word, pair))]
                if slips:
                    yield Edit(field, first.start, second.end, before, " ".join(random.choice(slips)), "typos: space")


def _in_case_of(model: str, pair: str) -> str:
    """Give two exchanged letters the case of their places; letters that change length with it stay."""
    cased = "".join(c.upper() if m.isupper() else c.lower() for m, c in zip(model, pair, strict=True))
    return cased if len(cased) == len(pair) else pair
