"""Expressions of ``-k`` and ``-m``: words, ``and``, ``or``, ``not`` and parentheses. No code is evaluated."""

from __future__ import annotations

import re
from collections.abc import Callable

from robustfim.errors import UsageError

__all__ = ["compile_expression"]

Has = Callable[[str], bool]
"""Returns whether a word is true of the item in question."""

_PART = re.compile(r"[()]|[^\s()]+")


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
    parser = _Parser(_PART.findall(text), UsageError(f"{option} {text!r}: write words joined by and, or, not and ()."))
    compiled = parser.either()
    parser.end()
    return compiled


class _Parser:
    """Recursive descent parser of an expression."""

    def __init__(self, parts: list[str], problem: UsageError) -> None:
        self._parts, self._problem = parts[::-1], problem

    def either(self) -> Callable[[Has], bool]:
        choices = [self._both()]
        while self._take_if("or"):
            choices.append(self._both())
        return lambda has: any(choice(has) for choice in choices)

    def end(self) -> None:
        if self._parts:
            raise self._problem

    def _both(self) -> Callable[[Has], bool]:
        needed = [self._single()]
        while self._take_if("and"):
            needed.append(self._single())
        return lambda has: all(each(has) for each in needed)

    def _single(self) -> Callable[[Has], bool]:
        if self._take_if("not"):
            inner = self._single()
            return lambda has: not inner(has)
        if self._take_if("("):
            inside = self.either()
            if not self._take_if(")"):
                raise self._problem
            return inside
        if not self._parts or self._parts[-1] in {")", "and", "or"}:
            raise self._problem
        word = self._parts.pop()
        return lambda has: has(word)

    def _take_if(self, part: str) -> bool:
        if self._parts and self._parts[-1] == part:
            self._parts.pop()
            return True
        return False
