"""A plugin of one's own: the folder that is written, and its tests."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import robustfim_testing
from robustfim import context
from robustfim.outcome import ExitCode
from robustfim.version import __version__
from tests.installation import install
from tests.robustfim.command_line import CommandLine, refused

KINDS = (
    "constraint", "data", "expectation", "format", "model", "order", "perturbation", "reducer", "report", "score",
    "tagger", "trainer", "source", "attribution", "engine",
)  # fmt: skip
PAGE = (Path(__file__).parents[3] / "docs" / "plugins.md").read_text(encoding="utf-8")


def own_tests(folder: Path, *paths: Path) -> subprocess.CompletedProcess[str]:
    """Run the tests of a plugin as its author does."""
    return python(["-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)], *paths)


def python(arguments: list[str], *paths: Path) -> subprocess.CompletedProcess[str]:
    """Run a Python with folders on PYTHONPATH beside those of this process."""
    path = os.pathsep.join([*map(str, paths), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_a_new_plugin_has_an_entry_point_a_body_tests_a_readme_and_a_workflow(robustfim: CommandLine) -> None:
    shown = robustfim("plugin new loud-end")
    assert shown.code == 0, shown
    folder = robustfim.folder / "robustfim-loud-end"
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()) == [
        ".github/workflows/ci.yml", ".gitignore", "README.md", "pyproject.toml",
        "src/robustfim_loud_end/__init__.py", "src/robustfim_loud_end/perturbation.py",
        "src/robustfim_loud_end/py.typed", "tests/test_robustfim_loud_end.py",
    ]  # fmt: skip
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == "robustfim-loud-end"
    assert project["entry-points"]["robustfim"] == {"loud-end": "robustfim_loud_end"}
    assert project["dependencies"] == [f"robustfim>={__version__}"]
    assert "class LoudEnd:" in (folder / "src/robustfim_loud_end/perturbation.py").read_text(encoding="utf-8")
    workflow = yaml.safe_load((folder / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    assert workflow["jobs"]["tests"]["steps"][1]["with"] == {"python-version": "${{ matrix.python }}"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_a_body_of_its_name_and_says_what_it_is(robustfim: CommandLine, kind: str) -> None:
    assert robustfim(f"plugin new loud-end --kind {kind}").code == 0
    folder = robustfim.folder / "robustfim-loud-end"
    body = folder / f"src/robustfim_loud_end/{kind}.py"
    assert "class LoudEnd:" in body.read_text(encoding="utf-8")
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert ", `loud-end`: it " in (folder / "README.md").read_text(encoding="utf-8")
    assert kind in project["description"]
    assert kind == "perturbation" or f"`{kind}`" in PAGE.partition("With `--kind`")[2]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "tagger"])
def test_a_suite_uses_it_as_its_readme_says(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    assert robustfim(f"plugin new a-{kind} --kind {kind}").code == 0
    folder = robustfim.folder / f"robustfim-a-{kind}"
    monkeypatch.syspath_prepend(folder / "src")
    (use,) = re.findall(r"```yaml\n(.*?)```", (folder / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    robustfim.write("reviews/positive/1.txt", "A good film.")
    robustfim.write("pairs.csv", "check,before,after\nspelling,a grey film,a gray film\n")
    robustfim.write("pairs/spelling.txt", "a grey film\ta gray film")
    robustfim.write("trained/model.json", '{"labels": ["bad", "good"], "prior": [-1, -2], "words": {"good": [-3, -1]}}')
    suite = yaml.safe_load(
        f"{{suite: mine, plugins: [toy.py, robustfim_a_{kind}], model: wordsum, checks: {{typos: {{perturb: typos}}}}, "
        "data: {use: films, rows: [[a wonderful good film., null]]}}"
    )
    name = robustfim.write("mine.yaml", yaml.safe_dump(suite | yaml.safe_load(use))).name
    shown = robustfim(f"run {name} --no-store")
    assert shown.code in (ExitCode.OK, ExitCode.FAILED, ExitCode.INCONCLUSIVE), shown
    assert "ERROR" not in shown.out + shown.err
    assert "a-report.csv" in shown.out or kind != "report"


def test_its_tagger_tags_for_all(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert robustfim("plugin new marks --kind tagger").code == 0
    monkeypatch.syspath_prepend(robustfim.folder / "robustfim-marks/src")
    tagger = context(plugins=["robustfim_marks"], offline=True).tagger
    assert [token.coarse for token in tagger.tag(["It cost 3.50."])[0]] == ["", "", "NUM", "PUNCT"]


def test_every_conformance_class_has_a_kind_but_those_of_geometry_and_paraphrasers_which_need_models() -> None:
    needs_models = {"GeometryConformance", "ParaphraserConformance"}
    classes = [name for name in robustfim_testing.__all__ if name.endswith("Conformance") and name not in needs_models]
    begun = {"score": "Scorer"}
    assert sorted(f"{begun.get(kind, kind.capitalize())}Conformance" for kind in KINDS) == sorted(classes)


def test_the_files_of_every_kind_are_clean_for_the_tools_that_authors_use(robustfim: CommandLine) -> None:
    pytest.importorskip("ruff")
    pytest.importorskip("check_jsonschema")
    for kind in KINDS:
        assert robustfim(f"plugin new loud-{kind[:3]} --kind {kind}").code == 0
    folder = robustfim.folder
    folders = [str(folder / f"robustfim-loud-{kind[:3]}") for kind in KINDS]
    sources = [f"{each}/src" for each in folders]
    workflow = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows"]
    for command in (
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "E,F,I,D1", "--line-length", "120",
         "--ignore", "D103,D107", "--config", f"src = {sources}", *folders],
        [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "120", "--check", *folders],
        [*workflow, *(f"{each}/.github/workflows/ci.yml" for each in folders)],
    ):  # fmt: skip
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_its_tests_pass_at_once_and_once_it_is_installed(robustfim: CommandLine, tmp_path: Path) -> None:
    assert robustfim("plugin new loud-end").code == 0
    folder = robustfim.folder / "robustfim-loud-end"
    at_once = own_tests(folder)
    assert "6 passed" in at_once.stdout, at_once.stdout + at_once.stderr
    install(folder, tmp_path / "site")
    installed = own_tests(folder, tmp_path / "site")
    assert "6 passed" in installed.stdout, installed.stdout + installed.stderr
    commands = re.findall(r"^\$ robustfim (.*)$", (folder / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    shown = [python(["-m", "robustfim", *shlex.split(command)], tmp_path / "site") for command in commands]
    assert [process.returncode for process in shown] == [0, 0], shown
    assert "perturbation of plugin loud-end" in shown[0].stdout
    assert "[-.-]{+!+}" in shown[1].stdout
    body = folder / "src/robustfim_loud_end/perturbation.py"
    body.write_text(body.read_text(encoding="utf-8").replace("*stop.span()", "0, 1"), encoding="utf-8")
    broken = own_tests(folder)
    assert broken.returncode == 1
    assert "does not match 'text' at 0:1" in broken.stdout


@pytest.mark.slow  # a pytest of its own
@pytest.mark.parametrize("kind", KINDS)
def test_the_tests_of_each_kind_pass_at_once(robustfim: CommandLine, kind: str) -> None:
    assert robustfim(f"plugin new loud-end --kind {kind}").code == 0
    done = own_tests(robustfim.folder / "robustfim-loud-end")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_folder_that_is_there_is_left_alone(robustfim: CommandLine) -> None:
    (robustfim.folder / "robustfim-mine").mkdir()
    refused(robustfim("plugin new mine"), "robustfim-mine exists already")
    assert list((robustfim.folder / "robustfim-mine").iterdir()) == []


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Loud", "'Loud' is not a name for a plugin"),
        ("../up", "is not a name for a plugin"),
        ("a--b", "is not a name for a plugin"),
        ("1st", "is not a name for a plugin"),
        ("x" * 51, "at most 50"),
        ("robustfim-loud", "without 'robustfim-', which is put before it: 'loud'"),
        ("words", "a package robustfim_words is installed already"),
        ("typos", "plugin 'words' offers a perturbation 'typos' already"),
    ],
)
def test_a_name_that_a_plugin_cannot_have_is_refused(robustfim: CommandLine, name: str, told: str) -> None:
    before = sorted(robustfim.folder.iterdir())
    refused(robustfim(f"plugin new {name}"), told)
    assert sorted(robustfim.folder.iterdir()) == before


@pytest.mark.parametrize(
    ("kind", "name", "told"),
    [
        ("report", "evidence", "offers a report 'evidence' already"),
        ("order", "guided", "offers an order 'guided' already"),
        ("trainer", "onnx", "offers a model 'onnx' already"),
    ],
)
def test_a_name_that_is_offered_in_a_role_is_refused_there(
    robustfim: CommandLine, kind: str, name: str, told: str
) -> None:
    refused(robustfim(f"plugin new {name} --kind {kind}"), told)
    assert not (robustfim.folder / f"robustfim-{name}").exists()


def test_a_name_that_is_offered_in_another_role_is_free(robustfim: CommandLine) -> None:
    assert robustfim("plugin new typos --kind report").code == 0
