"""Claims: a list of all comparisons of a run's rates with limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.estimate import Compared, Estimate, ValidEstimate
from robustfim.judge.strata import held_strata, whole_estimate
from robustfim.outcome import Outcome
from robustfim.record import ArmRecord, ClaimRecord
from robustfim.statistics import Rate, Tail
from robustfim.statistics.rate import LEVEL, limit_of_answered
from robustfim.statistics.validity import ReviewCounts

__all__ = ["Claim", "claims_of", "claims_of_check"]


@dataclass(frozen=True)
class Claim:
    """A statement to be tested: that one failure rate of a check is within its limit.

    Attributes:
        check: The check.
        where: The part that the rate is for: a group of the sample (arm), a kind of error or a slice; ``""`` for all
            examples.
        limit: The largest tolerated rate.
        side: The outcome that raises an alarm: PASSED for a check that is expected to fail, else FAILED.
        estimate: The estimated failure rate, which is compared with the limit.
        failing: Failing examples among those that the rate is for.
        tested: Tested examples among those that the rate is for.
    """

    check: CheckCounts
    where: str
    limit: float
    side: Outcome
    estimate: Compared
    failing: int
    tested: int

    @cached_property
    def answered(self) -> Tail:
        """The test of the claim for the examples that the model answered."""
        return self.estimate.tail(self.limit)

    @cached_property
    def tail(self) -> Tail:
        """The test of the claim, before correction for the other claims of the run.

        A rate is within its limit only if it stays there when all unanswered examples fail. Of two groups, the smaller
        one counts.
        """
        tested = min([self.tested, *(group.tested for group in self.check.groups.values())])
        share = self.check.unanswered / (self.check.unanswered + tested) if tested else 0.0
        if not share or not _proves_passed(self.answered):
            return self.answered
        estimate, least = self.estimate, limit_of_answered(self.limit, share)
        worst = Tail(Outcome.INCONCLUSIVE, 1.0)
        if isinstance(estimate, Estimate) and estimate.looks is not None:
            if estimate.counts.ends[1] <= least:  # the interval holds at every look
                return Tail(Outcome.PASSED, LEVEL)
        elif least > 0:
            worst = estimate.tail(least)
        return worst if _proves_passed(worst) else Tail(Outcome.INCONCLUSIVE, 1.0)

    def record(self, verdict: Outcome) -> ClaimRecord:
        """Return the stored form of the claim with its verdict, which is corrected for the other claims of the run."""
        check, found = self.check, self.estimate
        shown = check.parts[self.where] if self.where else found.counts if isinstance(found, Estimate) else check
        rate = Rate(self.failing, self.tested, shown.interval, shown.rate)
        return ClaimRecord(where=self.where, limit=self.limit, side=self.side, estimate=rate, verdict=verdict)


def _proves_passed(tail: Tail) -> bool:
    return tail.side is Outcome.PASSED and tail.p_value <= LEVEL


def claims_of(
    checks: Sequence[CheckCounts],
    xfail: Mapping[str, str],
    reviews: Mapping[str, ReviewCounts] = MappingProxyType({}),
) -> list[Claim]:
    """List the claims of a run (comparisons of a failure rate with its limit), in the order of the checks.

    Args:
        checks: The counts of each check.
        xfail: Check id to reason, for checks that are expected to fail.
        reviews: People's answers about the failing examples, by check id, for checks that limit valid failures.
    """
    gated = [check for check in checks if check.ended is None and check.gated]
    return [
        claim
        for check in gated
        for side in [Outcome.PASSED if check.id in xfail else Outcome.FAILED]
        for claim in claims_of_check(check, side, reviews.get(check.id))
    ]


def claims_of_check(
    check: CheckCounts, side: Outcome = Outcome.FAILED, reviewed: ReviewCounts | None = None
) -> list[Claim]:
    """List the comparisons with limits (claims) of one check: for all examples, arms, kinds of error and slices.

    Args:
        check: The check's counts; without a limit, its rate is the estimate of a claim with the limit 0.
        side: The outcome that raises an alarm, as in :class:`Claim`.
        reviewed: People's answers about the check's failing examples.
    """
    tails = {} if check.budget is None else check.budget.tails
    if check.gap is not None and not check.estimates:
        return []

    def claim(where: str, part: CheckCounts | ArmRecord, limit: float) -> Claim:
        found = check.estimates.get(where)
        if found is None:
            found = replace(_estimate(check, where, part), looks=tails.get(where))
        return Claim(check, where, limit, side, found, part.failing, part.tested)

    parts = [claim(name, part, part.limit or 0.0) for name, part in check.limited.items()]
    if isinstance(check.limit, dict) or (check.limit is None and check.limited):
        return parts
    whole = claim("", check, check.limit or 0.0)
    if check.limit_of_valid:
        valid = ValidEstimate.of(check.failing, check.tested, reviewed or ReviewCounts(check.failing))
        whole = replace(whole, estimate=valid)
    return [whole, *parts]


def _estimate(check: CheckCounts, where: str, part: CheckCounts | ArmRecord) -> Estimate:
    """Estimate the rate of an arm, or of all examples of a check that has a limit for them."""
    if not where:
        return whole_estimate(check, held_strata(check) if check.limit else ())
    # Of the file alone an arm that was drawn whole is known exactly.
    strata = tuple(stratum for name, stratum in zip(check.arms, check.strata, strict=False) if name == where)
    own = strata if check.limit_of_file else ()
    return Estimate(part.estimate, None, own, check.clustered.get(where), check.limit_of_file)
