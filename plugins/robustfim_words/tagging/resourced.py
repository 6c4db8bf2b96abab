"""What the perturbations and constraints of words work with beside their options: the tagger and the shipped tables."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path
from typing import TYPE_CHECKING

from robustfim_words.tagging.tagger import tagger
from robustfim_words.text.lexicon import LEXICONS, files_hash

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["WithTables", "WithTagger", "shipped_tables"]

_TABLES = ("collocations", "lexicons", "text_kinds", "tones", "stop_words.txt")
_SHIPPED = tuple(LEXICONS.parent / name for name in _TABLES)


def shipped_tables() -> str:
    """Name the tables of this package: one hash of all, since most perturbations read several, and lemminflect's."""
    return f"robustfim_words {files_hash(*_SHIPPED)}, lemminflect {importlib.metadata.version('lemminflect')}"


class WithTables:
    """A perturbation that reads tables of this package."""

    def resources(self) -> dict[str, str]:
        """Name the tables."""
        return {"lexicons": shipped_tables()}


class WithTagger(WithTables):
    """A perturbation or constraint that also goes by parts of speech; ``_pipeline`` is the tagger it is given."""

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
