from __future__ import annotations

import pytest

from robustfim.outcome import ExitCode, Outcome


def test_the_exit_codes_are_those_of_pytest() -> None:
    assert int(ExitCode.OK) == int(pytest.ExitCode.OK)
    assert int(ExitCode.FAILED) == int(pytest.ExitCode.TESTS_FAILED)
    assert int(ExitCode.INTERRUPTED) == int(pytest.ExitCode.INTERRUPTED)
    assert int(ExitCode.INTERNAL_ERROR) == int(pytest.ExitCode.INTERNAL_ERROR)
    assert int(ExitCode.USAGE) == int(pytest.ExitCode.USAGE_ERROR)
    assert int(ExitCode.NOTHING_COLLECTED) == int(pytest.ExitCode.NO_TESTS_COLLECTED)
    assert len(ExitCode) == 6


def test_the_outcomes_are_the_seven_words_of_the_record() -> None:
    names = ["passed", "failed", "inconclusive", "error", "skipped", "xfailed", "xpassed"]
    assert [outcome.value for outcome in Outcome] == names
    assert f"{Outcome.XFAILED}" == "xfailed"
