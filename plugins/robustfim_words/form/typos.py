"""Typos: typing errors inside a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.form.slips import Slips, plain_words
from robustfim_words.text import inflection
from robustfim_words.text.options import some_of

__all__ = ["KINDS", "Typos"]

KINDS = ("keyboard", "swap", "drop", "double", "space")
_INSIDE = KINDS[:-1]
"""The kinds of slips that are used if a suite names no kinds."""
_DRAWS = 4
"""How many slips of a kind are drawn for a word, at most, until the result is not a word itself."""
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
        UsageError: A kind is unknown, ``letters`` below 2, or ``per_character`` not above 0 and at most 1.
    """

    _name = "typos"

    def __init__(
        self,
        *,
        kinds: list[str] | None = None,
        letters: int = 4,
        first_letter: bool = False,
        per_character: float | None = None,
    ) -> None:
        super().__init__(letters)
        chosen = some_of("kinds", _INSIDE if kinds is None else kinds, KINDS)
        self._inside, self._space = [kind for kind in chosen if kind != "space"], "space" in chosen
        if per_character is not None and not 0 < per_character <= 1:
            raise UsageError(f"per_character: {per_character} is no rate above 0 and up to 1, such as 0.03")
        self.contract = Contract(per_character=per_character, carries=True)
        self._first = 0 if first_letter else 1

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List one edit of each kind of error for each word."""
        if self._space:
            yield from self._beside_the_blank(example, random)
        yield from super().edits(example, random)

    def _slips(self, word: str, random: Random) -> Iterator[tuple[str, str]]:
        for kind in self._inside:
            for _ in range(_DRAWS):
                slip = self._slip(kind, word, random)
                if slip is None or not inflection.is_word(slip):
                    break
            else:
                slip = None
            if slip is not None:
                yield kind, slip

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

    def _slip(self, kind: str, word: str, random: Random) -> str | None:
        """Misspell a word; None where this kind of slip leaves it as it is."""
        places: Sequence[int] = range(self._first, len(word))
        if kind == "keyboard":
            places = [place for place in places if word[place].lower() in NEIGHBOURS]
        elif kind == "swap":
            places = [place for place in places[:-1] if word[place].lower() != word[place + 1].lower()]
        if not places:
            return None
        place = random.choice(places)
        head, letter, tail = word[:place], word[place], word[place + 1 :]
        if kind == "keyboard":
            key = random.choice(NEIGHBOURS[letter.lower()])
            return head + (key.upper() if letter.isupper() else key) + tail
        if kind == "swap":
            return head + _in_case_of(letter + tail[0], tail[0] + letter) + tail[1:]
        if kind == "drop":
            return head + tail
        again = letter if head or word.isupper() else letter.lower()  # "Iit"
        return head + letter + again + tail


def _in_case_of(model: str, pair: str) -> str:
    """Give two exchanged letters the case of their places; letters that change length with it stay."""
    cased = "".join(c.upper() if m.isupper() else c.lower() for m, c in zip(model, pair, strict=True))
    return cased if len(cased) == len(pair) else pair
