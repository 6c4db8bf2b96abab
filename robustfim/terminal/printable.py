"""Text made safe to print."""

from __future__ import annotations

import unicodedata

__all__ = ["printable"]

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def printable(text: str) -> str:
    """Make text safe for a terminal: control and invisible characters are written as escapes.

    A line break becomes ``⏎``; an escape sequence in a review cannot recolour or move anything.

    Args:
        text: Any text.
    """
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character == "\n":
        return "⏎"
    if character == "\t":
        return " "
    if unicodedata.category(character) in _HIDDEN:
        return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"
    return character
