"""tests/ mirrors the tree: a module of the core has its tests file, a plugin its folder of tests."""

from __future__ import annotations

from tests.house.tree import ROOT, core_modules, plugin_folders

TESTS = ROOT / "tests"
ELSEWHERE = {
    "what a user types and sees: test_cli.py runs it whole": "cli_run cli_show command_group running",
    "what a user types to gate a release: test_gating.py": """
        baseline cli_baseline cli_lock lock suite_models terminal_comparison
    """,
    "what collecting makes: test_collect.py": "collection making",
    "nouns without code of their own: test_drawing.py and test_exhibits_html.py show them": "exhibit",
    "what an experiment found: the tests of robustfim_study write and read it": "study",
    "what plugins add to a record: test_session.py asks for it": "sections",
    "contracts without code of their own: docs/hooks.md and docs/plugins.md run an example of each": "hookspecs roles",
    "what a user types to check a model: test_cli_doctor.py": "label_diagnosis label_remedy label_warning subject",
    "what a user types to get a suite: test_cli_init.py": "draft drafting",
    "what proposing counts: test_proposal.py": "account",
    "names and a way in: every test imports the one, tests/test_readme.py runs the other": "__init__ __main__",
}
"""Why modules have no tests file of their own, and which."""


ACROSS = {"gating": "accept, compare, --baseline, lock files and budgets, as a user types them"}
"""Tests files of what several modules do together, and what that is."""


def own_tests() -> set[str]:
    """The modules that have a tests file."""
    return {path.stem.removeprefix("test_") for path in (TESTS / "robustfim").glob("test_*.py")} - set(ACROSS)


def test_every_module_of_the_core_has_its_tests() -> None:
    elsewhere = " ".join(ELSEWHERE.values()).split()
    assert set(core_modules()) - own_tests() - set(elsewhere) == set()


def test_a_module_that_is_said_to_be_tested_elsewhere_exists() -> None:
    elsewhere = " ".join(ELSEWHERE.values()).split()
    assert len(elsewhere) == len(set(elsewhere))
    assert set(elsewhere) <= set(core_modules())


def test_every_tests_file_of_the_core_is_named_after_a_module() -> None:
    assert own_tests() <= set(core_modules())


def test_every_plugin_has_a_folder_of_tests_and_every_folder_a_plugin() -> None:
    tested = {path.parent.name for path in (TESTS / "plugins").glob("*/test_*.py")}
    assert tested == {folder.name for folder in plugin_folders()}


def test_every_page_of_the_documentation_has_its_tests() -> None:
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert pages == {path.stem.removeprefix("test_") for path in (TESTS / "docs").glob("test_*.py")}
