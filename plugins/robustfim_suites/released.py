"""The source of checks ``released``: a test suite in its released file."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from robustfim.blame import blame
from robustfim.builtin import InOtherLabels
from robustfim.errors import DataError, UsageError, suggestions
from robustfim.parts import FormatPart
from robustfim.roles import Context, SourcedCheck, SuiteFormat
from robustfim.suite import Fraction
from robustfim_suites.label_groups import LabelGroups

__all__ = ["ReleasedTests", "checks_of_format", "sha256"]


class ReleasedTests:
    """The checks of a released test suite, read from the user's own copy of its file.

    ``robustfim import`` writes a suite file with these options.

    Args:
        format: The suite's format, by name or with its options: {use: advglue, task: sst2}.
        path: The file.
        sha256: The required SHA-256 of the file; null for no check.
        licence: The licence of the file, which is recorded but not enforced.
        labels: The model's label for each of the suite's labels: {hateful: hate}; or a list of several labels of the
            model.
        limit: Tolerated fraction of failing examples of a check without its own limit, in [0, 1]. Without a limit, a
            check can neither pass nor fail.
        limits: Limits of single checks, by name.
    """

    def __init__(
        self,
        format: SuiteFormat,  # the option's name
        path: Path,
        sha256: str | None = None,
        licence: str | None = None,
        labels: dict[str, str | list[str]] | None = None,
        limit: Fraction | None = None,
        limits: dict[str, Fraction] | None = None,
    ) -> None:
        if isinstance(format, list | dict):
            raise UsageError(f"'format' names one format, or {{use: NAME, …}}; not {format!r}.")
        self._format, self._path, self._sha256 = format, path, sha256
        if not isinstance(self._format, SuiteFormat):
            raise UsageError(
                f"{type(self._format).__name__} reads results, not tests: 'robustfim import' makes a record of them."
            )
        self._limit, self._limits = limit, limits or {}
        self.licence = licence or self._format.contract.licence
        self._groups = LabelGroups(self._format.contract.labels, labels or {})
        self.skipped: dict[str, int] = {}

    def checks(self) -> Iterable[SourcedCheck]:
        """Read the released suite's file, and return the checks in it.

        Raises:
            DataError: The file is missing or malformed, or its SHA-256 differs from ``sha256``.
            UsageError: ``limits`` names a check that the file does not have.
        """
        if self._sha256 is not None and (found := sha256(FormatPart(self._format).files(self._path))) != self._sha256:
            raise DataError(
                f"{self._path} is not the file that was imported: its sha256 is {found}, not {self._sha256}. "
                "Import the file again, or remove 'sha256' from the suite."
            )
        given = checks_of_format(self._format, self._path)
        names = {check.name for check in given}
        for name in self._limits:
            if name not in names:
                raise UsageError(
                    f"'limits' names the check {name!r}, which {self._path} does not have."
                    f"{suggestions(name, sorted(names))}"
                )
        skipped: Counter[str] = Counter()
        for check in given:
            texts = Counter(
                candidate.example.id
                for case in check.cases
                for candidate in case
                if check.tests_unchanged and not candidate.edits
            )
            skipped["repeated test case"] += texts.total() - len(texts)
        self.skipped = {reason: number for reason, number in skipped.items() if number}
        return [
            replace(
                check,
                expectation=InOtherLabels(check.expectation, self._groups),
                limit=self._limits.get(check.name, self._limit),
            )
            for check in given
        ]

    def prepare(self, context: Context) -> None:
        """Match the labels of the suite with the model's labels.

        Raises:
            DataError: A label of the suite has no label of the model.
        """
        self._groups.bind(context.model.labels)


def checks_of_format(form: SuiteFormat, path: Path) -> Sequence[SourcedCheck]:
    """Read a released suite with a format, and return its checks.

    Raises:
        RobustfimError: The format reports an error in the file.
        PluginError: The format raised another exception.
    """
    with blame(f"suite format {type(form).__name__}"):
        return list(form.read(path))


def sha256(files: Sequence[Path]) -> str:
    """Return the SHA-256 of a file, or of several files together.

    The hash of several files is the SHA-256 of their hexadecimal hashes, joined by line breaks.

    Args:
        files: The files, at least one.

    Raises:
        DataError: A file cannot be read.
    """
    hashes = []
    for path in files:
        try:
            hashes.append(hashlib.sha256(path.read_bytes()).hexdigest())
        except OSError as error:
            raise DataError(f"{path} cannot be read: {error.strerror or error}.") from None
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("\n".join(hashes).encode()).hexdigest()
