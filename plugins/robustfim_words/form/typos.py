"""Typos: slips of the fingers inside a word."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.tagging.resourced import WithTables
from robustfim_words.text import inflection
from robustfim_words.text.options import some_of
from robustfim_words.text.plain_words import plain_words

__all__ = ["KINDS", "Typos"]

KINDS = ("keyboard", "swap", "drop", "double", "space")
_INSIDE = KINDS[:-1]
"""The slips inside a word, which are made where a suite names no kinds."""
_DRAWS = 4
"""Slips of a kind that are drawn for a word until one is no word itself."""
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def _neighbours() -> dict[str, str]:
    """List the letters beside each letter of a QWERTY keyboard, rows set off by half a key."""
    place = {key: (row, column + 0.5 * row) for row, keys in enumerate(_ROWS) for column, key in enumerate(keys)}
    return {
        key: "".join(
            other
            for other, (r, c) in place.items()
            if other != key and abs(r - row) <= 1 and abs(c - column) <= (1 if r == row else 0.5)
        )
        for key, (row, column) in place.items()
    }


NEIGHBOURS = _neighbours()


class Typos(WithTables):
    """Misspells a word as fingers do: one slip, in words of letters only.

    ``keyboard`` hits the key beside, ``swap`` exchanges two neighbouring letters, ``drop`` leaves one out and
    ``double`` types one twice. Case is kept. The first letter stays by default, since a reader guesses a word
    from its first letter; and no slip makes another word of the dictionary ("boring" is never "bring"). So a slip
    is harmless to readers. ``space``, which has to be named, hits the blank between two words a letter too late or too
    early ("Powero f", "Powe rof"), unless that makes two other words.

    Args:
        kinds: Which slips; all but ``space`` by default.
        letters: The shortest word that is touched, at least 2 letters.
        first_letter: Whether the first letter may change as well.
        per_character: How many slips a candidate has for each character of the text, above 0 and at most 1, in place
            of ``words``; at most one in a word, at least one in all.

    Raises:
        UsageError: A kind is unknown, ``letters`` below 2, or ``per_character`` no such rate.
    """

    any_language = True

    def __init__(
        self,
        *,
        kinds: list[str] | None = None,
        letters: int = 4,
        first_letter: bool = False,
        per_character: float | None = None,
    ) -> None:
        self._kinds = _INSIDE if kinds is None else some_of("kinds", kinds, KINDS)
        if per_character is not None and not 0 < per_character <= 1:
            raise UsageError(f"per_character: {per_character} is no rate above 0 and up to 1, such as 0.03")
        self.contract = Contract(per_character=per_character, carries=True)
        if letters < 2:
            raise UsageError(f"letters: {letters} is below 2")
        self._letters = letters
        self._first = 0 if first_letter else 1

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List a slip of each kind for each word."""
        if "space" in self._kinds:
            yield from self._beside_the_blank(example, random)
        inside = [kind for kind in self._kinds if kind != "space"]
        for field, token in plain_words(example, self._letters):
            word = token.text
            for kind in inside:
                for _ in range(_DRAWS):
                    slip = self._slip(kind, word, random)
                    if slip is None or not inflection.is_word(slip):
                        break
                else:
                    slip = None
                if slip is not None:
                    yield Edit(field, token.start, token.end, word, slip, f"typos: {kind}")

    def _beside_the_blank(self, example: Example, random: Random) -> Iterator[Edit]:
        """Slip at each blank between two words of letters, one of them long enough."""
        for (field, first), (other, second) in pairwise(plain_words(example, 1)):
            left, right = first.text, second.text
            if field != other or example.fields[field][first.end : second.start] != " ":
                continue
            if max(len(left), len(right)) < self._letters:
                continue
            late = [(left + right[0], right[1:])] if len(right) > 1 else []
            early = [(left[:-1], left[-1] + right)] if len(left) > 1 else []
            slips = [pair for pair in late + early if not all(map(inflection.is_word, pair))]
            if slips:
                before = f"{left} {right}"
                yield Edit(field, first.start, second.end, before, " ".join(random.choice(slips)), "typos: space")

    def _slip(self, kind: str, word: str, random: Random) -> str | None:
        """Misspell a word; None where this kind of slip leaves it as it is."""
        places = range(self._first, len(word))
        if kind == "keyboard":
            places_of_keys = [place for place in places if word[place].lower() in NEIGHBOURS]
            if not places_of_keys:
                return None
            place = random.choice(places_of_keys)
            key = random.choice(NEIGHBOURS[word[place].lower()])
            return word[:place] + (key.upper() if word[place].isupper() else key) + word[place + 1 :]
        if kind == "swap":
            unlike = [place for place in places[:-1] if word[place].lower() != word[place + 1].lower()]
            if not unlike:
                return None
            place = random.choice(unlike)
            pair = word[place + 1] + word[place]
            return word[:place] + _in_case_of(word[place : place + 2], pair) + word[place + 2 :]
        place = random.choice(places)
        if kind == "drop":
            return word[:place] + word[place + 1 :]
        return word[: place + 1] + _doubled(word, place) + word[place + 1 :]


def _in_case_of(model: str, pair: str) -> str:
    """Give two exchanged letters the case of their places; letters that change length with it stay."""
    cased = "".join(c.upper() if m.isupper() else c.lower() for m, c in zip(model, pair, strict=True))
    return cased if len(cased) == len(pair) else pair


def _doubled(word: str, place: int) -> str:
    """Return the second of two letters: small after a first capital ("Iit"), unless the word is in capitals."""
    return word[place].lower() if place == 0 and not word.isupper() else word[place]
