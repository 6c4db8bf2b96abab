"""Gating data: the texts that judge a release, identified by hashes. Models must not be trained on them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from robustfim.commands import Chosen
from robustfim.errors import DataError, UsageError
from robustfim.example import Example, content_id
from robustfim.record import Record, read_versioned
from robustfim.select import LOCK, LockFile

__all__ = ["USUAL", "Gating", "usual_files"]

USUAL = ("baselines/**/*.json", "reports/**/results.json")
"""Where a project keeps what it gates by."""

_SUITES = (".yaml", ".yml")
_SHOWN = 5


@dataclass(frozen=True)
class Gating:
    """The texts of gating data: data by which models are tested before release, so never to be trained on.

    Attributes:
        files: The files from which the texts were read.
        examples: The number of examples.
        hashes: Hashes of the contents of the examples and of their perturbed texts, each with and without the names of
            the text fields.
    """

    files: tuple[Path, ...] = ()
    examples: int = 0
    hashes: frozenset[str] = field(default=frozenset(), repr=False)

    @classmethod
    def read(cls, paths: Sequence[Path], chosen: Chosen | None = None) -> Gating:
        """Read the texts of gating data, the data by which models are tested before release.

        Args:
            paths: Run records (such as a baseline), lock files, and suites, whose data is loaded.
            chosen: The options of the command, for the suites.

        Raises:
            UsageError: A file is missing or of another kind.
        """
        ids: set[str] = set()
        hashes: set[str] = set()
        for path in paths:
            if path.suffix in _SUITES:
                found = _suite(path, chosen or Chosen())
                ids |= {content_id(fields) for fields in found}
                hashes |= _hashes(found)
            elif _is_lock(path):
                lock = read_versioned(path, LockFile, key="lock", version=LOCK, what="lock file", hint="")
                ids |= set(lock.arms)
                made = (
                    candidate
                    for check in lock.checks.values()
                    for own in check.candidates.values()
                    for candidate in own
                )
                hashes |= {*lock.arms, *(candidate.id for candidate in made)}
            else:
                record = Record.load(path)
                hashes |= _hashes([failure.fields for failure in record.failures])
                for example in record.every_example():
                    ids.add(example.id)
                    hashes |= {example.id, *_hashes([example.fields])}
        return cls(tuple(paths), len(ids), frozenset(hashes))

    @classmethod
    def of(cls, examples: Iterable[Example]) -> Gating:
        """Make gating data from examples."""
        found = {example.id: example.fields for example in examples}
        return cls((), len(found), frozenset(_hashes(found.values())))

    def __contains__(self, example: Example) -> bool:
        """Whether an example is among them, whatever its label and the names of its fields."""
        return not self.hashes.isdisjoint((example.id, _nameless(example.fields)))

    def told(self) -> str:
        """Return a sentence that names the gating data with which training data is compared."""
        if not self.files:
            return "compared with no gating data: there is none in baselines or reports, and --gating names none"
        return f"compared with {self.examples:,} gating examples of {self._names()}"

    def without(self, examples: Sequence[Example], *, drop: bool = False) -> list[Example]:
        """Return training data without gating data (test data of a release), or raise an error if there is any.

        Args:
            examples: The training examples.
            drop: Whether examples that are gating data are left out instead of refused.

        Returns:
            The training examples that are not gating data.

        Raises:
            DataError: Some examples are gating data; with ``drop``, all are.
        """
        kept = [example for example in examples if example not in self]
        number = len(examples) - len(kept)
        if number and (not drop or not kept):
            first = next(example.id for example in examples if example in self)
            way = "--drop leaves them out." if kept else "Train on other data."
            raise DataError(
                f"{number:,} of {len(examples):,} training examples are used for gating, such as {first}, in "
                f"{self._names()}: do not train on examples that judge a release. {way}"
            )
        return kept

    def _names(self) -> str:
        shown = ", ".join(str(path) for path in self.files[:_SHOWN])
        return shown if len(self.files) <= _SHOWN else f"{shown} and {len(self.files) - _SHOWN} more files"


def usual_files(folder: Path) -> list[Path]:
    """Return the paths of a project's gating data: its baselines, and the records of its last runs."""
    return [path for pattern in USUAL for path in sorted(folder.glob(pattern))]


def _hashes(texts: Iterable[Mapping[str, str]]) -> set[str]:
    return {each for fields in texts for each in (content_id(fields), _nameless(fields))}


def _nameless(fields: Mapping[str, str]) -> str:
    """Hash texts without the names of their fields, which a file of training data may call otherwise."""
    return content_id({str(place): text for place, text in enumerate(sorted(fields.values()))})


def _is_lock(path: Path) -> bool:
    """Whether a file is a lock file; what cannot be read is left to the reader of records, who says why."""
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(raw, dict) and "lock" in raw and "schema" not in raw


def _suite(path: Path, chosen: Chosen) -> list[Mapping[str, str]]:
    """Load the data of a suite."""
    data = replace(chosen, model=(), data=(), override=()).model_and_data(path)[0].data
    if data is None:
        raise UsageError(f"the suite {path} names no data. Name the results.json of a run of the suite instead.")
    return [each.fields for each in data.make().load()]
