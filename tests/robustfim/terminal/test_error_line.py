from __future__ import annotations

import pytest

from robustfim.errors import (
    DataError,
    ModelError,
    NothingCollected,
    PluginError,
    RobustfimError,
    SuiteError,
    UsageError,
)
from robustfim.outcome import ExitCode
from robustfim.terminal.error_line import print_error, tell


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("x"), ExitCode.USAGE),
        (SuiteError("x", path="s.yaml", line=3), ExitCode.USAGE),
        (DataError("x"), ExitCode.USAGE),
        (NothingCollected("x"), ExitCode.NOTHING_COLLECTED),
        (PluginError("x"), ExitCode.FAILED),
        (ModelError("x"), ExitCode.FAILED),
    ],
)
def test_each_error_has_its_exit_code_and_one_line(
    error: RobustfimError, code: ExitCode, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tell(error) is code
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", f"ERROR: {error}\n")


def test_line_breaks_become_blanks_and_a_long_line_is_not_broken(capsys: pytest.CaptureFixture[str]) -> None:
    print_error("first\n   second " + "word " * 60)
    assert capsys.readouterr().err == f"ERROR: first second {' '.join(['word'] * 60)}\n"


def test_escape_sequences_and_markup_are_shown_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    print_error("no file [bold]\x1b[31mx.csv[/bold]")
    assert capsys.readouterr().err == "ERROR: no file [bold]\\u001b[31mx.csv[/bold]\n"
