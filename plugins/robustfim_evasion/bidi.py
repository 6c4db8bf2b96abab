"""The perturbation ``bidi``: characters stored in another order than they are displayed (Trojan Source)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from random import Random

from robustfim_evasion.disguise import Disguise, Disguises
from robustfim_evasion.tables import table

__all__ = ["Bidi"]

_OVERRIDE, _POP = "\u202e", "\u202c"
_ISOLATE, _END = "\u2066", "\u2069"
_MARK = "\u200e"
_CONTROLS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_PARAGRAPHS = re.compile("([^\n\r\x1c-\x1e\x85\u2029]+)")
_OVERRIDDEN = re.compile(f"{_OVERRIDE}([^{_POP}]*){_POP}")


class Bidi(Disguises):
    """Stores the characters in another order; bidirectional controls display them in the right one.

    This imitates the attack Trojan Source (Boucher and Anderson 2021): a person sees the original text, a model gets
    the characters in another order. ``reversed`` stores each line backwards under a right-to-left override.
    ``reordered`` stores the words of a line in reverse order, each isolated. ``marks`` puts an invisible left-to-right
    mark between all characters.
    """

    name = "bidi"

    def disguises(self) -> Mapping[str, Disguise]:
        """Return the disguises by the names of their kinds."""
        mirror = str.maketrans(table("mirrored"))
        return {
            "reversed": _by_line(
                lambda line: "".join(reversed(_clusters(line.translate(mirror)))),
                lambda line: "".join(reversed(_clusters(line))).translate(mirror),
            ),
            "reordered": _by_line(
                lambda line: "".join(f"{_ISOLATE}{part}{_END}" for part in reversed(re.findall(r"\s+|\S+", line))),
                lambda line: "".join(reversed(re.findall(f"{_ISOLATE}([^{_END}]*){_END}", line))),
            ),
            "marks": Disguise(lambda text, _: _MARK.join(_plain(text)), lambda text: text.replace(_MARK, ""), _plain),
        }


def _by_line(write: Callable[[str], str], read: Callable[[str], str]) -> Disguise:
    """A disguise of each line on its own, since no override reaches into the next; bidi controls of a text are lost."""

    def written(text: str, _: Random) -> str:
        return _PARAGRAPHS.sub(lambda line: f"{_OVERRIDE}{write(line[1])}{_POP}", _plain(text))

    return Disguise(written, lambda text: _OVERRIDDEN.sub(lambda line: read(line[1]), text), _plain)


def _plain(text: str) -> str:
    return _CONTROLS.sub("", text)


def _clusters(text: str) -> list[str]:
    """Characters with the marks that stand on them, and joined emoji, which keep their order."""
    found: list[str] = []
    for character in text:
        joins = (
            unicodedata.category(character)[0] == "M" or character == "\u200d" or (found and found[-1][-1] == "\u200d")
        )
        if found and joins:
            found[-1] += character
        else:
            found.append(character)
    return found
