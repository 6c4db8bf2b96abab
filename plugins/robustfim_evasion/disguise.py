"""Disguises of a whole text: for each a function that writes the disguise, and one that recovers the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Annotated, ClassVar

from pydantic import Field

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim_texts import some_of

__all__ = ["Disguise", "Disguises", "Some"]

Some = Annotated[int, Field(ge=1)]
"""A number of at least 1."""


def _same(text: str) -> str:
    return text


@dataclass(frozen=True)
class Disguise:
    """A way to disguise a text so that a person or a language model can recover it.

    Attributes:
        write: A function that disguises a text, with random choices from a generator.
        read: A function that recovers the text, as a person or a language model would.
        keeps: A function that returns the recoverable form of a text, such as the text in lower case; by default the
            whole text.
    """

    write: Callable[[str, Random], str]
    read: Callable[[str], str]
    keeps: Callable[[str], str] = _same

    def apply(self, text: str, random: Random) -> str | None:
        """Return the disguised text; None if nothing changes, or if the text could not be recovered."""
        written = self.write(text, random) if text.strip() else text
        return written if written != text and self.read(written) == self.keeps(text) else None


class Disguises:
    """A perturbation that disguises whole texts, with one candidate for each kind.

    A text field stays unchanged if its text could not be recovered, for example because it already has characters of
    the disguise.

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
        """Return the disguises by the names of their kinds."""
        raise NotImplementedError

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate for each kind, in random order."""
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
