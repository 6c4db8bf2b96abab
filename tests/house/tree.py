"""The tree of the project, as the rules of the house read it: files, modules, and who imports what."""

from __future__ import annotations

import ast
import gc
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
CORE = ROOT / "robustfim"
PLUGINS = ROOT / "plugins"
SHARED = [PLUGINS / f"robustfim_{name}" for name in ("checkpoints", "drawing", "power", "steps", "testing", "texts")]
"""Packages beside the plugins that are none: they offer nothing, and plugins and scripts import them."""
HEAVY = {
    *("captum", "datasets", "pandas", "pyarrow", "ray", "safetensors", "sklearn"),
    *("spacy", "textattack", "thinc", "tokenizers", "torch", "transformers"),
}
"""Libraries that take long to import, or that not everybody has installed."""


@dataclass(frozen=True)
class Import:
    """One imported module.

    Attributes:
        module: Its full dotted name.
        line: Where it is imported.
        late: Whether that happens inside a function.
        typing: Whether it happens under ``if TYPE_CHECKING``, for type checkers only.
    """

    module: str
    line: int
    late: bool
    typing: bool

    @property
    def root(self) -> str:
        """The first part of the name: the library."""
        return self.module.partition(".")[0]


@cache
def core_modules() -> dict[str, Path]:
    """The modules of the core by their name within the package."""
    return {".".join(path.relative_to(CORE).with_suffix("").parts): path for path in sorted(CORE.rglob("*.py"))}


def plugin_folders() -> list[Path]:
    """The folders of the plugins."""
    folders = (path for path in PLUGINS.iterdir() if path.is_dir() and any(path.glob("*.py")))
    return sorted(set(folders) - {*SHARED})


def python_files(*folders: Path) -> list[Path]:
    """The Python files below folders; by default those of the core and of the plugins."""
    return sorted(path for folder in folders or (CORE, PLUGINS) for path in folder.rglob("*.py"))


def shown(path: Path) -> str:
    """A path as messages show it, from the root of the project."""
    return path.relative_to(ROOT).as_posix()


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    # Before Python 3.11.9 a finalizer that parses, or lets another thread do so, breaks the parse that it interrupts
    # ("AST constructor recursion depth mismatch", https://github.com/python/cpython/issues/106905).
    collects = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    finally:
        if collects:
            gc.enable()


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """Everything that a file imports, at its top, inside functions, or for type checkers only."""
    return tuple(_imports(parsed(path), path, late=False, typing=False))


def _imports(node: ast.AST, path: Path, *, late: bool, typing: bool) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        yield from (Import(alias.name, node.lineno, late, typing) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, f"{shown(path)}:{node.lineno}: a relative import; write the whole name"
        assert node.module
        for alias in node.names:
            submodule = f"{node.module}.{alias.name}"
            yield Import(submodule if _is_module(submodule) else node.module, node.lineno, late, typing)
    elif isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
        for child in node.body:
            yield from _imports(child, path, late=late, typing=True)
        for child in node.orelse:
            yield from _imports(child, path, late=late, typing=typing)
    else:
        late = late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.expr):  # which imports nothing
                continue
            yield from _imports(inner, path, late=late, typing=typing)


def _is_module(name: str) -> bool:
    """Whether a dotted name is a module of this project."""
    place = Path(*name.split("."))
    return any((root / place).with_suffix(".py").is_file() or (root / place).is_dir() for root in (ROOT, PLUGINS))


@cache
def project() -> dict[str, Any]:
    """``pyproject.toml``."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@cache
def committed() -> tuple[Path, ...]:
    """Every file that is, or would be, committed."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"git cannot list the files of this folder: {error}")
    return tuple(sorted(path for name in listed.split("\0") if name and (path := ROOT / name).is_file()))


def prose() -> list[Path]:
    """The pages that people read."""
    return sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.md")))
