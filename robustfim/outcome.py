"""Outcomes of a check, exit codes of a run."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, StrEnum

__all__ = ["ExitCode", "Outcome", "worst"]


class Outcome(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    """The failure rate lies below the limit, with its interval."""
    FAILED = "failed"
    """The failure rate lies above the limit, with its interval."""
    INCONCLUSIVE = "inconclusive"
    """The interval holds the limit: more examples would decide."""
    ERROR = "error"
    """A plugin or the model broke, or the check tested nothing."""
    SKIPPED = "skipped"
    """The suite said ``skip``, or a resource is missing."""
    XFAILED = "xfailed"
    """Failed, as the suite's ``xfail`` said it would."""
    XPASSED = "xpassed"
    """Passed, though the suite's ``xfail`` said it would fail."""


class ExitCode(IntEnum):
    """The exit codes of ``robustfim``, which are pytest's."""

    OK = 0
    """Every check passed."""
    FAILED = 1
    """robustfim worked and found failures, or a check is an error."""
    INTERRUPTED = 2
    """The user stopped the run; what was computed is kept."""
    INTERNAL_ERROR = 3
    """A defect in robustfim itself."""
    USAGE = 4
    """The command line, the suite or the data is wrong."""
    NOTHING_COLLECTED = 5
    """No example or no check was left to run."""


_WORST_FIRST = (
    ExitCode.INTERRUPTED,
    ExitCode.INTERNAL_ERROR,
    ExitCode.USAGE,
    ExitCode.FAILED,
    ExitCode.NOTHING_COLLECTED,
    ExitCode.OK,
)
"""Which exit code several suites have together."""


def worst(codes: Sequence[ExitCode]) -> ExitCode:
    """Return the exit code that several runs have together.

    Args:
        codes: At least one.
    """
    return min(codes, key=_WORST_FIRST.index)
