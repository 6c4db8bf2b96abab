from __future__ import annotations

import json
from pathlib import Path

import pytest

from robustfim.commands import Chosen
from robustfim.run_options import RunOptions
from robustfim.session.last_failed import LastFailed
from robustfim.session.open import open_session
from robustfim.suite.config import RunConfig
from tests.robustfim.command_line import SUITE, CommandLine

FILE = Path(".robustfim/lastfailed.json")


def remembered() -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def test_what_did_not_pass_is_remembered_by_suite(robustfim: CommandLine) -> None:
    robustfim.write("second.yaml", SUITE.replace("suite: toy", "suite: second").replace("limit: 0.5", "limit: 0.1"))
    robustfim("run toy.yaml second.yaml")
    assert remembered() == {
        "toy.yaml": ["toy.yaml::both", "toy.yaml::rename"],  # one failed, and one is inconclusive
        "second.yaml": ["second.yaml::both", "second.yaml::rename"],
    }


def test_a_check_that_did_not_run_keeps_its_place_and_one_that_passes_leaves(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml -o checks.calm.perturb.how=x -o checks.calm.perturb.use=broken")
    robustfim("run toy.yaml")
    robustfim("run toy.yaml::calm")
    assert remembered() == {"toy.yaml": ["toy.yaml::both", "toy.yaml::rename"]}
    robustfim("run toy.yaml::both -o checks.both.limit=1")
    assert remembered() == {"toy.yaml": ["toy.yaml::rename"]}


def test_a_run_that_measures_something_else_is_not_remembered(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    suite = Chosen(override=("checks.rename.limit=0.0",)).suite(Path("toy.yaml"))
    session = open_session(suite, options=RunOptions(remember=False))
    session.configure()
    record, _ = session.run()
    assert record.summary["failed"] == 2
    assert remembered() == {"toy.yaml": ["toy.yaml::both", "toy.yaml::rename"]}


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff", b'{"toy.yaml": 3}'])
def test_a_memory_that_cannot_be_read_is_no_memory_and_is_written_anew(robustfim: CommandLine, content: bytes) -> None:
    robustfim.write(str(FILE), "")
    FILE.write_bytes(content)
    assert "3 checks" in robustfim("run toy.yaml --lf --co").out
    robustfim("run toy.yaml")
    assert remembered() == {"toy.yaml": ["toy.yaml::both", "toy.yaml::rename"]}


def test_without_a_store_nothing_is_remembered(robustfim: CommandLine) -> None:
    session = open_session(Path("toy.yaml"), options=RunOptions(store=None))
    assert LastFailed(RunConfig(session.config.suite, session.config.file, RunOptions(store=None))).ids == []
    robustfim("run toy.yaml --no-store")
    assert not FILE.exists()


def test_a_memory_that_cannot_be_written_changes_no_outcome(robustfim: CommandLine) -> None:
    FILE.mkdir(parents=True)
    shown = robustfim("run toy.yaml")
    assert (shown.code, "defect" in shown.err) == (1, False)
    assert robustfim.record().summary["failed"] == 1
