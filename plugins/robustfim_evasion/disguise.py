"""Disguises: whole texts written otherwise, each with the reading that gives the text back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim_evasion.options import some_of

__all__ = ["Disguise", "Disguises"]


def _same(text: str) -> str:
    return text


@dataclass(frozen=True)
class Disguise:
    """A way to write a text, and the way back: ``read(write(text, random)) == keeps(text)``.

    Attributes:
        write: Writes a text otherwise; what it draws comes from the generator.
        read: Reads it again, as a person or a language model would.
        keeps: What of a text reading gives back, such as all but its case; by default everything.
    """

    write: Callable[[str, Random], str]
    read: Callable[[str], str]
    keeps: Callable[[str], str] = _same

    def apply(self, text: str, random: Random) -> str | None:
        """Write a text otherwise, or None where it could not be read again or stays as it is."""
        written = self.write(text, random) if text.strip() else text
        return written if written != text and self.read(written) == self.keeps(text) else None


class Disguises:
    """Whole texts written otherwise, one candidate a kind.

    A field that could not be read again stays as it is: one that already holds the characters of the disguise.

    Args:
        kinds: Which kinds; all by default.

    Raises:
        UsageError: A kind is unknown.
    """

    name: ClassVar[str]

    def __init__(self, *, kinds: list[str] | None = None) -> None:
        self._disguises = self.disguises()
        self._kinds = some_of("kinds", kinds, self._disguises)

    def disguises(self) -> Mapping[str, Disguise]:
        """Give every kind by name."""
        raise NotImplementedError

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a kind, in random order."""
        for kind in random.sample(self._kinds, len(self._kinds)):
            edits = [
                edit
                for field, text in example.fields.items()
                if (written := self._disguises[kind].apply(text, random)) is not None
                for edit in _edits(field, text, written, f"{self.name}: {kind}")
            ]
            if edits:
                yield Candidate(example, tuple(edits))


def _edits(field: str, text: str, written: str, origin: str) -> Iterator[Edit]:
    """What is put before and behind a text that stays whole, else one edit of all of it."""
    before, found, behind = written.partition(text)
    if not found:
        yield Edit(field, 0, len(text), text, written, origin)
        return
    if before:
        yield Edit(field, 0, 0, "", before, origin)
    if behind:
        yield Edit(field, len(text), len(text), "", behind, origin)
