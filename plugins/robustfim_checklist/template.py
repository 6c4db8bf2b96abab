"""Templates: sentences with slots, such as ``{name} is {a:adj} guest``, that are filled with words of lexicons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from random import Random

from robustfim.errors import DataError, did_you_mean
from robustfim_checklist.lexicons import Lexicons

__all__ = ["Filled", "Template"]

_PART = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_SLOT = re.compile(r"(?:(a|A):)?([A-Za-z_][A-Za-z0-9_]*?)(\d*)")


@dataclass(frozen=True)
class Filled:
    """A template filled with words."""

    text: str
    slots: Mapping[str, str]


@dataclass(frozen=True)
class Template:
    """A sentence with slots for words of lexicons.

    ``{adj}`` is replaced by a word of the lexicon ``adj``, the same word wherever ``{adj}`` occurs. ``{name1}`` and
    ``{name2}`` are two words of the lexicon ``name``. ``{a:adj}`` puts "a" or "an" before the word, and ``{A:adj}`` "A"
    or "An". ``{{`` and ``}}`` are braces.

    Raises:
        DataError: A brace is not closed, a slot is malformed, or the lexicon of a slot is unknown.
    """

    pattern: str
    lexicons: Lexicons

    def __post_init__(self) -> None:
        _ = self.slots

    @cached_property
    def slots(self) -> Mapping[str, str]:
        """The lexicon of each slot, in the order in which the slots first occur."""
        slots: dict[str, str] = {}
        for part in _PART.finditer(self.pattern):
            if part[0] in ("{", "}"):
                raise DataError(f"the template {self.pattern!r} has a single {part[0]!r}. Double a literal brace.")
            if part[1] is None:
                continue
            slot = _SLOT.fullmatch(part[1].strip())
            if slot is None:
                raise DataError(
                    f"the template {self.pattern!r} has the malformed slot {part[0]!r}. Write the name of a lexicon "
                    "({adj}), with a number for another word of it ({adj2}), or with its article ({a:adj})."
                )
            name = slot[2] + slot[3]
            slots[name] = name if name in self.lexicons else slot[2]
            if slots[name] not in self.lexicons:
                known = ", ".join(sorted(self.lexicons)) or "none; 'lexicons' or 'path' gives them"
                raise DataError(
                    f"the template {self.pattern!r} uses the unknown lexicon {slots[name]!r}."
                    f"{did_you_mean(slots[name], self.lexicons)} Known: {known}."
                )
        return slots

    @property
    def size(self) -> int:
        """The number of combinations of the slots' words, ≥ 1."""
        return prod(len(self.lexicons[lexicon]) for lexicon in self.slots.values())

    @property
    def factors(self) -> str:
        """The number of words of each slot as text: ``12 name × 30 adj``."""
        return " × ".join(f"{len(self.lexicons[lexicon]):,} {slot}" for slot, lexicon in self.slots.items()) or "1"

    def all(self) -> Iterator[Filled]:
        """Yield the template filled in every way; the last slot changes fastest."""
        yield from map(self._at, range(self.size))

    def sample(self, number: int, random: Random) -> list[Filled]:
        """Return a random sample of the filled templates, without duplicates and without listing all.

        Args:
            number: The size of the sample, ≥ 1. If there are fewer combinations, all are returned in random order.
            random: The generator.
        """
        if self.size <= number * 2:
            return list(map(self._at, random.sample(range(self.size), min(number, self.size))))
        drawn: dict[int, None] = {}
        while len(drawn) < number:
            drawn.setdefault(random.randrange(self.size))
        return list(map(self._at, drawn))

    def _at(self, index: int) -> Filled:
        """The sentence at an index of the cross product."""
        chosen: dict[str, str] = {}
        for slot, lexicon in list(self.slots.items())[::-1]:
            words = self.lexicons[lexicon]
            index, place = divmod(index, len(words))
            chosen[slot] = words[place]
        chosen = {slot: chosen[slot] for slot in self.slots}
        return Filled(_PART.sub(lambda part: _fill(part, chosen), self.pattern), chosen)


def _fill(part: re.Match[str], chosen: Mapping[str, str]) -> str:
    if part[1] is None:
        return part[0][0]
    slot = _SLOT.fullmatch(part[1].strip())
    assert slot is not None  # noqa: S101  # read before
    word = chosen[slot[2] + slot[3]]
    if slot[1] is None:
        return word
    return f"{slot[1]}{'n' if word[:1].lower() in tuple('aeiou') else ''} {word}"  # CheckList's own rule: by letter
