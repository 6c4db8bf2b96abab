"""What plugins and scripts may import is one list: the hall, and the doors that a room's docstring names."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.house.tree import CORE, ROOT, core_modules, imports, plugin_folders, python_files, shown

HALL = {"robustfim", *(f"robustfim.{path.stem}" for path in CORE.glob("*.py") if not path.stem.startswith("_"))}
OPEN = re.compile(r"^Open to plugins: what this package exports(?:, and ``(\w+)``)?", re.MULTILINE)

STILL_INSIDE = {
    *("cli.group", "terminal.console", "terminal.diff", "terminal.printable"),
    *("collect.check", "collect.collection", "collect.model_and_data", "doctor.draft", "session.open"),
    *("plugin.factory", "plugin.loading", "plugin.manager", "plugin.options", "session.reporting", "select.lock"),
    *("predict.context", "predict.fingerprint", "predict.labels", "predict.queue", "predict.store"),
    *("propose.composition", "propose.proposal", "suite.config", "suite.file", "suite.format", "suite.overlay"),
}
"""What the commands of plugins still take from rooms: nothing may be added."""


def doors() -> set[str]:
    """The packages that are open, and the modules that their docstrings name."""
    found = set()
    for path in CORE.glob("*/__init__.py"):
        if match := OPEN.search(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""):
            found.add(f"robustfim.{path.parent.name}")
            if match[1]:
                found.add(f"robustfim.{path.parent.name}.{match[1]}")
    return found


def inside(module: str) -> str:
    """The part of a room that an import reaches, by its name in the core; "" for what is public."""
    if module in HALL | doors() or not module.startswith("robustfim."):
        return ""
    return module.removeprefix("robustfim.")


def used() -> dict[str, list[str]]:
    """What first-party plugins and benchmarks import from inside, and where."""
    found: dict[str, list[str]] = {}
    files = [*python_files(*plugin_folders()), *python_files(ROOT / "benchmarks")]
    for path in files:
        for each in imports(path):
            if name := inside(each.module):
                found.setdefault(name, []).append(f"{shown(path)}:{each.line}")
    return found


def test_first_party_plugins_import_only_what_is_public_and_what_is_not_public_yet() -> None:
    found = used()
    assert {name: places for name, places in found.items() if name not in STILL_INSIDE} == {}


def test_a_door_exports_what_it_says() -> None:
    for name in doors():
        module = name.removeprefix("robustfim.")
        path = core_modules().get(module) or core_modules()[f"{module}.__init__"]
        assert "__all__" in path.read_text(encoding="utf-8"), name


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.stem)
def test_examples_of_the_pages_import_only_what_is_public(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    modules = re.findall(r"^\s*from (robustfim(?:\.\w+)*) import", text, re.MULTILINE)
    assert {name for each in modules if (name := inside(each))} <= STILL_INSIDE
