from __future__ import annotations

from tests.robustfim.command_line import CommandLine, refused


def test_strict_is_short_for_inconclusive_fail_and_contradicts_inconclusive_pass(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    for command in ("run toy.yaml", "compare reports/toy/results.json reports/toy/results.json"):
        refused(
            robustfim(f"{command} --strict --inconclusive pass"), "'--strict' is '--inconclusive fail'", "Leave one out"
        )


def test_a_run_in_which_nothing_has_a_limit_gates_nothing_and_says_so(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{x: {perturb: rename}, later: {perturb: rename, skip: later}}")
    shown = robustfim(f"run {suite}")
    assert shown.code == robustfim(f"run {suite} --inconclusive pass").code == 0
    assert "nothing is gated: 1 measured, 1 skipped in " in shown.out.splitlines()[-1]
    assert "x      MEASURED" in shown.out
    assert "limit" not in next(line for line in shown.out.splitlines() if line.startswith("x "))
    check = robustfim.record("other").checks[0]
    assert (check.outcome.value, check.limit, check.p_value, check.needed) == ("measured", None, None, None)
    assert "; it has no limit" in check.message
    assert robustfim(f"run {suite} --strict").code == 1


def test_a_check_without_a_limit_counts_for_neither_0_nor_1(robustfim: CommandLine) -> None:
    for limit, code in ((1, 0), (0, 1), (0.5, 6)):
        suite = robustfim.suite(f"{{x: {{perturb: rename}}, y: {{perturb: rename, limit: {limit}}}}}")
        shown = robustfim(f"run {suite} --no-store")
        assert shown.code == code
        assert "nothing is gated" not in shown.out
        assert robustfim.outcomes("other")["x"] == "measured"


def test_what_needs_a_limit_is_refused_without_one(robustfim: CommandLine) -> None:
    for key in ("xfail: known", "budget: 5"):
        suite = robustfim.suite(f"{{x: {{perturb: rename, {key}}}}}")
        name = key.partition(":")[0]
        refused(robustfim(f"run {suite}"), f"a check without a 'limit' does not support '{name}'", "limit: 0.1")
