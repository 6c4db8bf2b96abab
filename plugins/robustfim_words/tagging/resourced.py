"""What the perturbations and constraints of words work with beside their options: the tagger and the shipped tables."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from robustfim.example import Example
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text.language import english
from robustfim_words.text.lexicon import LEXICONS, files_hash

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Tagging", "WithTables", "WithTagger", "shipped_tables"]

_TABLES = ("lexicons", "text_kinds", "tones", "stop_words.txt")
_SHIPPED = tuple(LEXICONS.parent / name for name in _TABLES)


_Perturbs = Callable[[Any, Example, Random], Iterator[Any]]
_OTHER = "not English"


def shipped_tables() -> str:
    """Name the tables of this package: one hash of all, since most perturbations read several, and lemminflect's."""
    return f"robustfim_words {files_hash(*_SHIPPED)}, lemminflect {importlib.metadata.version('lemminflect')}"


class WithTables:
    """A perturbation that reads tables of this package, which are English: texts in another language stay as they are.

    Attributes:
        any_language: Whether it fits texts in any language.
    """

    any_language = False

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        for name in ("edits", "propose"):
            if name in cls.__dict__ and not cls.any_language:
                setattr(cls, name, _in_english(cls.__dict__[name]))

    @property
    def skipped(self) -> dict[str, int]:
        """How many texts were left since they are not English."""
        number = len(self.__dict__.get("_left", ()))
        return {_OTHER: number} if number else {}

    def resources(self) -> dict[str, str]:
        """Name the tables."""
        return {"lexicons": shipped_tables()}


def _in_english(perturbs: _Perturbs) -> _Perturbs:
    """Let a method that lists edits or candidates list none for a text that is not English."""

    @wraps(perturbs)
    def listed(self: WithTables, example: Example, random: Random) -> Iterator[Any]:
        if all(english(text) for text in example.fields.values()):
            return perturbs(self, example, random)
        self.__dict__.setdefault("_left", set()).add(hash(tuple(example.fields.values())))
        return iter(())

    return listed


class Tagging(WithTables):
    """What goes by parts of speech as well, a constraint for instance; ``_pipeline`` is the tagger it is given."""

    _pipeline: Path | str | None = None

    def prepare(self, context: Context) -> None:
        """Let the tagger keep its tags in the store of the run."""
        tagger(self._pipeline).attach(context)

    def resources(self) -> dict[str, str]:
        """Name the tagger and the tables."""
        return {"tagger": tagger(self._pipeline).version, **super().resources()}

    @property
    def fallback(self) -> str:
        """Why a dictionary tags, where spaCy is not installed."""
        return tagger(self._pipeline).fallback


class WithTagger(Tagging):
    """A perturbation that goes by parts of speech."""

    def foresee(self, examples: Sequence[Example]) -> None:
        """Tag the texts of a block in batches."""
        tagger(self._pipeline).prepare(examples)
