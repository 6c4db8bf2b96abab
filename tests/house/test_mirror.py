"""tests/ mirrors the tree: a module of the core has its tests file, a plugin its folder of tests."""

from __future__ import annotations

from docs.reference import PAGES
from tests.house.tree import ROOT, core_modules, plugin_folders

TESTS = ROOT / "tests"
ELSEWHERE = {
    "what a user types and sees: cli/test_command_line.py runs it whole": "cli.run cli.show cli.group terminal.series",
    "what a user types to gate a release: cli/test_gating.py": """
        judge.baseline cli.baseline cli.lock select.lock session.locked_texts suite.margins suite.variants
        terminal.comparison
    """,
    "what collecting makes: collect/test_collect.py": "collect.collection collect.parts plugin.factory suite.overlay",
    "nouns without code of their own: record/test_drawing.py and record/test_exhibits_html.py show them": "exhibit",
    "what an experiment found: the tests of robustfim_study write and read it": "record.study",
    "what a user types and is refused: cli/test_command_line.py": "session.one_label",
    "what plugins add to a record: session/test_session.py asks for it": "session.sections",
    "contracts without code of their own: docs/hooks.md and docs/plugins.md run an example of each": "hookspecs roles",
    "what a user types to check a model: cli/test_doctor.py": """
        doctor.labels doctor.label_remedy session.weak_model collect.model_and_data
    """,
    "what a comparison says and holds: judge/test_comparison.py": """
        judge.accuracy judge.answer record.association record.comparison record.part
    """,
    "what a user types to plan a suite: cli/test_plan.py": "terminal.plan record.exhibits_page",
    "what a user types to get a suite: cli/test_init.py": "doctor.draft doctor.measured_suite",
    "what a person types to review failures: cli/test_review.py": "terminal.review",
    "what workers do, and in what they run: engine/test_processes.py and engine/test_remote.py": """
        engine.worker engine.process builtin.engines
    """,
    "what a terminal may be shown: terminal/test_diff.py": "terminal.printable",
    "what constraints see of a block: propose/test_proposal.py": "propose.foresight",
    "names and a way in: every test imports the one, tests/test_readme.py runs the other": "__init__ __main__ version",
}
"""Why modules have no tests file of their own, and which."""

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


def test_every_module_of_the_core_has_its_tests() -> None:
    elsewhere = " ".join(ELSEWHERE.values()).split()
    assert modules() - own_tests() - set(elsewhere) == set()


def test_a_module_that_is_said_to_be_tested_elsewhere_exists() -> None:
    elsewhere = " ".join(ELSEWHERE.values()).split()
    assert len(elsewhere) == len(set(elsewhere))
    assert set(elsewhere) <= modules()


def test_every_tests_file_of_the_core_is_named_after_a_module() -> None:
    assert own_tests() <= modules()


def test_every_plugin_has_a_folder_of_tests_and_every_folder_a_plugin() -> None:
    tested = {path.relative_to(TESTS / "plugins").parts[0] for path in (TESTS / "plugins").rglob("test_*.py")}
    assert tested == {folder.name for folder in plugin_folders()}


def test_every_page_of_the_documentation_has_its_tests() -> None:
    pages = {path.stem.replace("-", "_") for path in (ROOT / "docs").glob("*.md")}
    made = {name.removesuffix(".md") for name in PAGES}  # test_reference.py holds those that are made of the code
    makers = {path.stem for path in (ROOT / "docs").glob("*.py")}
    tested = {path.stem.removeprefix("test_") for path in (TESTS / "docs").glob("test_*.py")}
    assert pages - made <= tested <= pages | makers
