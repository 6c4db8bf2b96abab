"""Outcomes of a check, and exit codes of a run."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, StrEnum
from typing import Literal

__all__ = ["BY_URGENCY", "ExitCode", "FailOn", "Inconclusive", "Outcome", "settled", "worst"]

Inconclusive = Literal["fail", "pass"]
"""The exit code of an inconclusive run under ``--inconclusive``: 1 or 0 in place of 6."""

FailOn = Literal["regression", "new", "any"]
"""When a run with a baseline fails."""


class Outcome(StrEnum):
    """The outcomes that a check can have."""

    PASSED = "passed"
    """The failure rate lies below the limit, with its whole interval."""
    FAILED = "failed"
    """The failure rate lies above the limit, with its whole interval."""
    INCONCLUSIVE = "inconclusive"
    """The interval contains the limit: more examples would decide."""
    MEASURED = "measured"
    """The check has no limit: its rate is reported, and cannot fail a run."""
    ERROR = "error"
    """A plugin or the model broke, or the check tested nothing."""
    SKIPPED = "skipped"
    """The suite said ``skip``, or a resource is missing."""
    XFAILED = "xfailed"
    """Failed, as the suite's ``xfail`` said it would."""
    XPASSED = "xpassed"
    """Passed, though the suite's ``xfail`` said it would fail."""


BY_URGENCY = (
    Outcome.FAILED,
    Outcome.ERROR,
    Outcome.XPASSED,
    Outcome.INCONCLUSIVE,
    Outcome.XFAILED,
    Outcome.MEASURED,
    Outcome.SKIPPED,
    Outcome.PASSED,
)
"""Outcomes, the most urgent first."""


class ExitCode(IntEnum):
    """The exit codes of ``robustfim``: pytest's exit codes 0 to 5, and 6 for an inconclusive run."""

    OK = 0
    """Every limit is proved to hold."""
    FAILED = 1
    """A check is proved to fail, or is an error."""
    INTERRUPTED = 2
    """The user stopped the run; the results until then are kept."""
    INTERNAL_ERROR = 3
    """A defect in robustfim itself."""
    USAGE = 4
    """The command line, the suite or the data is wrong."""
    NOTHING_COLLECTED = 5
    """No example or no check is left to run."""
    INCONCLUSIVE = 6
    """Nothing is proved to fail, but a limit or a margin is not proved to hold."""


_WORST_FIRST = (
    ExitCode.INTERRUPTED,
    ExitCode.INTERNAL_ERROR,
    ExitCode.USAGE,
    ExitCode.FAILED,
    ExitCode.NOTHING_COLLECTED,
    ExitCode.INCONCLUSIVE,
    ExitCode.OK,
)
"""The exit codes by rank, to combine several suites; 5 is before 6, or a CI that allows 6 would accept an empty run."""


def worst(codes: Sequence[ExitCode]) -> ExitCode:
    """Return the exit code for several runs together: the first of 2, 3, 4, 1, 5, 6, 0 that occurs.

    Args:
        codes: At least one exit code.
    """
    return min(codes, key=_WORST_FIRST.index)


def settled(code: ExitCode, inconclusive: Inconclusive | None) -> ExitCode:
    """Return the exit code after applying the option ``--inconclusive``.

    Args:
        code: The exit code of the run.
        inconclusive: The value of the option: ``fail`` turns 6 into 1, ``pass`` turns 6 into 0; None keeps 6.
    """
    if code is not ExitCode.INCONCLUSIVE or inconclusive is None:
        return code
    return ExitCode.FAILED if inconclusive == "fail" else ExitCode.OK
