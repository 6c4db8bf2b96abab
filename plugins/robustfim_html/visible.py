"""Escape text, and show every invisible or reordering character.

A bidi override can make a page show other text than it holds, and a zero-width space is a change that no reader can
see. Both are shown by their names.
"""

from __future__ import annotations

import re
import unicodedata

from markupsafe import Markup, escape

__all__ = ["hidden_anywhere", "hidden_in_a_change", "named", "plain", "visible"]

_NAMES = {
    0x00AD: "SHY", 0x061C: "ALM", 0x180E: "MVS", 0x200B: "ZWSP", 0x200C: "ZWNJ", 0x200D: "ZWJ", 0x200E: "LRM",
    0x200F: "RLM", 0x2028: "LS", 0x2029: "PS", 0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF", 0x202D: "LRO",
    0x202E: "RLO", 0x2060: "WJ", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xFEFF: "BOM",
}  # fmt: skip

# Controls (not tab and line feed), invisible format characters, surrogates, non-characters, tags, and the variation
# selectors that no emoji needs.
_HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff"
    "\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f\U000e0100-\U000e01ef"
)
# Part of ordinary text in many scripts and in emoji; shown only where they are the change.
_JOINERS = "\u200c\u200d\ufe00-\ufe0f\u00a0\u2000-\u200a\u202f\u205f\u3000\u1680"

hidden_anywhere = _HIDDEN
"""The characters that are always shown by name, as ranges for a class of a regular expression."""
hidden_in_a_change = f"{_HIDDEN}{_JOINERS}\t"
"""Those that are shown by name where they are part of a change."""

_ANYWHERE = re.compile(f"[{hidden_anywhere}]")
_IN_A_CHANGE = re.compile(f"[{hidden_in_a_change}]")


def named(character: str) -> str:
    """Return the short name of an invisible character: ``RLO``, ``ZWSP``, or its number ``U+0007``."""
    return _NAMES.get(ord(character), f"U+{ord(character):04X}")


def plain(text: str) -> str:
    """Replace invisible characters of a text by their names in brackets."""
    if not _ANYWHERE.search(text):
        return text
    return _ANYWHERE.sub(lambda match: f"⟨{named(match[0])}⟩", text.replace("\r\n", "\n"))


def _badge(match: re.Match[str]) -> str:
    title = f"U+{ord(match[0]):04X} {unicodedata.name(match[0], '')}".strip()
    return str(Markup('<span class="ctl" title="{}">{}</span>').format(title, named(match[0])))


def visible(text: str, *, change: bool = False) -> Markup:
    """Escape a text and show its invisible characters as small labels.

    Args:
        text: Any text, of any origin.
        change: Whether the text is removed or inserted by an edit. Then joiners, unusual spaces, line breaks and
            changes of spaces alone are shown, too.

    Returns:
        Markup without elements other than ``<span class="ctl">``.
    """
    pattern = _IN_A_CHANGE if change else _ANYWHERE
    if change and text and not text.strip(" \n"):
        marks = text.replace("\n", "↵\n").replace(" ", "␣")
        return Markup('<span class="ctl">{}</span>').format(marks)
    if not change:
        text = text.replace("\r\n", "\n")
    # Escaping changes none of the characters looked for, and adds none.
    return Markup(pattern.sub(_badge, str(escape(text))))  # noqa: S704  # escaped in this line
