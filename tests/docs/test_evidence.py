"""docs/evidence.md: at most fifteen claims, each with a command of its result, and every result that missed an aim.

That its numbers stand in their results is held by ``tests/benchmarks/test_quoted.py``.
"""

from __future__ import annotations

import re

from benchmarks.sections import INDEX
from tests.benchmarks.test_quoted import LINK
from tests.docs.page import Page

PAGE = Page.read("evidence.md")
RESULTS = {path.stem: path.read_text(encoding="utf-8") for path in INDEX.parent.glob("*.md") if path != INDEX}


def rows(title: str) -> list[str]:
    """The rows of a section's table."""
    return [line for line in PAGE.sections[title].splitlines() if line.startswith("| ")][2:]


def test_there_are_at_most_fifteen_claims_each_with_a_command_that_its_result_names() -> None:
    claims = rows("Claims")
    assert 10 <= len(claims) <= 15
    for claim in claims:
        command = re.findall(r"`(python -m [^`]+)` \|$", claim)[0]
        assert f"`{command}" in RESULTS[LINK.findall(claim)[0]], claim


def test_every_result_with_a_missed_aim_is_named() -> None:
    missed = {name for name, text in RESULTS.items() if re.search(r"(\| |: |is )missed\b", text)}
    assert {LINK.findall(row)[0] for row in rows("Missed aims")} == missed
