"""A check with a budget shares its level with every comparison of the run."""

from __future__ import annotations

import json
import shutil
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from robustfim.run_options import RunOptions
from robustfim.session.budget import budget_of, comparisons
from robustfim.session.open import open_session
from robustfim.statistics.tails import family
from tests.present import present
from tests.robustfim.cli.test_command_line import without_times
from tests.robustfim.command_line import TOY, CommandLine
from tests.robustfim.session.test_session import start


def test_a_limit_for_each_arm_is_a_comparison_each_and_a_skipped_check_is_none(robustfim: CommandLine) -> None:
    robustfim.suite(
        "{a: {perturb: rename, limit: {difficult: 0.4, control: 0.2}, budget: 5}, b: {perturb: rename, limit: 0.1}, "
        "c: {perturb: rename, limit: 0.1, skip: later}, d: {perturb: rename}}",
        rest="select: {by: margin, difficult: 2, control: 2}\nscores: [margin]",
    )
    collection = open_session(Path("other.yaml")).collection
    assert comparisons(collection.checks) == 3
    budget = present(budget_of(collection.checks[0], collection))
    assert budget.most == 5
    assert budget.level == pytest.approx(0.025 / 3.1)
    assert budget_of(collection.checks[1], collection) is None


def test_what_is_certain_to_fail_stands_after_the_correction(robustfim: CommandLine) -> None:
    names = "abcd"
    checks = ", ".join(f"{name}: {{perturb: rename, limit: 0.1, budget: 5}}" for name in names)
    robustfim.suite(f"{{{checks}}}")
    collection, p_values = open_session(Path("other.yaml")).collection, []
    for failed, check in enumerate(collection.checks):
        budget = present(budget_of(check, collection, failed))
        p_values.append(budget.level)
    rest = [1.0] * len(names)  # that of the gold labels has a tenth of the weight
    for stand in range(1, len(names) + 1):
        found = family([*p_values[:stand], *rest[stand:], 1.0], [1.0] * len(names) + [0.1])
        assert found[:stand] == pytest.approx([0.025] * stand)


def test_a_run_of_named_examples_draws_all_of_them(robustfim: CommandLine) -> None:
    robustfim.suite("{a: {perturb: rename, limit: 0.1, budget: 5}}")
    collection = open_session(Path("other.yaml")).collection
    alone = replace(collection, config=replace(collection.config, options=RunOptions(examples=("e1",))))
    assert budget_of(alone.checks[0], collection) is not None
    assert budget_of(alone.checks[0], alone) is None


# ---- turns under --max-calls ---------------------------------------------------------------------------

CHECKS = """{
  near: {perturb: {use: rename, table: {odd: awful}}, limit: 0.5},
  whole: {perturb: {use: rename, table: {film: movie}}, limit: 0.1, budget: 300},
  broken: {perturb: {use: rename, table: {good: awful}}, limit: 0.2},
  calm: {perturb: {use: rename, table: {film: cinema}}, limit: 0.3}}"""
"""The first of them is at its limit: every other text is odd, the others neither."""


def in_turns(robustfim: CommandLine, model: str = "wordsum") -> str:
    """Write a suite of these checks."""
    rows = json.dumps(
        [[f"a good film number {i} of {'odd' if i % 2 else 'even'} days", "positive"] for i in range(300)]
    )
    checks = " ".join(CHECKS.split()).replace("table: {odd: awful}", "table: {odd: awful, even: equal}")
    return robustfim.suite(checks, model=model, data="{use: films, rows: " + rows + "}", rest="budget: 300")


def turns(robustfim: CommandLine, options: str) -> dict[str, tuple[str, int]]:
    """Outcome and drawn examples of each check."""
    robustfim(f"run {in_turns(robustfim)} {options}")
    record = robustfim.record("other")
    assert [check.name for check in record.checks] == ["near", "whole", "broken", "calm"]
    assert all(check.budget is not None and check.budget.drawn >= check.tested for check in record.checks)
    return {check.name: (check.outcome.value, check.tested) for check in record.checks}


def test_what_is_near_its_limit_leaves_the_calls_to_what_can_be_decided(robustfim: CommandLine) -> None:
    whole = turns(robustfim, "--no-store")
    assert whole["near"] == ("inconclusive", 300)
    needed = 300 + 32 + sum(tested for name, (_, tested) in whole.items() if name != "near")
    few = turns(robustfim, f"--no-store --max-calls {needed}")
    assert few == whole | {"near": ("inconclusive", 32)}
    assert "--max-calls" in " ".join(robustfim.record("other").warnings)
    assert turns(robustfim, "--no-store --max-calls 5000") == whole, "with calls enough each ends as it does alone"


def test_a_run_whose_calls_were_used_up_goes_on_in_the_same_turns(robustfim: CommandLine) -> None:
    stops = (390, 450, 620)
    anew = []
    for calls in stops:
        shutil.rmtree(robustfim.folder / ".robustfim", ignore_errors=True)
        anew.append(turns(robustfim, f"--max-calls {calls}"))
    assert anew[0] != anew[1] != anew[2]
    shutil.rmtree(robustfim.folder / ".robustfim")
    before = 0
    for calls, found in zip(stops, anew, strict=True):
        assert turns(robustfim, f"--max-calls {calls - before}") == found
        before = calls


ENDS = """
import os

answer = WordSum.predict


def predict(self, examples):
    stop, sent = Path("stop.txt"), self.log.read_text().count("\\n") if self.log.exists() else 0
    if stop.exists():
        number, place = map(int, stop.read_text().split())
        if sent + len(examples) > place:
            stop.unlink()
            os.kill(os.getpid(), number)
    return answer(self, examples)


WordSum.predict = predict
"""
"""The model ends its process, by a signal, before it answers the batch with a text so late."""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_ends_in_the_middle_of_its_turns_resumes_to_the_record_it_would_have_had(
    robustfim: CommandLine, number: signal.Signals
) -> None:
    robustfim.write("toy.py", TOY.read_text(encoding="utf-8") + ENDS)
    suite = in_turns(robustfim, "{use: wordsum, log: calls.txt, batch_size: 16}")
    calls, most = robustfim.folder / "calls.txt", 610
    robustfim(f"run {suite} --no-store --reports whole --max-calls {most}")
    whole = robustfim.record("other", "whole")
    assert calls.read_text().count("\n") == whole.model_calls
    assert [check.budget.drawn for check in whole.checks if check.budget] == [160, 64, 32, 32]
    for stop in (333, 530):
        calls.unlink()
        shutil.rmtree(robustfim.folder / ".robustfim", ignore_errors=True)
        robustfim.write("stop.txt", f"{number.value} {stop}")
        ended = start(robustfim, f"run {suite} --max-calls {most}")
        ended.communicate(timeout=300)
        assert ended.returncode == (2 if number is signal.SIGINT else -number.value)
        sent = calls.read_text().count("\n")
        assert 300 < sent <= stop
        robustfim(f"run {suite} --max-calls {most - sent}")
        resumed = robustfim.record("other")
        assert calls.read_text().count("\n") == whole.model_calls
        assert [warning.replace(f" {most - sent} ", f" {most} ") for warning in resumed.warnings] == whole.warnings
        assert without_times(resumed.model_copy(update={"warnings": whole.warnings})) == without_times(whole)
