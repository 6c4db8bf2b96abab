"""A name that could stand for anything is read where it was bound: within five lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.house.test_rooms import ORDER
from tests.house.tree import CORE, python_files, shown

PRONOUNS = {"each", "found", "kept", "own", "told"}
ROOMS = ("", *ORDER)
"""The hall and all rooms."""
LINES = 5

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def lines_of(node: ast.stmt | ast.expr) -> int:
    """How many lines a statement or an expression takes."""
    return (node.end_lineno or node.lineno) - node.lineno + 1


def pronouns(node: ast.AST) -> Iterator[ast.Name]:
    """The names among the pronouns below a node."""
    return (name for name in ast.walk(node) if isinstance(name, ast.Name) and name.id in PRONOUNS)


def loops(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Loops and comprehensions over more lines, by the line and the name that they bind."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.For, *_COMPREHENSIONS)) and lines_of(node) > LINES:
            targets = (
                [node.target] if isinstance(node, ast.For) else [generator.target for generator in node.generators]
            )
            yield from ((node.lineno, name.id) for target in targets for name in pronouns(target))


def assigned(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Names that a function binds, as a parameter or a variable, and reads more lines on, before it binds them anew."""
    for function in (node for node in ast.walk(tree) if isinstance(node, _SCOPES)):
        inside = {
            id(name)
            for node in ast.walk(function)
            if isinstance(node, _COMPREHENSIONS)
            for bound in [{name.id for generator in node.generators for name in pronouns(generator.target)}]
            for name in pronouns(node)
            if name.id in bound
        }
        names = [name for name in pronouns(function) if id(name) not in inside]
        parameters = [(arg.lineno, arg.arg) for arg in ast.walk(function.args) if isinstance(arg, ast.arg)]
        for pronoun in PRONOUNS:
            binds = [line for line, name in parameters if name == pronoun]
            binds += [name.lineno for name in names if name.id == pronoun and isinstance(name.ctx, ast.Store)]
            reads = [name.lineno for name in names if name.id == pronoun and isinstance(name.ctx, ast.Load)]
            for bind, following in pairwise([*sorted(binds), 10**9]):
                if max((line for line in reads if bind <= line < following), default=bind) - bind >= LINES:
                    yield bind, pronoun


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room or "hall")
def test_a_pronoun_is_read_within_five_lines(room: str) -> None:
    far = {
        f"{shown(path)}:{line}: {name}"
        for path in (python_files(CORE / room) if room else sorted(CORE.glob("*.py")))
        for tree in [ast.parse(path.read_text(encoding="utf-8"))]
        for line, name in (*loops(tree), *assigned(tree))
    }
    assert not far


def test_the_rule_sees_a_loop_a_variable_and_a_parameter() -> None:
    read = "\n".join(["    print(each)"] * 6)
    for text in (f"def f(each):\n{read}", f"for each in []:\n{read}", f"def f():\n    each = 1\n{read}"):
        assert [*loops(ast.parse(text)), *assigned(ast.parse(text))], text
    for text in ("def f():\n    each = 1\n\n\n\n    return each", "each = [each for each in ()]"):
        assert not [*loops(ast.parse(text)), *assigned(ast.parse(text))], text
