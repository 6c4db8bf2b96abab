"""Mutants: modules with one changed operator, comparison, constant, condition, result or word of SQL."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

__all__ = ["ROOT", "Mutant", "mutants_of"]

ROOT = Path(__file__).parents[1]

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.Pow: ast.Mult, ast.Mod: ast.Add,
}  # fmt: skip
_SQL = {"IMMEDIATE": "DEFERRED", "OR REPLACE": "OR IGNORE", "NOT NULL": "", "PRIMARY KEY": ""}


@dataclass(frozen=True)
class Mutant:
    """One change of a module.

    Attributes:
        path: The path of the module.
        index: The index of the changed node in the module's syntax tree, in the order of ``ast.walk``.
        way: The index of the change among the changes that are possible for this node.
        line: The line of the node.
        what: The change in words: the old and the new code.
    """

    path: Path
    index: int
    way: int
    line: int
    what: str

    @property
    def module(self) -> str:
        """The path of the module, relative to ``robustfim/``."""
        return self.path.relative_to(ROOT / "robustfim").as_posix()

    @cached_property
    def source(self) -> str:
        """The module's source with the change, made from the file when this property is first read."""
        tree = ast.parse(self.path.read_text(encoding="utf-8"))
        _change(next(islice(ast.walk(tree), self.index, None)), self.way)
        return ast.unparse(ast.fix_missing_locations(tree))


def mutants_of(path: Path) -> Iterator[Mutant]:
    """List every mutant of a module.

    Args:
        path: The module.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    annotations = {id(inner) for each in ast.walk(tree) for part in _annotations(each) for inner in ast.walk(part)}
    hidden = docstrings | annotations | {id(part) for each in ast.walk(tree) for part in _assertions(each)}
    for index, node in enumerate(ast.walk(tree)):
        if id(node) not in hidden:
            for way, what in enumerate(_ways(node)):
                yield Mutant(path, index, way, getattr(node, "lineno", 0), what)


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    """What of a node only type checkers read."""
    for name in ("annotation", "returns"):
        part = getattr(node, name, None)
        if isinstance(part, ast.AST):
            yield part


def _assertions(node: ast.AST) -> Iterator[ast.AST]:
    """What of a node says what is so, and decides nothing: decorators' words, and that lengths are equal."""
    for decorator in getattr(node, "decorator_list", ()):
        yield from ast.walk(decorator)
    if isinstance(node, ast.keyword) and node.arg == "strict":
        yield node.value


def _ways(node: ast.AST) -> list[str]:
    """Say how a node can be changed."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _COMPARISONS:
            return [f"{type(operator).__name__} → {_COMPARISONS[type(operator)].__name__}"]
        case ast.BinOp(op=operator) if type(operator) in _OPERATORS:
            return [f"{type(operator).__name__} → {_OPERATORS[type(operator)].__name__}"]
        case ast.BoolOp():
            return ["and ↔ or"]
        case ast.UnaryOp(op=ast.Not()):
            return ["not left out"]
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return []  # false whenever it runs
        case ast.If():
            return ["the condition is always true", "the condition is never true"]
        case ast.Constant(value=bool()):
            return ["True ↔ False"]
        case ast.Constant(value=int() | float()):
            return ["a number is one more"]
        case ast.Constant(value=str() as text) if any(word in text for word in _SQL):
            return [f"{word} in SQL" for word in _SQL if word in text]
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            return ["returns None"]
        case ast.Break() | ast.Continue():
            return ["goes on instead"]
    return []


def _change(node: ast.AST, way: int) -> None:
    """Change a node in place."""
    match node:
        case ast.Compare(ops=[operator]):
            node.ops = [_COMPARISONS[type(operator)]()]
        case ast.BinOp():
            node.op = _OPERATORS[type(node.op)]()
        case ast.BoolOp():
            node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        case ast.UnaryOp():  # not not x is x, as far as conditions go
            node.operand = ast.UnaryOp(op=ast.Not(), operand=node.operand)
        case ast.If():
            node.test = ast.Constant(value=way == 0)
        case ast.Constant(value=bool()):
            node.value = not node.value
        case ast.Constant(value=int() | float() as number):
            node.value = number + 1
        case ast.Constant(value=str() as text):
            word = [each for each in _SQL if each in text][way]
            node.value = text.replace(word, _SQL[word])
        case ast.Return():
            node.value = ast.Constant(value=None)
        case ast.Break() | ast.Continue():
            node.__class__ = ast.Pass  # type: ignore[assignment]  # a statement in the place of another
