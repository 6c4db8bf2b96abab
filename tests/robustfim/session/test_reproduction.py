from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from robustfim.collect.spool import Examples
from robustfim.errors import UsageError
from robustfim.judge.check_counts import CheckCounts
from robustfim.outcome import Outcome
from robustfim.record import CandidateCounts, CheckRecord
from robustfim.run_options import RunOptions
from robustfim.session.open import open_session
from robustfim.session.reproduction import judge_alone, named_examples, reproducer
from robustfim.suite.config import RunConfig
from tests.robustfim.command_line import CommandLine
from tests.robustfim.toys import example

EXAMPLES = [example(f"film {number}") for number in range(50)]
SPOOLED = Examples.of(EXAMPLES)


def test_the_command_names_suite_check_example_and_what_changed_the_suite(robustfim: CommandLine) -> None:
    session = open_session(Path("toy.yaml"))
    overrides = ("--data", "rows=[[it's a film, positive]]", "--seed", "3")
    config = RunConfig(session.config.suite, session.config.file, RunOptions(overrides=overrides))
    command = reproducer(config)(session.collection.checks[0], EXAMPLES[0])
    assert shlex.split(command) == ["robustfim", "run", "toy.yaml::rename", "--example", EXAMPLES[0].id, *overrides]


@pytest.mark.parametrize("typed", ["../toy.yaml", "{folder}/toy.yaml", "{folder}/else where/toy.yaml"])
def test_the_command_that_the_terminal_prints_shows_the_failure_wherever_the_suite_is(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    robustfim.write("else where/toy.yaml", robustfim.read("toy.yaml"))
    robustfim.write("else where/toy.py", robustfim.read("toy.py"))
    (robustfim.folder / "here").mkdir()
    monkeypatch.chdir(robustfim.folder / "here")
    suite = shlex.quote(typed.format(folder=robustfim.folder))
    shown = robustfim(f"run {suite}")
    command = next(line.strip() for line in shown.out.splitlines() if line.startswith("    robustfim run "))
    assert robustfim(command.removeprefix("robustfim ")).code == 1
    assert str(robustfim.folder) not in Path("reports/toy/results.json").read_text(encoding="utf-8")


def test_examples_are_named_by_the_beginnings_of_their_ids() -> None:
    first, second = EXAMPLES[7], EXAMPLES[3]
    assert [*named_examples(SPOOLED, [second.id[:8], first.id])] == [second, first]
    assert [*named_examples(SPOOLED, [])] == [*EXAMPLES]


def test_a_beginning_of_none_or_several_is_refused() -> None:
    with pytest.raises(UsageError, match=r"--example xyz: no example has an id that begins so\. You find the ids in"):
        named_examples(SPOOLED, ["xyz"])
    with pytest.raises(UsageError, match="--example : 50 examples have ids that begin so"):
        named_examples(SPOOLED, [""])


@pytest.mark.parametrize(("failing", "outcome"), [(0, Outcome.PASSED), (1, Outcome.FAILED)])
def test_any_failing_candidate_fails_a_check_on_named_examples(failing: int, outcome: Outcome) -> None:
    fields: dict[str, Any] = {"id": "s.yaml::c", "name": "c", "limit": 0.5, "tested": 1, "failing": failing}
    counts = CandidateCounts(proposed=4, tested=4, failed=failing)
    judged = judge_alone(CheckCounts(**fields, candidates=counts))
    assert (judged.outcome, judged.message, judged.limit) == (outcome, f"{failing} of 4 candidates fail.", 0.0)


def test_an_error_stays_one() -> None:
    fields: dict[str, Any] = {"id": "s.yaml::c", "name": "c", "message": "why."}
    assert judge_alone(CheckCounts(**fields, ended=Outcome.ERROR)) == CheckRecord(**fields, outcome=Outcome.ERROR)
