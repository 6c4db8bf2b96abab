"""Text that is safe to print, and the common format for differences of rates."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence

__all__ = ["MISSING", "counted", "listed", "printable", "signed"]

MISSING = "–"
"""Stands for a number that is not defined."""

_COMMAND = re.compile(r"(##(?:vso)?)(\[)|^(\s*)(:)(?=:)", re.I)
"""Commands that CI systems run if a line contains them (Azure's ``##vso[…]``) or begins with them (``::set-env``)."""

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_SELECTORS = range(0xE0100, 0xE01F0)
"""Variation selectors that no emoji needs: they are invisible marks."""


def printable(text: str) -> str:
    """Make text safe for a terminal: control and invisible characters are written as escapes.

    A line break becomes ``⏎``. An escape sequence in a text cannot change colours or move the cursor, and a CI system
    finds no command in it.
    """
    shown = "".join(_shown(character) for character in text)
    return _COMMAND.sub(lambda found: f"{found[1] or found[3] or ''}\\u{ord(found[2] or found[4]):04x}", shown)


def counted(number: int, word: str) -> str:
    """Return a number with its noun: ``1 text``, ``2 texts``.

    Args:
        number: The number.
        word: The noun, in the singular; its plural ends in s.
    """
    return f"{number:,} {word}{'s' * (number != 1)}"


def listed(parts: Sequence[str]) -> str:
    """Write a list of at least one part as text: ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def signed(difference: float | None) -> str:
    """Write a difference of rates in [−1, 1] in percentage points, signed unless it rounds to 0: ``+4.1``."""
    if difference is None or not math.isfinite(difference):
        return MISSING
    text = f"{100 * difference:+.1f}".replace("-", "−")
    return "0.0" if text in ("+0.0", "−0.0") else text


def _shown(character: str) -> str:
    if character == "\n":
        return "⏎"
    if character == "\t":
        return " "
    if unicodedata.category(character) in _HIDDEN or ord(character) in _SELECTORS:
        return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"
    return character
