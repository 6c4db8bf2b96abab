"""A test waits for something with an end: a loop that sleeps until it comes would hang where it does not."""

from __future__ import annotations

import ast

from tests.house.tree import ROOT, python_files, shown

SLEEPS = {"sleep", "wait_for_timeout"}


def endless(source: str) -> list[int]:
    """The lines of the ``while`` loops that sleep and look at no clock."""
    if not any(sleep in source for sleep in SLEEPS):
        return []
    return [
        loop.lineno
        for loop in ast.walk(ast.parse(source))
        if isinstance(loop, ast.While)
        and SLEEPS
        & {
            node.func.attr
            for node in ast.walk(loop)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        }
        and "monotonic" not in ast.unparse(loop)
    ]


def test_no_test_waits_without_an_end() -> None:
    found = {shown(path) for path in python_files(ROOT / "tests") if endless(path.read_text(encoding="utf-8"))}
    assert found == {"tests/robustfim/session/test_time_limit.py"}, "there a plugin sleeps on, and is interrupted"


def test_a_loop_without_an_end_is_found() -> None:
    assert endless("while not done():\n    time.sleep(1)\nfor each in range(9):\n    time.sleep(1)\n") == [1]
    assert endless("while time.monotonic() < end:\n    page.wait_for_timeout(9)\n") == []
