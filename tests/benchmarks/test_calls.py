"""The section on calls says what was saved and what was decided otherwise."""

from __future__ import annotations

from benchmarks.calls import Asked, told

WHOLE = Asked(None, 10_000, {"one": "failed", "two": "passed"}, {"one": 480, "two": 480}, {"one": 2400, "two": 480})


def test_the_aim_is_met_where_less_is_asked_and_the_same_is_decided() -> None:
    sparing = Asked(480, 4000, dict(WHOLE.outcomes), {"one": 96, "two": 160}, {"one": 480, "two": 160})
    lines = told([WHOLE, sparing]).splitlines()
    assert lines[4] == "| one | 480 | 2,400 | failed | 96 | 480 | failed |"
    assert lines[6] == "| texts sent |  | 10,000 |  |  | 4,000 |  |"
    assert lines[-1].endswith("all examples decide: met. Each check ends as it does with all examples.")


def test_a_check_that_is_decided_otherwise_misses_it() -> None:
    sparing = Asked(480, 4000, {**WHOLE.outcomes, "two": "inconclusive"}, WHOLE.drawn, WHOLE.candidates)
    assert told([WHOLE, sparing]).endswith("missed. Decided otherwise: two.")
