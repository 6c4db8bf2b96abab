from __future__ import annotations

import pytest

from robustfim.outcome import ExitCode, Inconclusive, Outcome, settled, worst


def test_the_exit_codes_are_those_of_pytest_and_one_for_what_is_inconclusive() -> None:
    assert int(ExitCode.OK) == int(pytest.ExitCode.OK)
    assert int(ExitCode.FAILED) == int(pytest.ExitCode.TESTS_FAILED)
    assert int(ExitCode.INTERRUPTED) == int(pytest.ExitCode.INTERRUPTED)
    assert int(ExitCode.INTERNAL_ERROR) == int(pytest.ExitCode.INTERNAL_ERROR)
    assert int(ExitCode.USAGE) == int(pytest.ExitCode.USAGE_ERROR)
    assert int(ExitCode.NOTHING_COLLECTED) == int(pytest.ExitCode.NO_TESTS_COLLECTED)
    assert sorted(ExitCode) == [0, 1, 2, 3, 4, 5, 6]


def test_the_outcomes_are_the_words_of_the_record() -> None:
    names = ["passed", "failed", "inconclusive", "measured", "error", "skipped", "xfailed", "xpassed"]
    assert [outcome.value for outcome in Outcome] == names
    assert f"{Outcome.XFAILED}" == "xfailed"


def test_of_several_suites_the_first_of_2_3_4_1_5_6_0_decides() -> None:
    order = [ExitCode(number) for number in (2, 3, 4, 1, 5, 6, 0)]
    assert set(order) == set(ExitCode)
    for place, code in enumerate(order):
        assert worst(order[: place - 1 : -1] or order[::-1]) is code  # all that are no worse than it, the worst last


@pytest.mark.parametrize(("inconclusive", "code"), [("fail", 1), ("pass", 0), (None, 6)])
def test_an_inconclusive_run_is_settled_as_the_user_says_and_no_other_is(
    inconclusive: Inconclusive | None, code: int
) -> None:
    for exit_code in ExitCode:
        assert settled(exit_code, inconclusive) == (code if exit_code is ExitCode.INCONCLUSIVE else exit_code)
