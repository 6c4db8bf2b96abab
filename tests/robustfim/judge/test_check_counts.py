"""What a check counted becomes its record."""

from __future__ import annotations

from robustfim.judge.check_counts import CheckCounts
from robustfim.outcome import Outcome
from robustfim.statistics.stratified import Stratum


def test_the_record_of_a_check_holds_what_was_counted_and_decided_and_no_more() -> None:
    counts = CheckCounts(id="s.yaml::c", name="c", tested=9, failing=2, limit=0.1, strata=(Stratum(9, 9, 9, 2),))
    record = counts.record(Outcome.PASSED, p_value=0.01, limit=0.5)
    assert (record.tested, record.failing, record.outcome, record.p_value, record.limit) == (9, 2, "passed", 0.01, 0.5)
    assert "strata" not in record.model_dump()
    assert "ended" not in record.model_dump()
