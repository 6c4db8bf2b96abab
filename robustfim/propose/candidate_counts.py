"""The running counts of a check's candidates: accepted, rejected, failing and so on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from robustfim.printable import counted
from robustfim.record import CandidateCounts

__all__ = ["RunningCounts"]


@dataclass
class RunningCounts:
    """The running counts of a check's candidates; :class:`robustfim.record.CandidateCounts` explains each count."""

    edits: int = 0
    edits_rejected: Counter[str] = field(default_factory=Counter)
    proposed: int = 0
    unchanged: int = 0
    duplicate: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    undefined: int = 0
    not_applicable: int = 0
    outside: int = 0
    not_applicable_moved: int = 0
    tested: int = 0
    failed: int = 0
    unmoved: int = 0
    queries: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    """The expectation's reasons for not applying to candidates, with counts."""

    @property
    def judged(self) -> int:
        """The number of candidates about which the model was asked."""
        return self.undefined + self.tested + self.not_applicable

    def frozen(self) -> CandidateCounts:
        """Return the counts in the form of the record."""
        return CandidateCounts(**{name: count for name, count in vars(self).items() if name != "reasons"})

    def vacuous(self, name: str, examples: int, left_alone: Mapping[str, int]) -> str:
        """Return a sentence that explains why a check tested nothing."""
        if not self.proposed and not self.edits:
            alone = "".join(f"; {number:,} left alone: {reason}" for reason, number in left_alone.items())
            if left_alone and (rest := examples - sum(left_alone.values())) > 0:
                alone += f"; the other {rest:,} hold nothing that it changes"
            return f"tested nothing: {name!r} found nothing to change in {counted(examples, 'example')}{alone}."
        parts = {
            "edits rejected": self.edits_rejected.total(),
            "unchanged": self.unchanged,
            "rejected": self.rejected.total(),
            "not applicable": self.not_applicable - self.outside,
            "outside of what the model reads": self.outside,
        }
        reasons = self.edits_rejected + self.rejected
        most = f"; most often {reasons.most_common(1)[0][0]!r}" if reasons else ""
        most += f"; {self.reasons.most_common(1)[0][0]}" if self.reasons else ""
        return f"tested nothing: {', '.join(f'{number} {what}' for what, number in parts.items() if number)}{most}."
