"""docs/language-ratings.md: its table is that of the ratings."""

from __future__ import annotations

from benchmarks.languages import table
from tests.docs.page import DOCS


def test_the_table_is_that_of_the_ratings() -> None:
    assert table() in (DOCS / "language-ratings.md").read_text(encoding="utf-8")
