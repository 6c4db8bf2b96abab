"""The source of checks ``checklist``: the tests of a CheckList file."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from robustfim.builtin import InOtherLabels
from robustfim.candidate import Candidate
from robustfim.errors import DataError, UsageError, suggestions
from robustfim.roles import Context, Expectation, SourcedCheck
from robustfim.suite import Fraction
from robustfim_checklist.cases import Cases
from robustfim_checklist.expected import Untold, expected
from robustfim_checklist.lines import TestLine, read_lines
from robustfim_checklist.naming import Naming
from robustfim_checklist.reading import Reading

__all__ = ["CheckListTests", "plain_name", "sourced"]

_REMEDY = " 'labels: [first, second, …]' says what the numbers stand for, 'labels: {old: new}' renames texts."


class CheckListTests:
    """The tests of a CheckList file (Ribeiro et al. 2020): JSON lines of {type, capability, name, labels, data}.

    An MFT requires a label, an INV the label of the source, and a DIR that a probability does not move in the wrong
    direction. If the tests have three labels and the model two classes, a positive probability between 1/3 and 2/3
    counts as neutral, as in CheckList's notebooks.

    Args:
        path: The file.
        labels: Names for the labels 0, 1, … (a list), or new names for some (a mapping). By default numbers mean the
            labels of CheckList's sentiment suite: 0 negative, 1 neutral, 2 positive.
        neutral: Whether a two-class model may answer neutral.
        fields: The text fields of an example; with several, each example of the file is a list of as many texts.
        expect: Expectations of tests, by the test's name. For a DIR, give the options of directional: {add thanks:
            {label: positive, direction: up, tolerance: 0.1, against: negative}}; for an MFT {label: [neutral,
            positive]}; for an INV {tolerance: 0.1}; for any test where: {original: [negative, positive]}.
        tolerance: An INV passes in spite of a changed label if the probability of the old label fell by at most this
            number. CheckList's own INV has 0.1.
        limit: Tolerated fraction of test cases with a failing text, in [0, 1]. Without a limit, a test can neither pass
            nor fail.
        limits: Limits of single tests, by the names of tests or checks.
        sha256: The required SHA-256 of the file; null for no check.
        licence: The licence of the file, which is recorded but not enforced.

    Attributes:
        skipped: The number of cases and texts left out, by reason, after a call of ``checks``.
        untold: The names of the tests without an expectation. Their checks are errors until ``expect`` gives one.
    """

    def __init__(
        self,
        path: Path,
        labels: list[str] | dict[str, str] | None = None,
        neutral: bool = True,
        fields: list[str] | None = None,
        expect: dict[str, dict[str, Any]] | None = None,
        tolerance: Annotated[float, Field(ge=0, lt=1)] = 0.0,
        limit: Fraction | None = None,
        limits: dict[str, Fraction] | None = None,
        sha256: str | None = None,
        licence: str | None = None,
    ) -> None:
        self._path, self._labels, self._neutral, self._sha256 = path, labels, neutral, sha256
        self.licence = licence
        self._fields = fields or ["text"]
        self._expect, self._limits = expect or {}, limits or {}
        self._tolerance = tolerance
        self._limit = limit
        self._reading: Reading | None = None
        self.skipped: dict[str, int] = {}
        self.untold: list[str] = []
        if len(set(self._fields)) < len(self._fields):
            raise UsageError(f"'fields' names one twice: {', '.join(self._fields)}.")

    def checks(self) -> Iterable[SourcedCheck]:
        """Read the CheckList file, and return the tests in it as checks.

        Raises:
            DataError: The file is missing or malformed, or an expectation is malformed.
            UsageError: An option names a test that the file does not have.
        """
        tests = read_lines(self._path)
        self._require_same()
        self._require_known(tests)
        naming, cases = Naming(self._labels, tests), Cases(self._fields)
        self._reading = Reading(naming.names, naming.used, neutral=self._neutral, remedy=_REMEDY)
        taken: dict[str, str] = {}
        made = []
        for test in tests:
            name = plain_name(test.name, test.place)
            if taken.setdefault(name, test.place) != test.place:
                raise DataError(
                    f"{test.place}: the test name {test.name!r} differs from the name at {taken[name]} in punctuation "
                    "only. Rename one of the two tests."
                )
            candidates = cases.read(test, naming.of_cases(test))
            if not candidates:  # one odd test of a suite of hundreds is left out, and counted
                continue
            made.append((test, name, candidates, *expected(test, self._expect.get(test.name), naming, self._tolerance)))
        if not made:
            raise DataError(f"{self._path}: no test of this file has a text to test.")
        self.skipped = {reason: number for reason, number in cases.skipped.items() if number}
        self.untold = [test.name for test, _, _, expectation, _ in made if isinstance(expectation, Untold)]
        return [
            sourced(
                name,
                test.type,
                test.capability,
                candidates,
                InOtherLabels(expectation, self._reading),
                told,
                self._limit_of(name, test),
            )
            for test, name, candidates, expectation, told in made
        ]

    def _limit_of(self, name: str, test: TestLine) -> float | None:
        own = self._limit if test.limit is None else test.limit
        return self._limits.get(test.name, self._limits.get(name, own))

    def prepare(self, context: Context) -> None:
        """Match the labels of the tests with the model's labels."""
        if self._reading is not None:
            self._reading.bind(context.model.labels)

    def _require_same(self) -> None:
        if self._sha256 is None:
            return
        found = hashlib.sha256(self._path.read_bytes()).hexdigest()
        if found != self._sha256:
            raise DataError(
                f"{self._path} is not the file that was imported: its sha256 is {found}, not {self._sha256}. "
                "Import the file again, or remove 'sha256' from the suite."
            )

    def _require_known(self, tests: Sequence[TestLine]) -> None:
        names = {test.name for test in tests}
        checks = {plain_name(test.name, test.place) for test in tests}
        for option, given, known in (("expect", self._expect, names), ("limits", self._limits, names | checks)):
            for name in given:
                if name not in known:
                    raise UsageError(
                        f"{option!r} names the test {name!r}, which {self._path} does not have."
                        f"{suggestions(name, sorted(names))}"
                    )


def sourced(
    name: str,
    kind: Literal["MFT", "INV", "DIR"],
    capability: str,
    cases: Sequence[Sequence[Candidate]],
    expectation: Expectation,
    told: Mapping[str, Any],
    limit: float | None,
) -> SourcedCheck:
    """Make the check of a test, marked with its type and its capability: ``Temporal order`` is ``Temporal_order``."""
    word = re.sub(r"\W", "_", capability)
    return SourcedCheck(
        name=name,
        cases=cases,
        expectation=expectation,
        expect=told,
        tests_unchanged=kind == "MFT",
        limit=limit,
        marks=[kind, word if word.isidentifier() else f"_{word}"],
        capability=capability,
        type=kind,
    )


def plain_name(name: str, place: str) -> str:
    """Return a test's name as the name of a check: ``add positive phrases`` becomes ``add_positive_phrases``.

    Args:
        name: The name of a test.
        place: ``file:line``, for the message.

    Raises:
        DataError: The name has neither letters nor digits.
    """
    plain = re.sub(r"[^A-Za-z0-9_.\-]+", "_", name).strip("_.-")
    if not plain:
        raise DataError(f"{place}: the test name {name!r} needs at least one letter (a-z) or digit.")
    return plain
