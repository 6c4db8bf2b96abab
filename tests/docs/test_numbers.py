"""The suites of docs/numbers.md run as they are printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.record import Record
from tests.docs.page import Page

PAGE = Page.read("numbers.md")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the page's files into an empty current folder."""
    monkeypatch.chdir(tmp_path)
    PAGE.write_files()


@pytest.mark.usefixtures("files")
def test_numbers_are_judged_within_their_tolerance_and_pairs_by_their_order(capsys: pytest.CaptureFixture[str]) -> None:
    PAGE.check("Numbers: regressions and reward models", capsys)
    record = Record.load(Path("reports/stars/results.json"))
    assert record.model.accuracy.rate == 0.75
    for failure in record.failures:
        if failure.check.endswith("typos"):
            assert abs(float(failure.after.label) - float(failure.before.label)) > 0.25
