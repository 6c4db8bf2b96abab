"""Planning a suite, from the command line."""

import re

import pytest

from tests.robustfim.command_line import CommandLine, refused


def test_a_plan_from_a_record_prints_what_to_draw_and_the_lines_to_paste(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    shown = robustfim("plan toy.yaml --pilot reports/toy/results.json --rate 0.05 --margin 0.1 --html plan.html")
    assert shown.code == 0, shown
    assert "To decide every limit" in shown.out
    assert "To prove that an equal model is no worse" in shown.out
    assert "power 0.8: draw " in shown.out
    assert "select: {difficult: 0, control: " in shown.out
    assert "# power 0.9" in shown.out
    page = (robustfim.folder / "plan.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "Power by drawn examples" in page
    assert page.count("<script") == 1


def test_without_a_pilot_a_small_run_is_made_that_leaves_no_report(robustfim: CommandLine) -> None:
    shown = robustfim("plan toy.yaml --examples 10 --power 0.7")
    assert shown.code == 0, shown
    assert "a pilot: the suite toy on 10 examples" in shown.err
    assert "power 0.7: draw " in shown.out
    assert not (robustfim.folder / "reports").exists()


@pytest.mark.parametrize(
    ("rate", "message"),
    [
        ("x", "--rate x: 'x' is not a rate between 0 and 1."),
        ("rename=1.5", "'1.5' is not a rate"),
        ("renam=0.1", "Did you mean"),
    ],
)
def test_a_wrong_rate_is_refused(robustfim: CommandLine, rate: str, message: str) -> None:
    robustfim("run toy.yaml")
    refused(robustfim(f"plan toy.yaml --pilot reports/toy/results.json --rate {rate}"), message)


def test_a_suite_without_a_limit_and_a_margin_is_refused_before_a_pilot(robustfim: CommandLine) -> None:
    plain = robustfim.suite("{rename: {perturb: rename}}")
    shown = robustfim(f"plan {plain}")
    refused(shown, "suite 'other' has no limit and no margin, so nothing waits for a decision")
    assert "a pilot" not in shown.err
    assert robustfim(f"plan {plain} --margin 0.1 --examples 10").code == 0


def test_a_pilot_of_another_suite_and_a_missing_one_are_refused(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    other = robustfim.suite("{rename: {perturb: rename, limit: 0.9}}")
    refused(robustfim(f"plan {other} --pilot reports/toy/results.json"), "the pilot is of suite 'toy', not of 'other'")
    refused(robustfim("plan toy.yaml --pilot nowhere.json"), "no run record at nowhere.json")


def test_a_limit_beside_the_models_own_noise_is_not_planned_and_says_what_plans_it(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{rename: {perturb: rename, limit: 0.3}}", rest="repeat: 2")
    shown = robustfim(f"plan {suite}")
    assert shown.code == 4
    assert "rename has a limit for what exceeds the model's own noise" in shown.err
    assert "'-o repeat=0'" in shown.err
    assert robustfim(f"plan {suite} -o repeat=0").code == 0


def test_the_page_draws_a_curve_for_every_row_of_its_table(robustfim: CommandLine) -> None:
    names = [f"check{number}" for number in range(10)]
    checks = ", ".join(f"{name}: {{perturb: rename, limit: 0.3}}" for name in names)
    robustfim(f"run {robustfim.suite(f'{{{checks}}}')}")
    assert robustfim("plan other.yaml --pilot reports/other/results.json --rate 0.05 --html plan.html").code == 0
    page = (robustfim.folder / "plan.html").read_text(encoding="utf-8")
    assert all(f"</svg>{name}</li>" in page for name in names), "each stands in a legend"


def test_an_easiest_arm_is_kept_and_counts_among_the_drawn(robustfim: CommandLine) -> None:
    rows = (f"{'a good film' if n % 2 else 'a bad film'} {'very ' * (n % 7)}{n},{n % 2}" for n in range(200))
    text = "\n".join(["text,label", *(row[:-1] + ("positive" if row[-1] == "1" else "negative") for row in rows)])
    robustfim.write("many.csv", text)
    suite = robustfim.suite(
        "{x: {perturb: rename, limit: 0.2}}", data="{use: csv, path: many.csv}",
        rest="scores: [margin]\nselect: {by: margin, difficult: 10, easiest: 6, control: 30}",
    )  # fmt: skip
    shown = robustfim(f"plan {suite} --examples 60 --power 0.8")
    assert shown.code == 0, shown
    drawn = int(re.findall(r"draw (\d+) examples", shown.out)[0])
    (line,) = re.findall(r"select: \{by: margin, easiest: 6, difficult: (\d+), control: (\d+)\}", shown.out)
    assert 6 + sum(map(int, line)) == drawn
