"""tests/ mirrors the tree: a tests file of the core is named after its module, each other package its folder."""

from __future__ import annotations

from docs.reference import PAGES
from tests.house.tree import ROOT, SHARED, core_modules, plugin_folders

TESTS = ROOT / "tests"
ACROSS = {
    "engine.end_to_end": "runs with workers, as a user types them",
    "cli.gating": "accept, compare, --baseline, lock files and budgets, as a user types them",
}
"""Tests files of what several modules do together, and what that is."""


def modules() -> set[str]:
    """The modules of the core, but for the doors of its rooms."""
    return {name for name in core_modules() if not name.endswith(".__init__")}


def own_tests() -> set[str]:
    """The modules that have a tests file."""
    folder = TESTS / "robustfim"
    paths = (path.relative_to(folder).with_suffix("") for path in folder.rglob("test_*.py"))
    return {".".join((*path.parts[:-1], path.name.removeprefix("test_"))) for path in paths} - set(ACROSS)


def test_every_tests_file_of_the_core_is_named_after_a_module() -> None:
    assert own_tests() <= modules()


def test_every_plugin_has_a_folder_of_tests_and_every_folder_a_plugin() -> None:
    tested = {path.relative_to(TESTS / "plugins").parts[0] for path in (TESTS / "plugins").rglob("test_*.py")}
    assert tested == {folder.name for folder in (*plugin_folders(), *SHARED)}


def test_every_page_of_the_documentation_has_its_tests() -> None:
    pages = {path.stem.replace("-", "_") for path in (ROOT / "docs").glob("*.md")}
    made = {name.removesuffix(".md") for name in PAGES}  # test_reference.py holds those that are made of the code
    makers = {path.stem for path in (ROOT / "docs").glob("*.py")}
    tested = {path.stem.removeprefix("test_") for path in (TESTS / "docs").glob("test_*.py")}
    assert pages - made <= tested <= pages | makers
