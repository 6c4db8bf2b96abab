"""Number words: English numbers up to 99 in letters, and numbers near a number."""

from __future__ import annotations

from random import Random

from robustfim_words.text.lexicon import LEXICONS, read_table

__all__ = ["near", "ordinal_suffix", "ordinal_value", "spell", "spell_ordinal", "value"]

_ROWS = read_table(LEXICONS / "numbers.tsv", ("number", "cardinal", "ordinal"))
_VALUES = {cardinal: int(number) for number, cardinal, _ in _ROWS}
_PLACES = {ordinal: int(number) for number, _, ordinal in _ROWS}
_SPELT, _RANKED = list(_VALUES), list(_PLACES)


def spell(number: int) -> str:
    """Write a number from 0 to 99 in letters.

    >>> spell(7), spell(40), spell(42)
    ('seven', 'forty', 'forty-two')
    """
    return _SPELT[number]


def spell_ordinal(number: int) -> str:
    """Write an ordinal from 1 to 99 in letters.

    >>> spell_ordinal(3), spell_ordinal(20), spell_ordinal(21)
    ('third', 'twentieth', 'twenty-first')
    """
    return _RANKED[number]


def ordinal_value(word: str) -> int | None:
    """Return the number of an ordinal in letters, from "first" to "ninety-ninth"; None for any other word."""
    return _PLACES.get(word.lower()) or None


def value(word: str) -> int | None:
    """Return the number of a number word, from "zero" to "ninety-nine"; None for any other word."""
    return _VALUES.get(word.lower().replace("‐", "-").replace("‑", "-"))


def ordinal_suffix(number: int) -> str:
    """Return the suffix of an ordinal in digits: ``st``, ``nd``, ``rd`` or ``th``.

    >>> [ordinal_suffix(n) for n in (1, 2, 3, 4, 11, 12, 21)]
    ['st', 'nd', 'rd', 'th', 'th', 'th', 'st']
    """
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def near(number: int, random: Random) -> int:
    """Draw a number that is close to a given number and just as round, and at least 2.

    Args:
        number: A number of at least 2.
        random: The random source.

    Returns:
        ``number`` plus or minus the largest power of ten that divides it (1 for 42, 10 for 90), or a tenth of that
        power for 10, 100, … For other multiples of 5 above 10, plus or minus 5. The result is never 1, which would need
        a singular noun.

    >>> sorted({near(90, Random(seed)) for seed in range(20)})
    [80, 100]
    """
    step = 1
    while number % (step * 10) == 0:
        step *= 10
    if step == number > 1:
        step //= 10
    if step == 1 and number > 10 and number % 5 == 0:
        step = 5
    below, above = number - step, number + step
    return above if below < 2 else random.choice((below, above))
