"""The reducers that come with robustfim, which decide from failing candidates whether an example fails."""

from __future__ import annotations

__all__ = ["AllFail", "AnyFails", "AtMost", "MeanShare", "Share"]


class AnyFails:
    """An example fails if any of its candidates fails."""

    def fails(self, failed: int, tested: int) -> bool:
        """Fail if any candidate failed."""
        return failed > 0


class AllFail:
    """An example fails if all of its candidates fail."""

    def fails(self, failed: int, tested: int) -> bool:
        """Fail if no candidate passed."""
        return failed == tested


class AtMost:
    """An example fails if more than a given number of its candidates fail.

    Args:
        limit: The number of failing candidates at which the example still passes, ≥ 0.
    """

    def __init__(self, limit: int) -> None:
        if limit < 0:
            raise ValueError(f"at_most must be 0 or more, not {limit}")
        self.limit = limit

    def fails(self, failed: int, tested: int) -> bool:
        """Fail if the number of failing candidates is larger than the limit."""
        return failed > self.limit


class Share:
    """An example fails if more than a given fraction of its candidates fail.

    Args:
        limit: The fraction of failing candidates at which the example still passes, 0 ≤ limit < 1.
    """

    def __init__(self, limit: float) -> None:
        if not 0 <= limit < 1:
            raise ValueError(f"share must lie in [0, 1), not {limit}")
        self.limit = limit

    def fails(self, failed: int, tested: int) -> bool:
        """Fail if the fraction of failing candidates is larger than the limit."""
        return failed / tested > self.limit


class MeanShare:
    """An example counts with the fraction of its candidates that fail; the rate of a check is the mean fraction."""

    def fails(self, failed: int, tested: int) -> float:
        """Return the fraction of failing candidates."""
        return failed / tested
