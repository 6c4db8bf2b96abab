"""The runs that were accepted, one after the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim.judge.baseline import accept
from robustfim.outcome import Outcome
from robustfim.record import AcceptedRun, CheckRecord, ReachRecord, Record, accepted_runs
from robustfim.statistics import Rate
from tests.robustfim.record.test_format import record


def ran(day: int, broken: int) -> Record:
    """A run in which a changed text breaks some of 100 examples of the control arm, and more of the difficult ones."""
    made = record(checks=[CheckRecord(id="toy.yaml::a", name="a", outcome=Outcome.PASSED)])
    return made.model_copy(
        update={
            "started": f"2026-11-{day:02}T00:00:00+00:00",
            "reach": [
                ReachRecord(arm="difficult", rate=Rate(2 * broken, 100), by_step=0, wrong=0),
                ReachRecord(arm="control", rate=Rate(broken, 100), by_step=0, wrong=0),
            ],
        }
    )


def test_each_run_that_is_accepted_is_kept_once_after_another_took_its_place(tmp_path: Path) -> None:
    baseline, runs = tmp_path / "baselines" / "toy.json", [ran(1, 10), ran(2, 8), ran(3, 12)]
    assert accepted_runs(baseline) == []
    for run in (*runs, runs[-1]):
        accept(run, baseline)
    found = accepted_runs(baseline)
    assert found == [AcceptedRun.of(run) for run in runs]
    assert [run.broken.rate for run in found if run.broken is not None] == [0.1, 0.08, 0.12]
    assert Record.load(baseline).started == runs[-1].started


def test_a_file_that_lists_no_runs_is_refused(tmp_path: Path) -> None:
    (tmp_path / "toy.history.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"toy\.history\.jsonl is no list of accepted runs"):
        accepted_runs(tmp_path / "toy.json")
