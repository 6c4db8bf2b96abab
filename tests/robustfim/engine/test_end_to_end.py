"""A run with workers, as a user types it: the same record, and no process left."""

from __future__ import annotations

import subprocess

import pytest

from robustfim.record import Record
from tests.robustfim.command_line import CommandLine, refused

TIMES = {"started", "duration_s", "environment", "model"}


def found(record: Record) -> dict[str, object]:
    """All that a record says but for times and the options that chose an engine."""
    data = record.model_dump(mode="json", exclude=TIMES)
    for check in data["checks"]:
        check.pop("duration_s")
    for failure in data["failures"]:
        failure.pop("reproduce")
    return dict(data)


def children() -> str:
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    return "\n".join(line for line in listed.splitlines() if "robustfim_processes.worker_main" in line)


def test_workers_find_what_this_process_finds_and_none_is_left(robustfim: CommandLine) -> None:
    assert robustfim("run toy.yaml --no-store --reports here").code == 1
    assert robustfim("run toy.yaml --no-store --reports there -n 2").code == 1
    here, there = robustfim.record(reports="here"), robustfim.record(reports="there")
    assert here.failures
    assert found(there) == found(here)
    assert str(robustfim.folder) not in children()


def test_a_suite_names_its_engine_and_a_second_run_sends_nothing(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{x: {perturb: rename}}", rest="engine: {use: processes, workers: 1}")
    robustfim(f"run {suite}")
    assert robustfim.record("other").model_calls > 0
    robustfim(f"run {suite} --engine inline")
    assert robustfim.record("other").model_calls == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--engine process", "unknown engine 'process'. Did you mean 'processes'?"),
        ("--engine inline -n 2", "-n 2: "),
        ("-n 0", "0 is not in the range x>=1"),
    ],
)
def test_an_engine_that_cannot_be_is_refused(robustfim: CommandLine, options: str, told: str) -> None:
    refused(robustfim(f"run toy.yaml {options}"), told)


def test_a_model_that_raises_on_a_worker_is_an_error_of_the_model(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{x: {perturb: rename}}", model="{use: wordsum, raise_on: awful}")
    assert robustfim(f"run {suite} -n 1").code == 1
    assert "the model raised ZeroDivisionError: I cannot read 'awful'" in robustfim.record("other").message


LEAVES = """\
import os
import sys


def predict(texts):
    if any("awful" in text for text in texts):
        {how}
    return [[0.1, 0.9] if "good" in text else [0.9, 0.1] for text in texts]
"""


@pytest.mark.parametrize(
    ("how", "told"),
    [pytest.param("os._exit(0)", "exit code 0", marks=pytest.mark.slow), ("sys.exit(0)", "raised SystemExit: 0")],
)
def test_a_model_that_ends_its_worker_is_an_error_and_never_a_pass(robustfim: CommandLine, how: str, told: str) -> None:
    robustfim.write("leaves.py", LEAVES.format(how=how))
    suite = robustfim.suite(
        "{x: {perturb: rename, limit: 1}}", model="{use: python, call: 'leaves:predict', labels: [negative, positive]}"
    )
    shown = robustfim(f"run {suite} --engine processes -n 1")
    record = robustfim.record("other")
    assert (shown.code, record.exit_code) == (1, 1)
    assert told in record.message
    assert [check.outcome.value for check in record.checks] == ["error"]
    assert str(robustfim.folder) not in children()
