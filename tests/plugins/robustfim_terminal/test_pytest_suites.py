"""pytest as a user types it, in a folder with the toy suite."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.robustfim.command_line import SUITE, TOY

CHECKS = """\
  known: {perturb: {use: rename, words: 2}, limit: 0, xfail: issue 12}
  later: {perturb: rename, skip: not yet}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "toy.py").write_text(TOY.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "toy.yaml").write_text(SUITE + CHECKS, encoding="utf-8")
    (tmp_path / "other.yaml").write_text("checks: {}\n", encoding="utf-8")
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    plugins = ["-p", "robustfim_terminal.pytest_suites", *(["-p", "xdist"] if "-n" in words else [])]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    environment.pop("PYTEST_ADDOPTS", None)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *plugins, *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def test_a_suite_is_one_item_a_check_with_the_same_outcomes(folder: Path) -> None:
    done = run(folder, ".", "-v", "--junitxml=junit.xml")
    assert done.returncode == 1
    lines = [
        line.split("  ")[0]
        for line in done.stdout.splitlines()
        if line.startswith("toy.yaml::") and line.endswith("%]")
    ]
    assert [line.split(" ", 2)[:2] for line in lines] == [
        ["toy.yaml::rename", "FAILED"],
        ["toy.yaml::both", "FAILED"],
        ["toy.yaml::calm", "PASSED"],
        ["toy.yaml::known", "XFAIL"],
        ["toy.yaml::later", "SKIPPED"],
    ]
    assert "failed: 2 of 5 examples fail (40 %): above the limit of 0 % of the tested texts alone." in done.stdout
    assert "a [-good-]{+solid+} plot and a [-good-]{+solid+} cast" in done.stdout
    assert "inconclusive: 1 of 5 examples fail" in done.stdout.replace("\n", " ")
    assert "Traceback" not in done.stdout
    case = next(ElementTree.parse(folder / "junit.xml").iter("testcase"))  # noqa: S314  # our own file
    assert {element.get("name") for element in case.iter("property")} == {"rate", "interval", "limit"}


@pytest.mark.slow  # four processes
def test_checks_are_selected_by_name_and_by_mark(folder: Path) -> None:
    assert "1 passed, 4 deselected" in run(folder, ".", "-k", "calm").stdout
    assert "1 failed, 4 deselected" in run(folder, ".", "-m", "slow").stdout
    assert "1 failed" in run(folder, "toy.yaml::both").stdout
    assert "2 failed, 1 passed" in run(folder, ".", "-k", "rename or both or calm").stdout


@pytest.mark.slow
def test_marks_of_a_suite_are_known_under_strict_markers(folder: Path) -> None:
    assert run(folder, ".", "--strict-markers", "-k", "calm").returncode == 0


@pytest.mark.slow
def test_options_of_robustfim_run_can_be_given(folder: Path) -> None:
    assert run(folder, "toy.yaml::rename").returncode == 1, "an inconclusive check is no proof"
    assert "1 passed" in run(folder, "toy.yaml::rename", "--robustfim=--inconclusive=pass").stdout
    assert "--robustfim: No such option '--colour'" in run(folder, ".", "--robustfim=--colour").stdout


@pytest.mark.slow
def test_a_wrong_suite_is_a_collection_error_without_a_traceback(folder: Path) -> None:
    (folder / "toy.yaml").write_text(SUITE.replace("limit: 0}", "limits: 0}"), encoding="utf-8")
    done = run(folder, ".")
    assert done.returncode == 2
    assert "Did you mean 'limit'?" in done.stdout
    assert "Traceback" not in done.stdout


def test_yaml_files_that_are_no_suites_are_left_alone(folder: Path) -> None:
    (folder / "toy.yaml").unlink()
    assert run(folder, ".").returncode == 5


@pytest.mark.slow
def test_workers_share_one_run_of_the_model(folder: Path) -> None:
    text = SUITE.replace("model: wordsum", "model: {use: wordsum, log: asked.txt}")
    (folder / "toy.yaml").write_text(text, encoding="utf-8")
    done = run(folder, ".", "-n", "2", "--robustfim=--no-store")
    assert "2 failed, 1 passed" in done.stdout, done.stdout
    asked = (folder / "asked.txt").read_text(encoding="utf-8").splitlines()
    assert len(asked) == len(set(asked)), "no text was sent twice, without a store to remember it"


@pytest.mark.slow
def test_a_broken_plugin_fails_its_check_with_the_traceback(folder: Path) -> None:
    broken = (
        "suite: toy\nplugins: [toy.py]\nmodel: wordsum\ndata: films\nchecks: {x: {perturb: {use: broken, how: raises}}}"
    )
    (folder / "toy.yaml").write_text(broken, encoding="utf-8")
    done = run(folder, ".")
    assert done.returncode == 1
    assert "error: plugin" in done.stdout
    assert "ArithmeticError: no candidate today" in done.stdout
