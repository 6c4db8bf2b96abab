"""The lock file: the stored perturbed texts of a suite, so that two models see the same inputs.

Without a lock file, the model decides which examples are difficult and in which order texts are tried, and word lists
may change between releases.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from robustfim.candidate import Candidate, Edit
from robustfim.collect.spool import Examples
from robustfim.errors import ModelError, UsageError, shown
from robustfim.example import Example
from robustfim.record import WITHOUT_NUMBERS
from robustfim.record.versioned_file import read_versioned
from robustfim.whole_file import write_whole, writing

__all__ = ["LOCK", "LockFile", "LockedCandidate", "LockedCheck"]

LOCK = 1
"""The version of the format; a reader refuses a newer one."""

_ANEW = "Lock the suite anew with 'robustfim lock'."


Id = Annotated[str, StringConstraints(pattern="^[0-9a-f]+$")]
"""A content hash."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True)


class LockedCandidate(_Part):
    """A perturbed text, given by its edits."""

    id: Id
    """The content hash of the perturbed example."""
    edits: list[tuple[str, int, int, str, str, str]]
    """Field, start, end, before, after and origin of each edit."""


class LockedCheck(_Part):
    """The perturbed texts of one check."""

    settings: dict[str, Any]
    """The check's ``perturb`` and ``constrain`` settings when it was locked."""
    resources: dict[str, str] = {}
    """Other resources of the texts: taggers, lexicons, files, with a version or a hash each."""
    candidates: dict[Id, list[LockedCandidate]]
    """The candidates by the id of the source example."""


class LockFile(_Part):
    """A file with the selected examples and perturbed texts of a suite, so that several models get equal texts.

    Checks that move embeddings are not in the file, since each model has different embeddings.
    """

    version: int = Field(default=LOCK, alias="lock")
    suite: str
    seed: int
    arms: dict[Id, str]
    """Example id to arm or stratum."""
    examples: int
    """Usable examples of the data from which the arms or strata were drawn."""
    strata: dict[str, int] = {}
    """Examples of the data in each stratum; empty without strata."""
    by: str | None = None
    """The score that chose the difficult arm, or made the strata."""
    checks: dict[str, LockedCheck] = {}
    """The checks by name."""

    def dump(self, path: Path) -> Path:
        """Write the file.

        Raises:
            UsageError: The file cannot be written.
        """
        plain = self.model_dump(mode="json", by_alias=True)
        with writing(f"the lock file {path}"):
            text = json.dumps(plain, indent=1, ensure_ascii=True, allow_nan=False)
            return write_whole(path, f"{text}\n".encode())

    @classmethod
    def load(cls, path: Path, suite: str) -> LockFile:
        """Read a lock file.

        Raises:
            UsageError: The file is missing, malformed, of another suite, or written by a newer robustfim.
        """
        hint = "'robustfim lock SUITE' writes one."
        lock = read_versioned(path, cls, key="lock", version=LOCK, what="lock file", hint=hint)
        if lock.suite != suite:
            raise UsageError(f"the lock file {path} belongs to suite {lock.suite!r}, not to suite {suite!r}.")
        return lock

    @property
    def fingerprint(self) -> str:
        """The hash of everything in the file, 12 hexadecimal digits."""
        plain = json.dumps(self.model_dump(mode="python"), sort_keys=True)  # half of a surrogate pair has an escape
        return hashlib.blake2b(plain.encode(), digest_size=6).hexdigest()

    @staticmethod
    def locked(candidates: Sequence[Candidate]) -> list[LockedCandidate]:
        """Convert candidates to the form in which the file stores them."""
        return [
            LockedCandidate(
                id=candidate.example.id,
                edits=[(e.field, e.start, e.end, e.before, e.after, e.origin) for e in candidate.edits],
            )
            for candidate in candidates
        ]

    def tested(self, examples: Examples, usable: Container[str]) -> Mapping[str, str]:
        """Return the ids of the examples to test, each with its group (arm).

        Raises:
            UsageError: The data lack a locked example.
            ModelError: The model gave no finite numbers for a locked example.
        """
        loaded = {id for id in examples.ids() if id in self.arms}
        gone = [arm for arm in self.arms if arm not in loaded]
        lost = [arm for arm in self.arms if arm not in usable]
        if lost and not gone:
            raise ModelError(
                f"{WITHOUT_NUMBERS} for {len(lost)} of the {len(self.arms)} examples of the lock file (the first is "
                f"{lost[0]}), so that the locked run cannot be repeated on this model."
            )
        if gone:
            raise UsageError(
                f"the data no longer hold {len(gone)} of the {len(self.arms)} examples of the lock file (the "
                f"first is {gone[0]}). Use the data that the lock file was made with. {_ANEW}"
            )
        return self.arms

    def verify(self, check: str, settings: Mapping[str, Any]) -> None:
        """Raise an error if a check's settings differ from those with which the file was written.

        Raises:
            UsageError: The file lacks the check, or its settings differ.
        """
        if check not in self.checks:
            raise UsageError(f"check {shown(check)} is not in the lock file. {_ANEW}")
        if self.checks[check].settings != settings:
            raise UsageError(f"check {shown(check)} has other settings than in the lock file. {_ANEW}")

    def differences(self, check: str, resources: Mapping[str, str]) -> list[str]:
        """List the resources, such as word lists, that changed since a check's texts were written to the file.

        Args:
            check: The name of the check; a check that is not in the file has no differences.
            resources: Name to version of the resources of this installation.
        """
        locked = self.checks[check].resources if check in self.checks else resources
        return [
            f"{check}: its locked texts were made with {name} {locked.get(name, 'not named')}; here it is "
            f"{resources.get(name, 'not named')}."
            for name in dict.fromkeys([*locked, *resources])
            if locked.get(name) != resources.get(name)
        ]

    def candidates(self, check: str, settings: Mapping[str, Any], example: Example) -> list[Candidate]:
        """Return the stored perturbed texts of one example.

        Raises:
            UsageError: The file lacks the check, its settings differ, or a text does not match.
        """
        self.verify(check, settings)
        made = []
        for locked in self.checks[check].candidates.get(example.id, []):
            try:
                candidate = Candidate(example, tuple(Edit(*edit) for edit in locked.edits))
            except ValueError as error:
                raise UsageError(
                    f"check {shown(check)}: the lock file does not match the example {example.id}: {error}. {_ANEW}"
                ) from None
            if candidate.example.id != locked.id:
                raise UsageError(
                    f"check {shown(check)}: a text made from {example.id} does not match its hash in the lock "
                    f"file. {_ANEW}"
                )
            made.append(candidate)
        return made
