"""A run as trackers hold it."""

from __future__ import annotations

from robustfim_trackers.tracked import tracked
from tests.plugins.robustfim_html.synthetic import build


def test_a_rate_of_two_arms_is_that_of_all_they_stand_for() -> None:
    record = build()
    check = next(record_check for record_check in record.checks if record_check.rate is not None)
    both = check.model_copy(update={"rate": 0.07, "interval": (0.03, 0.15), "name": "both"})
    plain = check.model_copy(update={"name": "plain"})
    numbers = tracked(record.model_copy(update={"checks": [both, plain], "failures": []})).numbers
    assert [numbers[f"checks/both/{end}"] for end in ("rate", "low", "high")] == [0.07, 0.03, 0.15]
    assert numbers["checks/plain/rate"] == check.rate
    assert numbers["checks/both/failing"] == check.failing
