"""The files that affect a user's module: modules beside it that it imports, and files that it reads on import."""

from __future__ import annotations

import ast
import gc
import os
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

__all__ = ["beside", "files_read", "reading", "versions", "weight_files"]

_WEIGHTS = re.compile(
    r".*\.(bin|cbm|ckpt|ftz|gguf|h5|joblib|keras|model|np[yz]|onnx|pb|pickle|pkl|pth?|safetensors|tflite|ubj|vec|weights)"
    r"|tokenizer\.json",
    re.IGNORECASE,
)
"""Suffixes of files of weights. Libraries open them in C or Rust, where Python's hooks do not see it."""

_READ: dict[str, list[Path]] = {}
"""The files read during the import of a module, by the module's name. A module is imported once in a process."""
_LONGEST = 500
_under_way = threading.local()
_hooked: list[bool] = []


def beside(sources: Sequence[Path], folder: Path) -> list[Path]:
    """Find the modules in a folder that source files import, directly or indirectly, at their top or in a function.

    Imports are read from the sources, so it does not matter which modules are already loaded.

    Args:
        sources: Source files.
        folder: The folder to search.

    Returns:
        Source files other than ``sources``, in the order of their paths; for a package all its files.
    """
    known, waiting = set(sources), list(sources)
    while waiting:
        for name in _imported(waiting.pop()):
            package, module = folder / name, folder / f"{name}.py"
            files = package.rglob("*.py") if package.is_dir() else [module] if module.is_file() else []
            new = set(files) - known
            known |= new
            waiting += sorted(new)
    return sorted(known - set(sources))


def weight_files(module: str, sources: Sequence[Path], folder: Path) -> list[Path]:
    """List the files of weights that a module uses.

    A file of weights counts if the module's sources name it. It also counts if it is in a folder that the sources name,
    or from which the module read a file.

    Args:
        module: The module's name.
        sources: The module's source files, and the source files beside it.
        folder: The folder of the module.

    Returns:
        The existing files, in the order of their paths.
    """
    places = {path.parent for path in files_read(module)}
    for name in {name for source in sources for name in _texts(source)}:
        places |= {Path.cwd() / name, folder / name, *(source.parent / name for source in sources)}
    found: set[Path] = set()
    for place in places:
        with suppress(OSError, ValueError):  # any text may stand in a source
            found |= set(place.iterdir()) if place.is_dir() else {place}
    return sorted({path.resolve() for path in found if _WEIGHTS.fullmatch(path.name) and path.is_file()})


def versions(sources: Sequence[Path]) -> list[str]:
    """List the versions of installed packages that source files import; another version may give other answers.

    Versions are read from the installation, so it does not matter which packages are already loaded.

    Args:
        sources: Source files.

    Returns:
        ``name version`` of each package, sorted by name, without the standard library.
    """
    names = {name for source in sources for name in _imported(source)} - sys.stdlib_module_names
    return [f"{name} {version}" for name in sorted(names) if (version := _version(name))]


def _version(name: str) -> str:
    with suppress(metadata.PackageNotFoundError):
        return metadata.version(name)
    return ", ".join(sorted(metadata.version(distribution) for distribution in {*_distributions().get(name, ())}))


_distributions = cache(metadata.packages_distributions)


def _texts(source: Path) -> Iterator[str]:
    """The texts in a source file that may be paths."""
    for node in ast.walk(_tree(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            if 0 < len(text) < _LONGEST and not {"\n", "\0"} & set(text):
                yield text
                yield text.lstrip("/") or "."  # after the folder of an f-string


def _imported(source: Path) -> set[str]:
    """The first parts of the names that a source file imports."""
    names: set[str] = set()
    for node in ast.walk(_tree(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def _tree(source: Path) -> ast.AST:
    """The syntax of a source file; empty where it has none."""
    code, collects = source.read_bytes(), gc.isenabled()
    # Up to Python 3.11.7 a finalizer that parses, too, breaks this with a SystemError (CPython's gh-106905).
    gc.disable()
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError):
        return ast.Module([], [])
    finally:
        if collects:
            gc.enable()


@contextmanager
def reading(module: str) -> Iterator[None]:
    """Inside the ``with`` block, record the files that this thread opens for reading while it imports a module."""
    if module in sys.modules:
        yield
        return
    if not _hooked:  # it can never be taken away
        sys.addaudithook(_note)
        _hooked.append(True)
    before, _under_way.files = getattr(_under_way, "files", None), []
    try:
        yield
    finally:
        _READ[module] = _under_way.files
        _under_way.files = before


def files_read(module: str) -> list[Path]:
    """List the files beside a module, or in the current folder, that its import read.

    Returns:
        The existing files, in the order of their paths, without source files.
    """
    file = getattr(sys.modules.get(module), "__file__", None)
    folders = [Path.cwd(), *([Path(file).parent] if file else [])]
    return sorted(
        path
        for path in set(_READ.get(module, ()))
        if path.suffix not in (".py", ".pyc") and path.is_file() and any(map(path.is_relative_to, folders))
    )


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event != "open":  # as nearly always
        return
    files = getattr(_under_way, "files", None)
    if files is None or not isinstance(arguments[0], str | bytes | os.PathLike):
        return
    path, mode, flags = arguments
    if not (flags or 0) & (os.O_WRONLY | os.O_RDWR) and not set(mode or "") & set("wax+"):
        files.append(Path(os.fsdecode(path)).absolute())
