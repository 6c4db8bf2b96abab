"""Outcomes of a check, exit codes of a run."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, StrEnum
from typing import Literal

__all__ = ["BY_URGENCY", "ExitCode", "FailOn", "Inconclusive", "Outcome", "settled", "worst"]

Inconclusive = Literal["fail", "pass"]
"""What ``--inconclusive`` makes of exit code 6: 1 or 0."""

FailOn = Literal["regression", "new", "any"]
"""What fails a run that has a baseline."""


class Outcome(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    """The failure rate lies below the limit, with its interval."""
    FAILED = "failed"
    """The failure rate lies above the limit, with its interval."""
    INCONCLUSIVE = "inconclusive"
    """The interval holds the limit: more examples would decide."""
    MEASURED = "measured"
    """It has no limit: the rate is told, and gates nothing."""
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
"""Outcomes, those to look at first."""


class ExitCode(IntEnum):
    """The exit codes of ``robustfim``: pytest's, and 6."""

    OK = 0
    """Everything that has a limit is proved."""
    FAILED = 1
    """Something is proved to fail, or broke."""
    INTERRUPTED = 2
    """The user stopped the run; what was computed is kept."""
    INTERNAL_ERROR = 3
    """A defect in robustfim itself."""
    USAGE = 4
    """The command line, the suite or the data is wrong."""
    NOTHING_COLLECTED = 5
    """No example or no check was left to run."""
    INCONCLUSIVE = 6
    """Nothing is proved to fail, and something that has a limit, or a margin, is not proved to hold it."""


_WORST_FIRST = (
    ExitCode.INTERRUPTED,
    ExitCode.INTERNAL_ERROR,
    ExitCode.USAGE,
    ExitCode.FAILED,
    ExitCode.NOTHING_COLLECTED,
    ExitCode.INCONCLUSIVE,
    ExitCode.OK,
)
"""Which exit code several suites have together; 5 before 6, or a CI that allows 6 lets an empty run through."""


def worst(codes: Sequence[ExitCode]) -> ExitCode:
    """Return the exit code that several runs have together.

    Args:
        codes: At least one.
    """
    return min(codes, key=_WORST_FIRST.index)


def settled(code: ExitCode, inconclusive: Inconclusive | None) -> ExitCode:
    """Return the exit code with what is wanted of an inconclusive run.

    Args:
        code: What the outcomes give.
        inconclusive: ``--inconclusive``: ``fail`` makes 6 a 1, ``pass`` makes it a 0; None leaves it.
    """
    if code is not ExitCode.INCONCLUSIVE or inconclusive is None:
        return code
    return ExitCode.FAILED if inconclusive == "fail" else ExitCode.OK
