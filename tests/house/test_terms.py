"""Hand-written pages use the field's terms: CONTRIBUTING's table names the others, one pattern a term."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.house.ratchet import GENERATED, prose_of
from tests.house.tree import ROOT, shown

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
PAGES = [
    *(path for path in sorted((ROOT / "docs").glob("*.md")) if path.name not in GENERATED),
    ROOT / "README.md",
    CONTRIBUTING,
]
TABLE = CONTRIBUTING.read_text(encoding="utf-8").split("\n| avoid | write |\n", 1)[1].split("\n\n", 1)[0]
TERMS = [
    (pattern.replace(r"\|", "|"), write)
    for avoid, write in re.findall(r"^\| (`.*`) \| (.*) \|$", TABLE, re.MULTILINE)
    for pattern in re.findall(r"`([^`]+)`", avoid)
]


def found(text: str) -> list[str]:
    """The avoided terms of a page outside code and the addresses of links, each with the term to write."""
    prose = re.sub(r"\]\([^)]*\)", "]", prose_of(text))
    return [
        f"{match[0]!r}: write {write}"
        for pattern, write in TERMS
        for match in re.finditer(rf"\b(?:{pattern})\b", prose, re.IGNORECASE)
    ]


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_a_page_avoids_the_terms_of_the_table(page: Path) -> None:
    assert found(page.read_text(encoding="utf-8")) == []


def test_the_table_has_terms_and_code_is_left_alone() -> None:
    assert len(TERMS) > 10
    assert found("It tells us.\n\n`told`\n\n```\nmend\n```\n[fixes](x.md#mending)\n") == [
        "'tells': write " + TERMS[0][1]
    ]
