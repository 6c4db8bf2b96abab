"""docs/evidence.md: at most fifteen claims, each with a command of its section, and every section that missed an aim.

That its numbers stand in their sections is held by ``tests/benchmarks/test_quoted.py``.
"""

from __future__ import annotations

import re

from tests.benchmarks.test_quoted import LINK, SECTIONS
from tests.docs.page import Page

PAGE = Page.read("evidence.md")


def rows(title: str) -> list[str]:
    """The rows of a section's table."""
    return [line for line in PAGE.sections[title].splitlines() if line.startswith("| ")][2:]


def test_there_are_at_most_fifteen_claims_each_with_a_command_that_its_section_names() -> None:
    claims = rows("Claims")
    assert 10 <= len(claims) <= 15
    for claim in claims:
        command = re.findall(r"`(python -m [^`]+)` \|$", claim)[0]
        assert f"`{command}" in SECTIONS[LINK.findall(claim)[0]], claim


def test_every_section_with_a_missed_aim_is_named() -> None:
    missed = {name for name, text in SECTIONS.items() if re.search(r"(\| |: |is )missed\b", text)}
    assert {LINK.findall(row)[0] for row in rows("Missed aims")} == missed
