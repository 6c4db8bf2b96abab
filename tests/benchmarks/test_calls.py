"""The section on calls says what was saved and what was decided otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.calls import Asked, told, told_bounded
from benchmarks.turns import simulate_turns
from benchmarks.turns import told as told_turns

WHOLE = Asked(None, 10_000, {"one": "failed", "two": "passed"}, {"one": 480, "two": 480}, {"one": 2400, "two": 480})


def test_the_aim_is_met_where_less_is_asked_and_the_same_is_decided() -> None:
    sparing = Asked(480, 4000, dict(WHOLE.outcomes), {"one": 96, "two": 160}, {"one": 480, "two": 160})
    lines = told([WHOLE, sparing]).splitlines()
    assert lines[4] == "| one | 480 | 2,400 | failed | 96 | 480 | failed |"
    assert lines[6] == "| texts sent |  | 10,000 |  |  | 4,000 |  |"
    assert lines[-1].endswith("met. Decided otherwise, or not any more: none. Decided by looks alone: none.")


def test_a_check_that_is_decided_otherwise_misses_it() -> None:
    sparing = Asked(480, 4000, {**WHOLE.outcomes, "two": "inconclusive"}, WHOLE.drawn, WHOLE.candidates)
    assert "missed. Decided otherwise, or not any more: two." in told([WHOLE, sparing])


def test_what_looks_alone_decide_misses_nothing() -> None:
    open_still = replace(WHOLE, outcomes={**WHOLE.outcomes, "two": "inconclusive"})
    sparing = Asked(480, 4000, dict(WHOLE.outcomes), WHOLE.drawn, WHOLE.candidates)
    assert "decide: met. " in told([open_still, sparing])
    assert told([open_still, sparing]).endswith("Decided by looks alone: two.")


def test_what_is_decided_in_turns_alone_is_named() -> None:
    one = Asked(480, 1000, {"one": "passed", "two": "inconclusive", "three": "error"}, {}, {})
    other = Asked(480, 1000, {"one": "passed", "two": "failed", "three": "passed"}, {}, {})
    assert told_bounded([(1000, one, other)]).endswith("| 1,000 | 1 | 3 | three, two | none |")


@pytest.mark.slow  # a simulation
def test_in_turns_more_is_decided_with_as_many_calls() -> None:
    behind, turns = (simulate_turns("spread", 800, by_turns, 20) for by_turns in (False, True))
    assert turns.decided > behind.decided > 1
    assert told_turns([behind, turns]).count("| spread | 800 |") == 2
