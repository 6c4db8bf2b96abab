"""Base classes of this plugin's perturbations and constraints, which use the tagger and the shipped tables."""

from __future__ import annotations

import importlib.metadata
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim_texts import language_of, main_language
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text.lexicon import LEXICONS, files_hash
from robustfim_words.text.tokens import Tagged, Tokens, tokenise

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Editing", "Proposing", "Skipping", "Tagging", "WithTables", "WithTagger"]

_ENGLISH = "en"
_OTHER = "not English"


@cache
def _tables() -> str:
    """One hash of all tables of this package, and the version of the dictionary."""
    digest = files_hash(LEXICONS, *map(LEXICONS.with_name, ("stop_words.txt", "text_kinds", "tones")))
    return f"robustfim_words {digest}, lemminflect {importlib.metadata.version('lemminflect')}"


class Skipping:
    """A perturbation that counts, by reason, the texts that it leaves unchanged."""

    @cached_property
    def _left(self) -> dict[str, set[int]]:
        return {}

    def _leave(self, example: Example, reason: str) -> None:
        """Count a text that is left alone."""
        self._left.setdefault(reason, set()).add(hash(tuple(example.fields.values())))

    @property
    def skipped(self) -> dict[str, int]:
        """The number of texts that were left unchanged, by reason."""
        return {reason: len(texts) for reason, texts in self._left.items()}


class WithTables(Skipping):
    """A perturbation that reads the English tables of this package and leaves texts in other languages unchanged.

    Attributes:
        any_language: Whether the perturbation also fits texts in other languages.
    """

    any_language = False
    _main = _ENGLISH

    def prepare(self, context: Context) -> None:
        """Find the main language of the data, which is then assumed for texts too short to show their language."""
        if not self.any_language:
            self._main = main_language(context.examples, _ENGLISH)

    def resources(self) -> dict[str, str]:
        """Identify the tables, and the main language of the data unless it is English."""
        language = {} if self._main == _ENGLISH else {"main_language": self._main or "several"}
        return {"lexicons": _tables(), **language}

    def _fits(self, example: Example) -> bool:
        """Tell whether an example is in a language that the perturbation knows, and count it where it is not."""
        if self.any_language or all(language_of(text, self._main) == _ENGLISH for text in example.fields.values()):
            return True
        self._leave(example, _OTHER)
        return False

    def _read(self, example: Example) -> Tagged:
        """Return the tokens of each field."""
        return {field: tokenise(text) for field, text in example.fields.items()}


class Editing(WithTables, ABC):
    """A perturbation that lists edits. Each edit can be made alone."""

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the possible edits of an example, field by field."""
        if self._fits(example):
            for field, tokens in self._read(example).items():
                yield from self._edits(field, example.fields[field], tokens, random)

    @abstractmethod
    def _edits(self, field: str, text: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
        """List the edits of one field."""


class Proposing(WithTables, ABC):
    """A perturbation that proposes whole candidates, each with all its edits."""

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates of an example; none for a text in another language."""
        if self._fits(example):
            yield from self._candidates(example, random)

    @abstractmethod
    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """List the candidates of an example."""


class Tagging(WithTables):
    """Base class of perturbations and constraints that need the parts of speech of words."""

    _pipeline: Path | str | None = None

    def resources(self) -> dict[str, str]:
        """Identify the tagger and the tables."""
        return {"tagger": tagger(self._pipeline).version, **super().resources()}

    @property
    def fallback(self) -> str:
        """Why the tags come from a dictionary; empty if they come from spaCy."""
        return tagger(self._pipeline).fallback

    def _read(self, example: Example) -> Tagged:
        """Return the tagged tokens of each field."""
        return {field: tagger(self._pipeline).tag(text) for field, text in example.fields.items()}


class WithTagger(Tagging):
    """A perturbation that needs parts of speech."""

    def foresee(self, examples: Sequence[Example]) -> None:
        """Tag the texts of several examples together, which is faster than one by one."""
        tagger(self._pipeline).prepare_texts(text for example in examples for text in example.fields.values())
