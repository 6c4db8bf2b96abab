"""The rates that a check claims to lie within its limits, in the words of every report."""

from __future__ import annotations

import math

from robustfim.judge import kind_text, rate_text
from robustfim.record import CheckRecord, ClaimRecord
from robustfim.statistics import percent
from robustfim.statistics.estimand import MEAN, SHARE

__all__ = ["claim_text", "limit_claims", "rate_lines"]


def limit_claims(check: CheckRecord) -> list[ClaimRecord]:
    """Return the claims that a check's rates lie within its limits, the worst first; none against a baseline."""
    return [claim for claim in check.claims if not claim.against]


def claim_text(check: CheckRecord, claim: ClaimRecord) -> str:
    """Return the rate of a claim as text: ``40 % [11.8, 76.9] of 5``.

    An estimate, which is no share of the tested examples, is ``from`` so many of them.

    Args:
        check: The check.
        claim: One of its claims.
    """
    rate, kind = claim.estimate, check.estimand
    weighted = kind is SHARE and rate.rate is not None and not math.isclose(rate.rate, rate.count / rate.tested)
    changed = " changed" * (check.counts == "changes" and claim.where not in check.errors)
    text = percent(rate.rate, rate.interval, unit=kind.unit)
    return f"{'mean ' * (kind is MEAN)}{text} {'from' if weighted else 'of'} {rate.tested:,}{changed}"


def rate_lines(check: CheckRecord) -> list[str]:
    """Return the rate of each claim of a check, the worst first: ``difficult 40 % [11.8, 76.9] of 5``.

    A check without a limit has its failure rate alone; one that tested nothing has no line.
    """
    claims = limit_claims(check)
    if not claims:
        return list(filter(None, [rate_text(check)]))
    return [f"{kind_text(claim.where)} {claim_text(check, claim)}".strip() for claim in claims if claim.estimate.tested]
