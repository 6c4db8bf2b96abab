"""The suites of docs/spans.md run as they are printed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.page import Page

PAGE = Page.read("spans.md")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the page's files into an empty current folder."""
    monkeypatch.chdir(tmp_path)
    PAGE.write_files()


@pytest.mark.slow
@pytest.mark.usefixtures("files")
def test_the_tagger_is_judged_by_its_spans(capsys: pytest.CaptureFixture[str]) -> None:
    PAGE.check("Spans: a tagger of names or personal data", capsys)


@pytest.mark.usefixtures("files")
def test_the_tagger_that_ships_misses_names_in_small_letters(capsys: pytest.CaptureFixture[str]) -> None:
    PAGE.check("A limit for what is missed", capsys)
