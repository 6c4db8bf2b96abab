"""Every plugin of docs/plugins.md is run as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from robustfim.members import ROLES
from tests.docs.page import Page

PAGE = Page.read("plugins.md")
RUN = [title for title in PAGE.sections if list(PAGE.commands(title))]


def written_before(title: str) -> list[tuple[str, str]]:
    """The files of a section and of those above it."""
    titles = list(PAGE.sections)
    return [file for each in titles[: titles.index(title) + 1] for file in PAGE.files(each)]


def test_the_page_leads_to_the_plugin_of_every_kind_on_the_page_of_hooks() -> None:
    assert set(ROLES) <= set(re.findall(r"\]\(hooks\.md#(\w+)\)", PAGE.sections[""]))


def test_every_file_of_the_page_is_in_a_section_that_is_run() -> None:
    assert [title for title in PAGE.sections if PAGE.files(title)] == [title for title in RUN if PAGE.files(title)]


@pytest.mark.parametrize(
    "title", [pytest.param(each, marks=pytest.mark.slow) if "ackage" in each else each for each in RUN]
)  # a package is built and installed
def test_an_example_does_what_the_page_shows(
    title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for file, text in written_before(title):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    PAGE.check(title, capsys)
