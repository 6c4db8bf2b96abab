"""The reducers that come with robustfim: they decide from failing candidates whether an example fails."""

from __future__ import annotations

__all__ = ["AllFail", "AnyFails", "AtMost", "MeanShare", "Share"]


class AnyFails:
    """One failing candidate fails the example."""

    def fails(self, failed: int, tested: int) -> bool:
        """Fail if any candidate failed."""
        return failed > 0


class AllFail:
    """Only an example all of whose candidates fail does."""

    def fails(self, failed: int, tested: int) -> bool:
        """Fail if no candidate passed."""
        return failed == tested


class AtMost:
    """So many failing candidates of an example are borne; one more fails it.

    Args:
        limit: Failing candidates that are borne, ≥ 0.
    """

    def __init__(self, limit: int) -> None:
        if limit < 0:
            raise ValueError(f"at_most must be 0 or more, not {limit}")
        self.limit = limit

    def fails(self, failed: int, tested: int) -> bool:
        """Fail beyond the limit."""
        return failed > self.limit


class Share:
    """This share of an example's candidates may fail; more of them fail it.

    Args:
        limit: The share that is borne, 0 ≤ limit < 1.
    """

    def __init__(self, limit: float) -> None:
        if not 0 <= limit < 1:
            raise ValueError(f"share must lie in [0, 1), not {limit}")
        self.limit = limit

    def fails(self, failed: int, tested: int) -> bool:
        """Fail if the fraction is larger than the limit."""
        return failed / tested > self.limit


class MeanShare:
    """An example fails by the share of its candidates that fail; the rate of a check is their mean."""

    def fails(self, failed: int, tested: int) -> float:
        """Return the fraction of failing candidates."""
        return failed / tested
