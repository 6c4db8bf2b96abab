"""Base classes of this plugin's perturbations and constraints, which use the tagger and the shipped tables."""

from __future__ import annotations

import hashlib
import importlib.metadata
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim_texts import language_of, main_language
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text.lexicon import LEXICONS, files_hash, read_pairs
from robustfim_words.text.tokens import Token, tokenise

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Editing", "Proposing", "Tagging", "WithTables", "WithTagger", "named_tables", "shipped_tables"]

_PACKAGE = LEXICONS.parent
_CLASSES = LEXICONS / "classes.tsv"
_IMPORT = re.compile(r"from robustfim_words\.([\w.]+) import (\([^)]*\)|.*)")
_ENGLISH = "en"
_OTHER = "not English"


def named_tables(cls: type) -> list[Path | tuple[str, str]]:
    """Find the word tables of this package that a perturbation class reads.

    A class reads a table if the class's module, or a module that it imports, names the table.

    Returns:
        The paths of the tables. Of ``classes.tsv``, only the rows that the class reads.
    """
    found: dict[Path, frozenset[str]] = {}
    left = [Path(getattr(sys.modules[base.__module__], "__file__", None) or "") for base in cls.__mro__]
    while left:
        if (path := left.pop()) not in found and path.is_file():
            found[path], imported = _named(path)
            left += imported
    named = frozenset[str]().union(*found.values())
    return [table for table in _tables() if (table.name if isinstance(table, Path) else table[0]) in named]


def shipped_tables(cls: type) -> str:
    """Return a string with one hash of all tables that a class reads, and the version of lemminflect."""
    tables = [files_hash(table) if isinstance(table, Path) else table for table in named_tables(cls)]
    digest = hashlib.sha256(repr(tables).encode()).hexdigest()[:12]
    return f"robustfim_words {digest}, lemminflect {importlib.metadata.version('lemminflect')}"


@cache
def _tables() -> list[Path | tuple[str, str]]:
    files = sorted(path for form in ("*.txt", "*/*.txt", "*/*.tsv") for path in _PACKAGE.glob(form) if path != _CLASSES)
    return [*files, *read_pairs(_CLASSES, ("class", "words")).items()]


@cache
def _named(path: Path) -> tuple[frozenset[str], list[Path]]:
    """Find the tables that a source names, and the sources that it imports."""
    source = path.read_text(encoding="utf-8")
    imported = []
    for place, names in _IMPORT.findall(source):
        stem = _PACKAGE.joinpath(*place.split("."))
        imported += [stem.with_suffix(".py"), *(stem / f"{name}.py" for name in re.findall(r"\w+", names))]
    known = (table.name if isinstance(table, Path) else table[0] for table in _tables())
    return frozenset(name for name in known if f'"{name}"' in source), imported


class WithTables:
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

    @property
    def skipped(self) -> dict[str, int]:
        """A mapping from the reason "not English" to the number of unchanged texts; empty if there are none."""
        number = len(self.__dict__.get("_left", ()))
        return {_OTHER: number} if number else {}

    def resources(self) -> dict[str, str]:
        """Identify the tables, and the main language of the data unless it is English."""
        language = {} if self._main == _ENGLISH else {"main_language": self._main or "several"}
        return {"lexicons": shipped_tables(type(self)), **language}

    def _fits(self, example: Example) -> bool:
        """Tell whether an example is in a language that the perturbation knows, and count it where it is not."""
        if self.any_language or all(language_of(text, self._main) == _ENGLISH for text in example.fields.values()):
            return True
        self.__dict__.setdefault("_left", set()).add(hash(tuple(example.fields.values())))
        return False

    def _read(self, example: Example) -> dict[str, tuple[Token, ...]]:
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
    def _edits(self, field: str, text: str, tokens: Sequence[Token], random: Random) -> Iterator[Edit]:
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

    def prepare(self, context: Context) -> None:
        """Attach the tagger to the run, so that the run's store keeps the tags."""
        super().prepare(context)
        tagger(self._pipeline).attach(context)

    def resources(self) -> dict[str, str]:
        """Identify the tagger and the tables."""
        return {"tagger": tagger(self._pipeline).version, **super().resources()}

    @property
    def fallback(self) -> str:
        """Why the tags come from a dictionary; empty if they come from spaCy."""
        return tagger(self._pipeline).fallback

    def _read(self, example: Example) -> dict[str, tuple[Token, ...]]:
        """Return the tagged tokens of each field."""
        return {field: tagger(self._pipeline).tag(text) for field, text in example.fields.items()}


class WithTagger(Tagging):
    """A perturbation that needs parts of speech."""

    def foresee(self, examples: Sequence[Example]) -> None:
        """Tag the texts of several examples together, which is faster than one by one."""
        tagger(self._pipeline).prepare(examples)
