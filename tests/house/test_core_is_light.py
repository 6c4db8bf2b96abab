"""The core imports no torch and no plugin: not in its text, and not when it runs."""

from __future__ import annotations

import sys
from importlib.metadata import packages_distributions
from pathlib import Path

from tests.house.importing import imported_by_code, imported_by_commands
from tests.house.tree import CORE, HEAVY, imports, project, python_files, shown

HELPING = ("--help", "--version", "run --help")
SHOWING = (*HELPING, "schema", "list suites/sentiment.yaml", "run suites/sentiment.yaml --co")
"""Commands that show something and compute nothing."""


def declared() -> set[str]:
    """The distributions that every installation of robustfim has."""
    names = (requirement.partition(">")[0].partition("[")[0] for requirement in project()["project"]["dependencies"])
    return {normal(name) for name in names}


def normal(name: str) -> str:
    """A distribution's name as indexes compare it."""
    return name.strip().lower().replace("_", "-")


def test_the_core_imports_only_the_standard_library_and_what_is_always_installed() -> None:
    providers, known = packages_distributions(), declared()
    strange = [
        f"{shown(path)}:{each.line} imports {each.module}"
        for path in python_files(CORE)
        for each in imports(path)
        if each.root not in (*sys.stdlib_module_names, "robustfim")
        and not {normal(name) for name in providers.get(each.root, ())} & known
    ]
    assert not strange


def test_a_command_that_only_shows_something_imports_no_heavy_library(tmp_path: Path) -> None:
    imported = imported_by_commands(tmp_path / "imported", *SHOWING)
    assert "robustfim.cli" in imported
    assert not sorted(imported & HEAVY)


def test_asking_for_help_imports_no_more_of_a_plugin_than_its_face_and_not_what_reads_a_suite(tmp_path: Path) -> None:
    imported = imported_by_commands(tmp_path / "imported", *HELPING)
    assert "robustfim.cli" in imported
    assert "pydantic" not in imported
    assert not sorted(name for name in imported if name.startswith("robustfim_") and "." in name)


def test_importing_robustfim_imports_no_plugin(tmp_path: Path) -> None:
    imported = imported_by_code("import robustfim; robustfim.run", tmp_path / "imported")
    assert "robustfim.hookspecs" in imported
    assert not sorted(name for name in imported if name.startswith("robustfim_"))
