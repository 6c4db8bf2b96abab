"""Expressions of ``-k`` and ``-m``: words, ``and``, ``or``, ``not`` and parentheses. No code is evaluated."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import partial

from robustfim.errors import UsageError

__all__ = ["compile_expression"]

Has = Callable[[str], bool]
"""Returns whether a word is true of the item in question."""

_WORD = re.compile(r"[^\s()]+")


def compile_expression(text: str, option: str) -> Callable[[Has], bool]:
    """Compile an expression such as ``synonyms and not (typos or case)`` to a function.

    Args:
        text: The expression; ``not`` binds tightest, then ``and``, then ``or``.
        option: The option that the expression comes from, for the message.

    Returns:
        A function that evaluates the expression, given a function ``has`` that says whether a word holds.

    Raises:
        UsageError: The expression is empty or malformed.

    >>> compile_expression("a and not b", "-k")(lambda word: word in {"a", "c"})
    True
    """
    words: list[str] = []

    def numbered(found: re.Match[str]) -> str:
        """Let a number stand for a word, so that Python's grammar reads whatever words there are."""
        if found[0] in ("and", "or", "not"):
            return f" {found[0]} "
        words.append(found[0])
        return str(len(words) - 1)

    try:
        tree = ast.parse(_WORD.sub(numbered, text).strip(), mode="eval").body
        parts = (ast.BoolOp, ast.UnaryOp, ast.Constant, ast.boolop, ast.Not, ast.expr_context)
        if not all(isinstance(node, parts) for node in ast.walk(tree)):
            raise SyntaxError(text)
    except (SyntaxError, RecursionError, MemoryError):
        raise UsageError(f"{option} {text!r}: write words joined by and, or, not and ().") from None
    return partial(_holds, tree, words)


def _holds(node: ast.AST, words: list[str], has: Has) -> bool:
    """Whether a node of an expression is true."""
    match node:
        case ast.BoolOp(op, values):
            return (all if isinstance(op, ast.And) else any)(_holds(each, words, has) for each in values)
        case ast.UnaryOp(_, operand):
            return not _holds(operand, words, has)
        case ast.Constant(int(number)):
            return has(words[number])
    raise AssertionError(node)
