"""Numbers: a number becomes a near number, or is spelled in words or digits; ratings stay."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_texts import one_of
from robustfim_words.languages.english import english
from robustfim_words.languages.language import Language
from robustfim_words.languages.perturbation import InLanguage
from robustfim_words.tagging.resourced import Editing, WithTagger
from robustfim_words.text.analysed import Analysed
from robustfim_words.text.casing import capitalised
from robustfim_words.text.numerals import near, ordinal_suffix, spell_ordinal
from robustfim_words.text.ratings import in_rating
from robustfim_words.text.tokens import Token, Tokens

__all__ = ["Numbers", "NumbersInLanguage"]

TO = ("near", "words", "digits")
_MANY = 11
"""The smallest number that no "the" or "these" counts out before its noun."""
_ORDINAL = re.compile(r"(\d{1,3})(st|nd|rd|th)\Z", re.IGNORECASE)
_DECADE = re.compile(r"(\d|\d{3})0s\Z", re.IGNORECASE)
_CURRENCY = frozenset("$£€#")
_MAY_TOUCH = frozenset(["", *"$£€(\"“'‘’"])
"""Marks that may stand right before a number."""
_PHONE = re.compile(r"\(?\d{3}(?:[ .-]|\)[ .-]?)\d{3}[ .-]\d{4}")


class Numbers(WithTagger, Editing):
    """Swaps numbers: 3 for 4, "two hours" for "three hours", 1994 for 1996, $10 for $9.

    Some numbers are not changed, since they carry an opinion or belong to a name: ratings ("8/10", "8 out of 10", "four
    stars", "give it a 3", "90% fresh"), "one" and "first", zero, ranges ("two or three"), clock times with a colon,
    numbers beside a capitalised word ("Toy Story 3", "12 Angry Men"), and telephone numbers.

    Args:
        to: ``near`` for another number of the same size; ``words`` or ``digits`` for the same number, up to 99, written
            in words or digits.

    Raises:
        UsageError: ``to`` is unknown.
    """

    contract = Contract(carries=True)

    def __init__(self, *, to: str = "near") -> None:
        self._to = one_of("to", to, TO)

    def _edits(self, field: str, text: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
        """List one swap for each number."""
        yield from _swaps(english(), Analysed(field, text, tokens), self._to, random)


class NumbersInLanguage(InLanguage):
    """Swaps numbers in digits or words for near numbers; ratings, times, days of a month and parts of names stay.

    Raises:
        UsageError: The language is not known.
    """

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List one swap for each number."""
        if spoken := self._spoken(example):
            for read in spoken.read(example):
                yield from _swaps(spoken, read, "near", random)


def _swaps(spoken: Language, read: Analysed, to: str, random: Random) -> Iterator[Edit]:
    """List one swap for each number of a text."""
    numbers = [_leading_number(spoken, token) for token in read.tokens]
    counted = [_counted(spoken, read, index, number) if number else None for index, number in enumerate(numbers)]
    said = Counter(counted)
    for index, (token, number) in enumerate(zip(read.tokens, numbers, strict=True)):
        otherwise = (_count(spoken, other) for other in numbers if other.lower() != number.lower())  # "2" and "two"
        again = to == "near" and (said[counted[index]] > 1 or (_count(spoken, number) or -1) in otherwise)
        if number and not again and index not in read.fixed and _free(spoken, read, index, number):
            after = _swapped(spoken, read, index, number, to, random)
            if after is not None and after != number:
                yield spoken.edit(read, index, after, f"numbers: {number} → {after}", token.start + len(number))


def _swapped(spoken: Language, read: Analysed, index: int, number: str, to: str, random: Random) -> str | None:
    """Return what takes the number's place, None to leave it."""
    token = read.tokens[index]
    if to == "near":
        return _near(spoken, read.text, token, number, random)
    if to == "digits":
        known = spoken.value(number)
        return None if known is None or known < 2 else str(known)
    plain = number.isascii() and number.isdigit() and len(number) < 3 and str(int(number)) == number
    marked = _before(read.text, token) in _CURRENCY or read.text[token.end :].lstrip()[:1] in ("%", "°")
    return spoken.spell(int(number)) if plain and not marked else None


def _before(text: str, token: Token) -> str:
    """Return the character before a token, or nothing."""
    return text[token.start - 1] if token.start else ""


def _leading_number(spoken: Language, token: Token) -> str:
    """Return the number at the beginning of a token: the whole of "12", "3rd", "80s", the "two" of "two-hour"."""
    if token.kind == "number" and token.text.isascii():
        return token.text
    if token.kind != "word":
        return ""
    if _ORDINAL.match(token.text) or _DECADE.match(token.text) or (spoken.ordinal(token.text) or 0) > 2:
        return token.text
    parts = re.split("([-‐‑])", token.text)
    for length in (3, 1):
        head = "".join(parts[:length])
        if spoken.value(head) is not None:
            return head
    return ""


def _count(spoken: Language, number: str) -> int | None:
    """Return a number in figures or in words; None for another one."""
    return int(number) if number.isascii() and number.isdigit() else spoken.value(number)


def _counted(spoken: Language, read: Analysed, index: int, number: str) -> tuple[str, str]:
    """Say how many of what: "Two men" and "the 2 men" are the same."""
    known, after = _count(spoken, number), read.at(index + 1)
    return number if known is None else str(known), re.split("[-‐‑]", after.small)[0]


def _free(spoken: Language, read: Analysed, index: int, number: str) -> bool:
    """Tell whether a number is neither a rating, nor part of a name, a date, a range or a time."""
    text, token, before, after = read.text, read.tokens[index], read.at(index - 1), read.at(index + 1)
    if in_rating(text, read.tokens, index) or any(
        match.start() <= token.start < match.end() for match in _PHONE.finditer(text)
    ):
        return False
    if not text[before.end : token.start] and before.text not in _MAY_TOUCH:
        return False
    if before.small in spoken.closed("counts what is known") and (_count(spoken, number) or _MANY) < _MANY:
        return False
    counts = read.at(index + 2)
    told = counts.text in (":", "(") or (capitalised(counts) and not counts.starts)
    if told and (_count(spoken, number) or _MANY) < _MANY and not spoken.grammar.nouns_capital:
        return False  # "two products Bloomba and SAproxy"
    if after.small == "of" and spoken.ordinal(number) is not None:
        return False  # "the third of these"
    named = before.tag[:2] == "NN" or (read.low and before.tag in ("VB", "VBP", "JJ"))
    if token.kind == "number" and len(number) < 2 and named:
        return False
    nouns = spoken.grammar.nouns_capital
    if capitalised(before) and not (before.starts or before.text.isupper()):
        return False
    if not text[token.end : after.start] and after.text in ("/", ":", "*", "+", "'", "’", "°", "_"):
        return False
    if nouns and token.text[0].isupper() and not token.starts:
        return False  # "die Zehn Gebote"
    if capitalised(after) and not nouns and not (token.text.isupper() or after.text.isupper()):
        return after.text.split("'")[0] == "I"
    if any(each.small in spoken.months for each in read.tokens[max(0, index - 4) : index + 3]):
        return False
    for near_by, beyond in ((before, read.at(index - 2)), (after, read.at(index + 2))):
        ranges = near_by.small in spoken.closed("between numbers")
        if any(_leading_number(spoken, each) for each in (near_by, beyond if ranges else near_by)):
            return False
    return True


def _near(spoken: Language, text: str, token: Token, number: str, random: Random) -> str | None:
    """Return a near number in the same notation."""
    if match := _ORDINAL.match(number):
        new = near(int(match[1]), random) if int(match[1]) > 1 else 0
        return f"{new}{ordinal_suffix(new)}" if new else None
    if match := _DECADE.match(number):
        return _near_decade(match[1], random) + number[len(match[1]) :]
    place = spoken.ordinal(number)
    if place is not None:
        new = near(place, random)
        return spell_ordinal(new if new < 100 else 2 * place - new)
    known = spoken.value(number)
    if known is not None:
        new = near(known, random) if known > 1 else 0
        return spoken.spell(new if new < 100 else 2 * known - new) if new else None
    whole, point, rest = number.partition(".")
    if not re.fullmatch(r"\d+|\d{1,3}(,\d{3})+", whole) or "." in rest or "," in rest:
        return None
    amount = int(whole.replace(",", ""))
    if amount < 2 and rest[:1] > "0" and int(rest) > 1:
        new = near(int(rest), random)
        return f"{whole}.{new}" if len(str(new)) == len(rest) else None
    if amount < 2 or (len(whole) > 1 and whole.startswith("0")):
        return None
    if len(whole) == 4 and 1900 <= amount <= 2039:
        return str(amount + random.choice((-3, -2, -1, 1, 2, 3)))
    new = near(amount, random)
    return (f"{new:,}" if "," in whole else str(new)) + point + rest


def _near_decade(head: str, random: Random) -> str:
    """Return a neighbouring decade's digits without the final 0s."""
    decade = int(head)
    lowest, highest = (2, 9) if decade < 10 else (decade - 1, decade + 1)
    return str(random.choice([d for d in (decade - 1, decade + 1) if lowest <= d <= highest]))
