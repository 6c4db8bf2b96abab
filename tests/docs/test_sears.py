"""Every example of docs/sears.md is run as it is printed."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from robustfim.example import Example
from robustfim.seeds import random_for
from robustfim_sears.rule.file import read_rules
from robustfim_sears.rule.perturbation import Rules
from tests.docs.page import Page

PAGE = Page.read("sears.md")
ROWS = re.findall(r"^\| `(.* → .*)` \| (.*) \| (.*) \|$", PAGE.sections["The file"], re.MULTILINE)


pytestmark = pytest.mark.usefixtures("here")
HAS_TORCH = importlib.util.find_spec("torch") is not None
test_the_commands_show_what_the_page_says = pytest.mark.skipif(not HAS_TORCH, reason="torch is not installed")(
    PAGE.test_of_commands()
)


@pytest.mark.parametrize(("rule", "text", "after"), ROWS)
def test_a_rule_does_what_the_table_says(rule: str, text: str, after: str) -> None:
    made = [candidate.example.text for candidate in Rules(rules=[rule]).propose(Example({"text": text}), random_for(0))]
    assert len(made) == 1
    PAGE.check_text(f"| `{rule}` | {text} | {after} |", f"| `{rule}` | {text} | {made[0]} |", rule)


def test_the_table_has_rules_and_the_file_is_read() -> None:
    assert len(ROWS) > 5
    assert [rule.text for rule in read_rules(Path("own.yaml"))] == [
        "film/NOUN → flick",
        "what NOUN → which NOUN",
        "NOUN and NOUN → NOUN or NOUN",
    ]
