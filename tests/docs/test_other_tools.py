"""docs/other-tools.md: what it says of robustfim is so, and each tool has its address."""

from __future__ import annotations

import re

from robustfim.suite.format import PerturbSpec
from tests.docs.page import DOCS

TEXT = (DOCS / "other-tools.md").read_text(encoding="utf-8")


def test_every_tool_has_an_address_a_question_and_something_it_does_better() -> None:
    rows = [line.strip("| ").split(" | ") for line in TEXT.splitlines() if line.startswith("| [")]
    assert len(rows) == 5
    for row in rows:
        assert re.fullmatch(r"\[\w+\]\(https://github\.com/[\w.-]+/[\w.-]+\)", row[0])
        assert row[1].endswith("?")
        assert len(row) == 4
        assert all(row)


def test_a_check_tests_eight_candidates_where_nothing_else_is_said() -> None:
    assert "a check with eight candidates" in " ".join(TEXT.split())
    assert PerturbSpec.model_fields["candidates"].default == 8
