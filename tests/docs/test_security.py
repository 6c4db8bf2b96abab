"""docs/security.md: its numbers are those of the code."""

from __future__ import annotations

from pathlib import Path

from robustfim.suite.file import read_suite_file
from tests.docs.page import Page

PAGE = Page.read("security.md")


def test_three_hundred_answers_find_one_percent_with_95_percent() -> None:
    assert 0.95 <= 1 - 0.99**300 < 0.952


def test_the_largest_suite_is_as_large_as_the_page_says(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_bytes(b"suite: a\n" + b"#" * (2 * 2**20 - 9))
    assert read_suite_file(path).data == {"suite": "a"}
    assert "more than 2 MB, of more than 100,000 values or nested deeper than 40" in PAGE.sections["What has an end"]
