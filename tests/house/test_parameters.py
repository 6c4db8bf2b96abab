"""A function has at most twelve parameters that were written by hand; more are a value of their own."""

from __future__ import annotations

import ast

from tests.house.tree import parsed, python_files, shown

MOST = 12
DECLARATIONS = {
    "plugins/robustfim_blackbox/chat/model.py": "the options of the model, which a suite's are read from",
    "plugins/robustfim_blackbox/http_model.py": "the options of the model, which a suite's are read from",
}
"""Files whose class a plugin offers: its signature is the one declaration of its options."""


def by_hand(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many parameters a caller gives; those of a command are given by click, one for each of its options."""
    if any("command" in ast.unparse(each) for each in function.decorator_list):
        return 0
    given = function.args
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len([name for name in names if name not in ("self", "cls")])


def test_no_function_has_more_than_twelve_parameters() -> None:
    long = {
        shown(path): f"{node.name} has {by_hand(node)}"
        for path in python_files()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and by_hand(node) > MOST
    }
    assert {path: said for path, said in long.items() if path not in DECLARATIONS} == {}
    assert DECLARATIONS.keys() <= long.keys(), "an exception that is not needed"


def test_the_rule_counts_all_kinds_of_parameters() -> None:
    (function,) = ast.parse("def f(self, a, /, b, *more, c, d=1, **rest): ...").body
    assert isinstance(function, ast.FunctionDef)
    assert by_hand(function) == 4
