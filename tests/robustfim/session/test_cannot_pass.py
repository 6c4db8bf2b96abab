"""Before a text is sent, a run tells which checks could not pass whatever comes."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random

import pytest
from scipy.stats import norm

from robustfim.outcome import Outcome
from robustfim.select.draw import Budget, Draw, TestedExample
from robustfim.statistics import Mean, allocation, paired_scores, tail
from robustfim.statistics.stratified import Stratum, stratified_tail
from tests.present import present
from tests.robustfim import toy_plugin
from tests.robustfim.command_line import CommandLine
from tests.robustfim.toys import example, prediction

SUITE = """suite: few
seed: 0
plugins: [{plugin}]
model: wordsum
data: {{use: csv, path: few.csv}}
{more}
checks:
{checks}
"""


def lines(robustfim: CommandLine, checks: str, more: str = "", rows: int = 60, options: str = "") -> list[str]:
    texts = "".join(f"film {row},{('positive', 'negative')[row % 2]}\n" for row in range(rows))
    robustfim.write("few.csv", f"text,label\n{texts}")
    robustfim.write("few.yaml", SUITE.format(plugin=Path(toy_plugin.__file__).as_posix(), checks=checks, more=more))
    shown = robustfim(f"run few.yaml --no-store {options}")
    assert "accuracy:" not in shown.out, "the model knows no word of these texts, and answers nothing"
    return [line.removeprefix("cannot pass: ") for line in shown.out.splitlines() if line.startswith("cannot pass: ")]


@pytest.fixture(autouse=True)
def wide(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal on which no sentence is broken."""
    monkeypatch.setenv("COLUMNS", "200")


@pytest.mark.parametrize("limit", [0.02, 0.05, 0.1])
def test_a_check_of_too_few_examples_is_told_with_the_number_that_its_verdict_needs(
    robustfim: CommandLine, limit: float
) -> None:
    found = lines(robustfim, f"  calm: {{perturb: rename, limit: {limit}}}")
    needed = next(n for n in range(1, 1000) if tail(0, n, limit).side is Outcome.PASSED)
    enough = needed <= 60
    said = f"calm: even 0 of 60 failing could not pass {100 * limit:.0f} %; {needed} are needed"
    assert found == ([] if enough else [said])


def test_arms_with_limits_of_their_own_are_told_apart_and_both_under_one_limit_together(robustfim: CommandLine) -> None:
    select = "scores: [entropy]\nselect: {by: entropy, difficult: 10, control: 40}"
    apart = lines(robustfim, "  calm: {perturb: rename, limit: {difficult: 0.5, control: 0.02}}", select, rows=400)
    assert apart == ["calm, control: even 0 of 40 failing could not pass 2 %; 189 are needed"]
    (one,) = lines(robustfim, "  calm: {perturb: rename, limit: 0.05}", select, rows=400)
    needed = int(one.rpartition("control arm of ")[2].removesuffix(" is needed"))
    for control, side in ((needed, Outcome.PASSED), (needed - 1, Outcome.INCONCLUSIVE)):
        assert stratified_tail([Stratum(10, 10, 10, 0), Stratum(390, control, control, 0)], 0.05).side is side
    assert one.startswith("calm: even 0 of 50 failing could not pass 5 %; ")


def test_an_easiest_arm_represents_itself_only(robustfim: CommandLine) -> None:
    select = "scores: [entropy]\nselect: {by: entropy, difficult: 10, easiest: 30, control: 40}"
    (one,) = lines(robustfim, "  calm: {perturb: rename, limit: 0.05}", select, rows=400)
    needed = int(one.rpartition("control arm of ")[2].removesuffix(" is needed"))
    ends = [Stratum(10, 10, 10, 0), Stratum(30, 30, 30, 0)]
    for control, side in ((needed, Outcome.PASSED), (needed - 1, Outcome.INCONCLUSIVE)):
        assert stratified_tail([*ends, Stratum(360, control, control, 0)], 0.05).side is side
    assert one.startswith("calm: even 0 of 80 failing could not pass 5 %; ")


def test_what_has_no_limit_may_fail_or_asks_of_the_tested_texts_alone_is_not_told(robustfim: CommandLine) -> None:
    checks = (
        "  calm: {perturb: rename}\n  other: {perturb: rename, limit: 0.01, xfail: known}\n"
        "  none: {perturb: rename, limit: 0}\n  left: {perturb: rename, limit: 0.01, skip: later}"
    )
    assert lines(robustfim, checks) == []


def test_a_budget_bounds_what_is_tested(robustfim: CommandLine) -> None:
    (found,) = lines(robustfim, "  calm: {perturb: rename, limit: 0.05, budget: 30}")
    assert found.startswith("calm: even 0 of 30 failing could not pass 5 %")


def none_failing(draw: Draw, arm: str) -> tuple[int, int]:
    return sum(tested_example.arm == arm for tested_example in draw.drawn), 0


@pytest.mark.parametrize("of", ["population", "file"])
def test_a_budget_over_strata_is_counted_by_the_bets_of_the_run_itself(robustfim: CommandLine, of: str) -> None:
    parts = allocation(2000, 1000)
    tested = [
        TestedExample(example(f"{place} {at}"), prediction("a film"), str(place))
        for place, (_, drawn) in enumerate(parts)
        for at in range(drawn)
    ]

    def proves(most: int) -> bool:
        sizes = {str(place): size for place, (size, _) in enumerate(parts)}
        draw = Draw(tested, 0.02, Budget(most, 0.025, 0.025, sizes, of == "file"), Random(0))
        list(draw.blocks(partial(none_failing, draw)))
        return present(draw.record(0)).tails[""].side is Outcome.PASSED

    number = next(most for most in range(100, 1000, 10) if proves(most))
    select = f"of: {of}\nscores: [entropy]\nselect: {{by: entropy, examples: 1000}}"
    for most in (number, number - 10):
        found = lines(robustfim, f"  calm: {{perturb: rename, limit: 0.02, budget: {most}}}", select, rows=2000)
        assert [each.partition(";")[0] for each in found] == [f"calm: even 0 of {most} failing could not pass 2 %"] * (
            most < number
        )


def test_an_arm_of_a_file_that_is_drawn_whole_is_known_exactly(robustfim: CommandLine) -> None:
    select = "of: file\nscores: [entropy]\nselect: {by: entropy, difficult: 10, control: 40}"
    (one,) = lines(robustfim, "  calm: {perturb: rename, limit: {difficult: 0.02, control: 0.02}}", select, rows=400)
    needed = int(one.rpartition("; ")[2].removesuffix(" are needed"))
    assert one == f"calm, control: even 0 of 40 failing could not pass 2 %; {needed} are needed"
    for drawn, side in ((needed, Outcome.PASSED), (needed - 1, Outcome.INCONCLUSIVE)):
        assert stratified_tail([Stratum(390, drawn, drawn, 0)], 0.02, of_file=True).side is side


def test_a_mean_is_held_against_its_limit_by_its_own_test(robustfim: CommandLine) -> None:
    (one,) = lines(robustfim, "  calm: {perturb: rename, fails: mean, limit: 0.05}")
    needed = next(n for n in range(1, 1000) if Mean({(0.0, 1): n}).tail(0.05).side is Outcome.PASSED)
    assert one == f"calm: even 0 of 60 failing could not pass 5 %; {needed} are needed"


@pytest.mark.parametrize("margin", [0.2, 0.5])
def test_a_margin_that_no_run_of_so_many_examples_proves_is_told(robustfim: CommandLine, margin: float) -> None:
    rows = [[f"a good film {number}", "positive"] for number in range(8)]
    suite = robustfim.suite("{calm: {perturb: rename}}", data=f"{{use: films, rows: {rows}}}")
    robustfim(f"run {suite} --no-store")
    assert robustfim("accept reports/other/results.json").code == 0
    needed = next(n for n in range(1, 1000) if paired_scores(0, 0, n, margin) < -norm.ppf(0.975))
    said = f"even 8 matched examples without a change could not prove it no worse by {100 * margin:.0f} points"
    told = [f"cannot pass: {name}: {said}; {needed} are needed" for name in ("accuracy", "robust accuracy")]
    for options, expected in ((f"--baseline baselines --margin {margin}", told), (f"--margin {margin}", [])):
        shown = robustfim(f"run {suite} --no-store {options}").out
        found = [line for line in shown.splitlines() if line.startswith("cannot pass: ")]
        assert found == ([] if needed <= 8 else expected)
    assert (needed <= 8) is (margin == 0.5)


def test_beside_a_baseline_its_draw_says_how_many_are_tested_and_not_the_select_of_the_suite(
    robustfim: CommandLine,
) -> None:
    texts = [f"{('a good', 'an awful')[n % 2]} film {n},{('positive', 'negative')[n % 2]}" for n in range(200)]
    robustfim.write("rows.csv", "\n".join(["text,label", *texts]) + "\n")
    suite = robustfim.suite("{calm: {perturb: rename, limit: 0.05}}", data="{use: csv, path: rows.csv}")
    select = f"run {suite} --no-store -o 'select={{difficult: 0, control: %d}}'"
    for drawn, asked in ((20, 150), (150, 20)):
        robustfim(select % drawn)
        assert robustfim("accept reports/other/results.json").code == 0
        shown = robustfim(f"{select % asked} --baseline baselines").out
        said = [line for line in shown.splitlines() if line.startswith("cannot pass: ")]
        assert said == ["cannot pass: calm: even 0 of 20 failing could not pass 5 %; 73 are needed"] * (drawn == 20)


def test_clusters_are_told_with_the_lowest_limit_that_they_let_pass(robustfim: CommandLine) -> None:
    texts = [
        f"{('a good', 'an awful')[n % 2]} film {n},{('positive', 'negative')[n % 2]},{n // 10}" for n in range(300)
    ]
    robustfim.write("rows.csv", "\n".join(["text,label,cluster", *texts]) + "\n")
    for limit, said in ((0.1, True), (0.12, False)):
        checks = f"{{calm: {{perturb: rename, limit: {limit}}}}}"
        suite = robustfim.suite(checks, data="{use: csv, path: rows.csv}")
        shown = robustfim(f"run {suite} --no-store").out
        found = [line for line in shown.splitlines() if line.startswith("cannot pass: ")]
        sentence = "calm: even 0 of 300 failing could not pass 10 %: with 30 clusters no limit below 11.6 % can pass"
        assert found == [f"cannot pass: {sentence}"] * said


@pytest.mark.parametrize("more", ["", "select: {difficult: 0, control: 40}", "budget: 40"])
def test_data_of_one_cluster_prove_no_limit_and_the_run_says_so_beforehand(robustfim: CommandLine, more: str) -> None:
    texts = [f"{('a good', 'an awful')[n % 2]} film {n},{('positive', 'negative')[n % 2]},one" for n in range(300)]
    robustfim.write("rows.csv", "\n".join(["text,label,cluster", *texts]) + "\n")
    rest = f"baseline: {{margin: 0.05}}\n{more}"
    if more != "budget: 40":
        rest += "\nslices: {films: {contains: film, limit: 0.5}}"
    suite = robustfim.suite(
        "{calm: {perturb: {use: rename, table: {film: movie}}, limit: 0.5}}",
        data="{use: csv, path: rows.csv}",
        rest=rest,
    )
    first = robustfim(f"run {suite} --no-store")
    number = 40 if more else 300
    said = f"even 0 of {number} failing could not pass 50 %: with 1 cluster no limit below 97.5 % can pass"
    assert [line for line in first.out.splitlines() if line.startswith("cannot pass: ")] == [
        f"cannot pass: {name}: {said}" for name in ["calm", *["slice films"] * ("budget" not in more)]
    ]
    assert first.code == 6
    (check,) = robustfim.record("other").checks
    assert (check.tested, check.failing, check.clusters) == (number, 0, 1)
    assert {claim.verdict for claim in check.claims} == {Outcome.INCONCLUSIVE}
    assert robustfim.record("other").model.association.verdict == "inconclusive"
    assert robustfim("accept reports/other/results.json").code == 0
    again = robustfim(f"run {suite} --no-store --baseline baselines")
    assert again.code == 6
    assert "matched examples without a change could not prove it no worse by 5 points, in 1 cluster" in again.out
    (comparison,) = robustfim.record("other").comparisons
    assert (comparison.accuracy.verdict, comparison.proven) == ("inconclusive", False)


def test_the_easiest_arm_represents_itself_beside_the_control_arm(robustfim: CommandLine) -> None:
    select = "scores: [entropy]\nselect: {by: entropy, difficult: 10, easiest: 10, control: 30}"
    (one,) = lines(robustfim, "  calm: {perturb: rename, limit: 0.05}", select, rows=400)
    assert one.startswith("calm: even 0 of 50 failing could not pass 5 %; a control arm of ")
    needed = int(one.rpartition("control arm of ")[2].removesuffix(" is needed"))
    for control, side in ((needed, Outcome.PASSED), (needed - 1, Outcome.INCONCLUSIVE)):
        parts = [Stratum(10, 10, 10, 0), Stratum(10, 10, 10, 0), Stratum(380, control, control, 0)]
        assert stratified_tail(parts, 0.05).side is side


def test_limits_of_valid_failures_of_errors_and_of_slices_are_claims_as_well(robustfim: CommandLine) -> None:
    needed = next(n for n in range(1, 1000) if tail(0, n, 0.02).side is Outcome.PASSED)
    said = f"even 0 of 60 failing could not pass 2 %; {needed} are needed"
    for limit, name in (("{valid: 0.02}", "calm"), ("{missed: 0.02}", "calm, missed")):
        assert lines(robustfim, f"  calm: {{perturb: rename, limit: {limit}}}") == [f"{name}: {said}"]
    checks = "  calm: {perturb: rename}\n  other: {perturb: rename}"
    assert lines(robustfim, checks, "slices: {films: {contains: [film], limit: 0.02}}") == [f"slice films: {said}"]
