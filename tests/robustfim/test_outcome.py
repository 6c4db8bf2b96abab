from __future__ import annotations

import pytest

from robustfim.outcome import ExitCode, Outcome


def test_the_exit_codes_are_those_of_pytest() -> None:
    assert ExitCode.OK == pytest.ExitCode.OK
    assert ExitCode.FAILED == pytest.ExitCode.TESTS_FAILED
    assert ExitCode.INTERRUPTED == pytest.ExitCode.INTERRUPTED
    assert ExitCode.INTERNAL_ERROR == pytest.ExitCode.INTERNAL_ERROR
    assert ExitCode.USAGE == pytest.ExitCode.USAGE_ERROR
    assert ExitCode.NOTHING_COLLECTED == pytest.ExitCode.NO_TESTS_COLLECTED
    assert len(ExitCode) == 6


def test_the_outcomes_are_the_seven_words_of_the_record() -> None:
    names = ["passed", "failed", "inconclusive", "error", "skipped", "xfailed", "xpassed"]
    assert [outcome.value for outcome in Outcome] == names
    assert f"{Outcome.XFAILED}" == "xfailed"
