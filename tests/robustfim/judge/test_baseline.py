"""The baseline: where it lies, when it is refused, and which runs may become one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import UsageError
from robustfim.judge.baseline import accept, load_baseline, require_common_checks
from robustfim.outcome import Outcome
from robustfim.record import CheckRecord, DataRecord, Environment, ModelRecord, Record


def run(*names: str, suite: str = "toy", broken: tuple[str, ...] = (), **more: Any) -> Record:
    """The record of a run of checks that passed, but for the broken ones."""
    checks = [
        CheckRecord(id=f"s::{name}", name=name, outcome=Outcome.ERROR if name in broken else Outcome.PASSED)
        for name in names
    ]
    return Record(
        suite=suite, model=ModelRecord(use="m"), data=DataRecord(use="d"), checks=checks, seed=0,
        environment=Environment(robustfim="0", python="3"), started="2026-01-01T00:00:00+00:00", **more,
    )  # fmt: skip


def test_what_was_accepted_is_read_from_its_file_and_from_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "new" / "folder" / "toy.json"
    assert accept(run("a"), file) == file
    assert accept(run("a", "b"), file) == file  # the last one counts
    assert load_baseline(file, "toy").checks == load_baseline(file.parent, "toy").checks == run("a", "b").checks


def test_a_missing_baseline_and_that_of_another_suite_are_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no baseline at .*toy\.json\. 'robustfim accept reports/toy/results\.json'"):
        load_baseline(tmp_path, "toy")
    accept(run("a", suite="other"), tmp_path / "toy.json")
    with pytest.raises(UsageError, match="is of suite 'other', not of 'toy'"):
        load_baseline(tmp_path, "toy")


def test_one_common_check_is_enough_to_compare() -> None:
    require_common_checks(["b", "c"], run("a", "b"))
    with pytest.raises(UsageError, match=r"the baseline holds a, b, and this run c, d\.$"):
        require_common_checks(["c", "d"], run("a", "b"))


def test_of_many_checks_without_a_common_one_five_of_each_are_named() -> None:
    five, six = "abcde", "uvwxyz"
    with pytest.raises(UsageError, match=r"holds a, b, c, d, e, and this run u, v, w, x, y, …\.$"):
        require_common_checks([*six], run(*five))
    with pytest.raises(UsageError, match=r"holds u, v, w, x, y, …, and this run a, b, c, d, e\.$"):
        require_common_checks([*five], run(*six))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (run("a", interrupted=True), "'toy' was not finished"),
        (run(), "'toy' was not finished"),
        (run("a", deselected=["b", "c"]), "left out 2 of its checks"),
        (run("a", "b", "c", broken=("b", "c")), "s::b ended with an error in this run"),
        (run("a", "b", interrupted=True, broken=("b",)), "'toy' was not finished"),
    ],
)
def test_a_run_that_leaves_something_unsaid_is_not_accepted(record: Record, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=message):
        accept(record, tmp_path / "toy.json")
    assert not (tmp_path / "toy.json").exists()


def test_a_place_that_takes_no_file_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match=r"file/toy\.json cannot be written: (File exists|Not a directory)\.$"):
        accept(run("a"), tmp_path / "file" / "toy.json")
