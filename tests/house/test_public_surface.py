"""What plugins and scripts may import is one list: the hall, and the doors that a room's docstring names."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache

from tests.house.tree import CORE, ROOT, SHARED, core_modules, imports, parsed, plugin_folders, python_files, shown

HALL = {"robustfim", *(f"robustfim.{path.stem}" for path in CORE.glob("*.py") if not path.stem.startswith("_"))}
MODULES, IMPORTS = 9, 20
"""The most modules of rooms that plugins import by their own names, and the most statements that do."""
WITHIN = "plugins/robustfim_testing/"
"""Conformance asks a part as a run does, and reads its answers with the functions that a run has for them."""
OPEN = re.compile(r"^Open to (?:plugins|the entry point): (.*?)\.$", re.MULTILINE | re.DOTALL)


@cache
def doors() -> frozenset[str]:
    """The packages that are open, as their docstrings say: what they export, and the modules that they name."""
    found = set()
    for path in CORE.glob("*/__init__.py"):
        if match := OPEN.search(ast.get_docstring(parsed(path)) or ""):
            named = {name for name in re.findall(r"``(\w+)``", match[1]) if (path.parent / f"{name}.py").is_file()}
            found |= {f"robustfim.{path.parent.name}.{name}" for name in named}
            if "__all__" in path.read_text(encoding="utf-8"):
                found.add(f"robustfim.{path.parent.name}")
    return frozenset(found)


def inside(module: str) -> str:
    """The part of a room that an import reaches, by its name in the core; "" for what is public."""
    if module in HALL | doors() or not module.startswith("robustfim."):
        return ""
    return module.removeprefix("robustfim.")


def used() -> dict[str, list[str]]:
    """What first-party plugins, benchmarks and examples import of the core, and where."""
    found: dict[str, list[str]] = {}
    for path in python_files(*plugin_folders(), *SHARED, ROOT / "benchmarks", ROOT / "examples"):
        for each in imports(path):
            if each.root == "robustfim":
                found.setdefault(each.module, []).append(f"{shown(path)}:{each.line}")
    return found


def test_first_party_plugins_import_only_what_is_public() -> None:
    reached = [place for name, places in used().items() for place in places if inside(name)]
    assert [place for place in reached if not place.startswith(WITHIN)] == []


def test_a_door_to_one_module_stands_open_only_as_long_as_a_plugin_uses_it() -> None:
    modules = {name for name in doors() if name.count(".") == 2}
    assert modules
    assert modules <= set(used())


def test_what_plugins_import_from_within_rooms_is_little() -> None:
    """A room offers on its face what several plugins use of it."""
    deep = {
        (module, place)
        for module, places in used().items()
        for place in places
        if module.count(".") == 2 and place.startswith("plugins/") and not place.startswith(WITHIN)
    }
    assert len({module for module, _ in deep}) <= MODULES
    assert len(deep) <= IMPORTS


def test_a_door_exports_what_it_says() -> None:
    for name in doors():
        module = name.removeprefix("robustfim.")
        path = core_modules().get(module) or core_modules()[f"{module}.__init__"]
        assert "__all__" in path.read_text(encoding="utf-8"), name


def code_of_readers() -> Iterator[tuple[str, str]]:
    """What readers copy: the pages, and the code of the notebooks."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        yield shown(page), page.read_text(encoding="utf-8")
    for path in sorted((ROOT / "examples").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        yield shown(path), "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def test_pages_and_notebooks_import_only_what_is_public() -> None:
    read = dict(code_of_readers())
    assert any(name.endswith(".ipynb") for name in read)
    pattern = re.compile(r"^\s*(?:from (robustfim(?:\.\w+)*) import|import (robustfim(?:\.\w+)*))", re.MULTILINE)
    reached = {
        (name, module)
        for name, text in read.items()
        for pair in pattern.findall(text)
        if (module := inside("".join(pair)))
    }
    assert not reached
