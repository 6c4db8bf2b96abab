"""docs/tutorial.md, run from its first line to its last: its screens, and that the mend is proved."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from robustfim.outcome import ExitCode, Outcome
from robustfim.record import Record
from tests.docs.page import Page

PAGE = Page.read("tutorial.md")


@pytest.mark.slow
def test_the_tutorial_shows_what_it_says_and_mends_what_it_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "my_model", raising=False)
    PAGE.write_files()
    records = {}
    for title in PAGE.sections:
        PAGE.check(title, capsys)
        path = Path("reports/requests/results.json")
        records[title] = Record.load(path) if path.exists() else None
    first, data, letters = (
        records[title] for title in ("Write a suite and run it", "First change: more training data",
                                     "Second change: letters for words")
    )  # fmt: skip
    assert first is not None
    assert {check.name: check.outcome for check in first.checks}["typos"] is Outcome.FAILED
    for mended in (data, letters):
        assert mended is not None
        (comparison,) = mended.comparisons
        typos = next(check for check in comparison.checks if check.id.endswith("typos"))
        assert comparison.proven, "it may replace the baseline"
        assert typos.estimate.interval is not None
        assert typos.estimate.interval[1] < 0, "certainly fewer failures than before"
        assert mended.exit_code == ExitCode.OK
    assert letters is not None
    assert {check.outcome for check in letters.checks} == {Outcome.PASSED}
