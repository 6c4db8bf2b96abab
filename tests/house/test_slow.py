"""A slow test is never the only one of its part: the fast ones, which run most often, look at each."""

from __future__ import annotations

import ast
import re

from tests.house.tree import ROOT, shown

IN_A_BROWSER = {"tests/plugins/robustfim_explore/test_browser.py", "tests/plugins/robustfim_html/test_browser.py"}
"""Slow as a whole, `tests/conftest.py`; what the pages hold is looked at beside them."""
ON_A_PAGE = {"browser", "opened"}
FILES = [path for part in ("plugins", "robustfim") for path in sorted((ROOT / "tests" / part).rglob("test_*.py"))]


def fast(source: str) -> list[str]:
    """The tests of a file that are not slow as a whole."""
    if not any(each in source for each in ("mark.slow", *ON_A_PAGE)):
        return re.findall(r"^def (test_\w+)", source, re.MULTILINE)
    functions = [each for each in ast.parse(source).body if isinstance(each, ast.FunctionDef)]
    return [
        function.name
        for function in functions
        if function.name.startswith("test_")
        and "pytest.mark.slow" not in map(ast.unparse, function.decorator_list)
        and not ON_A_PAGE & {argument.arg for argument in function.args.args}
    ]


def test_each_file_has_a_fast_test() -> None:
    assert len(FILES) > 300
    without = {shown(path) for path in FILES if not fast(path.read_text(encoding="utf-8"))}
    assert without == IN_A_BROWSER


def test_a_slow_test_is_told_from_a_fast_one() -> None:
    source = "@pytest.mark.slow\ndef test_a(): ...\n\n\ndef test_b(browser): ...\n\n\ndef test_c(): ...\n"
    assert fast(source) == ["test_c"]
