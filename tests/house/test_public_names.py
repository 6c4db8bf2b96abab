"""Every module says in ``__all__`` what is public, and what is public has a docstring."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.tree import parsed, python_files, shown

WITHOUT = {"__main__.py"}
"""Files that nobody imports."""

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def says_only(path: Path) -> bool:
    """Whether a file holds a docstring and nothing else: the door of a room."""
    return len(parsed(path).body) == 1


MODULES = [path for path in python_files() if path.name not in WITHOUT and not says_only(path)]


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


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_a_module_names_what_is_public_and_has_it(path: Path) -> None:
    names = exported(path)
    assert len(names) == len(set(names))
    assert set(names) <= set(defined(parsed(path)))


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_what_is_public_is_documented_and_what_is_not_begins_with_an_underscore(path: Path) -> None:
    assert ast.get_docstring(parsed(path)), f"{shown(path)} has no docstring"
    public = {node.name: node for node in parsed(path).body if isinstance(node, Definition) and node.name[0] != "_"}
    hooks = {name for name, node in public.items() if any("hookspec" in ast.unparse(d) for d in node.decorator_list)}
    assert set(public) - hooks <= set(exported(path))
    bare = [name for name, node in public.items() if not ast.get_docstring(node)]
    assert not bare


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_a_public_method_is_documented(path: Path) -> None:
    bare = [
        f"{node.name}.{method.name}"
        for node in parsed(path).body
        if isinstance(node, ast.ClassDef) and node.name[0] != "_"
        for method in node.body
        if isinstance(method, Definition) and method.name[0] != "_" and not ast.get_docstring(method)
    ]
    assert not bare
