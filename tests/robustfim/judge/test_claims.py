"""The claims of a check in its record: one for each limit, each with the rate that the record states elsewhere."""

from __future__ import annotations

import pytest

from robustfim.outcome import Outcome
from tests.robustfim.command_line import CommandLine
from tests.robustfim.judge.test_strata import ARMS, OF_FILE, ran

SLICES = "slices: {short: {words: [1, 6], limit: 0.2}}\n"


@pytest.mark.parametrize(
    ("limit", "rest"),
    [
        ("0.2", ""),
        ("0", ""),
        ("0.2", ARMS),
        ("0.2", OF_FILE + ARMS),
        ("{difficult: 0.5, control: 0.2}", ARMS),
        ("0.2", SLICES),
        ("0.2", "budget: 60\n"),
    ],
)
def test_a_claim_has_the_rate_that_its_part_has_in_the_record(robustfim: CommandLine, limit: str, rest: str) -> None:
    check, _ = ran(robustfim, limit, rest)
    limits = check.limit if isinstance(check.limit, dict) else {"": check.limit}
    assert {claim.where: claim.limit for claim in check.claims} == limits | {
        name: part.limit for name, part in check.limited.items()
    }
    for claim in check.claims:
        part = check.parts[claim.where] if claim.where else check
        counts = check.parts[claim.where] if claim.where else check
        assert (claim.estimate.rate, claim.estimate.interval) == (part.rate, part.interval)
        assert (claim.estimate.count, claim.estimate.tested) == (counts.failing, counts.tested)
        assert claim.side is Outcome.FAILED
    assert check.claims[0].verdict is check.outcome


def test_a_check_without_a_limit_claims_nothing(robustfim: CommandLine) -> None:
    check, _ = ran(robustfim, "null", "")
    assert (check.outcome, check.claims) == (Outcome.MEASURED, [])
