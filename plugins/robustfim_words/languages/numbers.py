"""Numbers and ages: swapped for numbers of similar size that agree with the noun."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from robustfim_words.languages.language import Language, Token
from robustfim_words.languages.perturbation import Change, Editing
from robustfim_words.persons.ages import other_ages
from robustfim_words.text.casing import like

__all__ = ["Ages", "Numbers"]

_DIGITS = re.compile(r"(?<![\w.,:/€$£%+*'’#(§-])(?<![€$£§#] )[1-9]\d{0,2}(?![\w%°/*'’-]|[.,:]\d| ?[%€$£°/:.]| \d)")
_DRAWS = 4


def _near(number: int, random: Random) -> list[int]:
    """Numbers of the same size, plural as they are."""
    reach = max(2, number // 5)
    around = [
        n for n in range(max(2, number - reach), number + reach + 1) if n != number and len(str(n)) == len(str(number))
    ]
    return random.sample(around, min(_DRAWS, len(around)))


class Numbers(Editing):
    """Swaps numbers from 3 to 999, in digits or words, for similar numbers; years, rates, times and ratings stay.

    Raises:
        UsageError: The language is not known.
    """

    def _changes(self, spoken: Language, text: str, random: Random) -> Iterator[Change]:
        tokens = spoken.tokens(text)
        numeral = [token.text.lower() in spoken.numbers or token.text[0].isdigit() for token in tokens]
        aged = [match.span() for pattern in spoken.grammar.ages for match in re.finditer(pattern, text)]
        words = {number: word for word, number in spoken.numbers.items()}
        for place, token in enumerate(tokens):
            if not _counts(text, tokens, numeral, place) or any(start <= token.start < end for start, end in aged):
                continue
            number = spoken.numbers.get(token.text.lower(), 0)
            if number > 2:
                for new in _near(number, random):
                    if new in words:
                        yield token.start, token.end, like(token.text, words[new]), "numbers: words"
            elif _DIGITS.match(text, token.start) and int(token.text) > 2 and not _dated(spoken, tokens, place):
                for new in _near(int(token.text), random):
                    yield token.start, token.end, str(new), "numbers: digits"


def _counts(text: str, tokens: list[Token], numeral: list[bool], place: int) -> bool:
    """Whether a number stands for itself: not for one of several words, a range, a rating, nor as part of a name.

    What it counts is not listed after a colon, and the text does not come back to it.
    """
    token = tokens[place]
    beside = any(numeral[max(0, place - 2) : place] + numeral[place + 1 : place + 3])
    listed = re.match(r"[^.!?]*:", text[token.end :])
    again = [other.text.lower() for other in tokens].count(token.text.lower()) > 1
    before = tokens[place - 1] if place else None
    named = before is not None and before.text[0].isupper() and not _opens(text, before.start)
    titled = token.text[0].isupper() and not _opens(text, token.start)  # *die Zehn Gebote*
    return not (beside or listed or again or titled or (named and token.text[0].isdigit()))


def _opens(text: str, start: int) -> bool:
    return re.search(r"(?:\A|[.!?\n])\W*\Z", text[:start]) is not None


def _dated(spoken: Language, tokens: list[Token], place: int) -> bool:
    """Whether a month stands within two words."""
    months = {name.lower() for name in spoken.world["month"]}
    return any(token.text.lower() in months for token in tokens[max(0, place - 2) : place + 3])


class Ages(Editing):
    """Swaps the age of a person or thing for a similar age, on the same side of 13, 18 and 65 years."""

    needs = ("ages",)

    def _changes(self, spoken: Language, text: str, random: Random) -> Iterator[Change]:
        for pattern in spoken.grammar.ages:
            for match in re.finditer(pattern, text):
                age = int(match["n"])
                if len(re.findall(rf"(?<!\d){age}(?!\d)", text)) > 1:
                    continue  # the text comes back to it
                near = other_ages(age)
                for new in random.sample(near, min(_DRAWS, len(near))):
                    yield *match.span("n"), str(new), "ages"
