"""The account of a check: what became of its candidates, so far."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from robustfim.record import CandidateCounts

__all__ = ["Account"]


@dataclass
class Account:
    """Running counts of candidates; see :class:`robustfim.record.CandidateCounts`."""

    edits: int = 0
    edits_rejected: Counter[str] = field(default_factory=Counter)
    proposed: int = 0
    unchanged: int = 0
    duplicate: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    undefined: int = 0
    not_applicable: int = 0
    tested: int = 0
    failed: int = 0
    unmoved: int = 0
    queries: int = 0

    def counts(self) -> CandidateCounts:
        """Freeze the counts for the record."""
        return CandidateCounts(**vars(self))
