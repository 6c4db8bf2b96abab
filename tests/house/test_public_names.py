"""Every module says in ``__all__`` what is public, and what is public has a docstring."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.house.tree import parsed, python_files, shown

WITHOUT = {"__main__.py"}
"""Files that nobody imports."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@cache
def modules() -> list[Path]:
    """The files that say what is public: all but those of a docstring and nothing else, the doors of rooms."""
    return [path for path in python_files() if path.name not in WITHOUT and len(parsed(path).body) > 1]


def defined(tree: ast.Module) -> Iterator[str]:
    """The names that a module defines or imports at its top."""
    for node in ast.walk(tree):
        if isinstance(node, Definition):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def exported(path: Path) -> list[str]:
    """``__all__`` of a module."""
    for node in parsed(path).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    pytest.fail(f"{shown(path)} has no __all__", pytrace=False)


def test_a_module_names_what_is_public_and_has_it() -> None:
    for path in modules():
        names = exported(path)
        assert len(names) == len(set(names)), shown(path)
        assert set(names) <= set(defined(parsed(path))), shown(path)


def test_what_is_public_is_documented_and_what_is_not_begins_with_an_underscore() -> None:
    bare = [shown(path) for path in modules() if not ast.get_docstring(parsed(path))]
    for path in modules():
        public = {node.name: node for node in parsed(path).body if isinstance(node, Definition) and node.name[0] != "_"}
        hooks = {
            name for name, node in public.items() if any("hookspec" in ast.unparse(d) for d in node.decorator_list)
        }
        assert set(public) - hooks <= set(exported(path)), shown(path)
        bare += [f"{shown(path)}: {name}" for name, node in public.items() if not ast.get_docstring(node)]
    assert not bare


def test_a_public_method_is_documented() -> None:
    bare = [
        f"{shown(path)}: {node.name}.{method.name}"
        for path in modules()
        for node in parsed(path).body
        if isinstance(node, ast.ClassDef) and node.name[0] != "_"
        for method in node.body
        if isinstance(method, Definition) and method.name[0] != "_" and not ast.get_docstring(method)
    ]
    assert not bare
