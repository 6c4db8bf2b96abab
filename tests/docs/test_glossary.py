"""docs/glossary.md: at most 50 terms in the order of the alphabet, each of which another page uses."""

from __future__ import annotations

import re

from tests.docs.page import DOCS, Page

ROWS = [row for row in Page.read("glossary.md").sections[""].splitlines() if row.startswith("| ")][2:]
TERMS = [row.split(" | ")[0].removeprefix("| ") for row in ROWS]


def test_there_are_at_most_fifty_terms_each_once_and_in_order() -> None:
    sorts = [term.lower().replace("λ", "l") for term in TERMS]
    assert sorts == sorted(sorts)
    assert 30 <= len(set(sorts)) == len(TERMS) <= 50


def test_a_term_is_used_by_another_page() -> None:
    pages = (path.read_text(encoding="utf-8") for path in DOCS.glob("*.md") if path.name != "glossary.md")
    text = " ".join(" ".join(pages).lower().split())
    assert [term for term in TERMS if not re.search(rf"\b{re.escape(term.lower())}", text)] == []
