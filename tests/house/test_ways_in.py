"""The ways in: the action, the component, the hook of pre-commit, the release, the citation."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import robustfim
from tests.house.tree import ROOT
from tests.robustfim.command_line import SUITE, TOY

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step.get("name", step.get("uses")): step for step in ACTION["runs"]["steps"]}
BASH = shutil.which("bash")


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("github-actions", ["action.yml"]),
        ("github-workflows", [".github/workflows/ci.yml", ".github/workflows/release.yml"]),
        ("citation-file-format", ["CITATION.cff"]),
    ],
)
def test_the_file_fits_the_schema_of_what_reads_it(schema: str, files: list[str]) -> None:
    pytest.importorskip("check_jsonschema")
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *files]
    done = subprocess.run(check, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_citation_says_the_version() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == robustfim.__version__


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a suite whose checks fail and a folder of commands in front of all others."""
    shutil.copy(TOY, tmp_path / "toy.py")
    (tmp_path / "toy.yaml").write_text(SUITE, encoding="utf-8")
    commands = tmp_path / "bin"
    commands.mkdir()
    for name in ("python", "gh"):
        shown = f'#!/bin/sh\nprintf \'%s\\n\' "{name}" "$@" >>"{tmp_path}/asked.txt"\n'
        shown += 'while [ $# -gt 0 ]; do [ "$1" = --body-file ] && cp "$2" posted.md; shift; done\n'
        (commands / name).write_text(shown, encoding="utf-8")
    (commands / "robustfim").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m robustfim "$@"\n', encoding="utf-8")
    for path in commands.iterdir():
        path.chmod(0o755)
    return tmp_path


def step(name: str, folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run a step of the action as a runner would: its script under bash, its inputs in the environment."""
    if BASH is None:
        pytest.skip("no bash")
    known = {key: str(each.get("default", "")) for key, each in ACTION["inputs"].items()} | inputs
    environment = {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    environment |= {"GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": str(folder / "output"), "PYTHONPATH": str(ROOT)}
    environment |= {"GITHUB_STEP_SUMMARY": str(folder / "summary.md"), "GITHUB_WORKSPACE": str(folder)}
    for key, value in STEPS[name].get("env", {}).items():
        environment[key] = re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda found: _value(found[1], known), value)
    script = ["-e", "-o", "pipefail", "-c", STEPS[name]["run"]]
    return subprocess.run([BASH, *script], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def _value(name: str, inputs: dict[str, str]) -> str:
    return inputs.get(name.removeprefix("inputs."), {"github.event.number": "7"}.get(name, "here"))


def test_the_actions_step_runs_the_suites_and_hands_the_exit_code_on(repository: Path) -> None:
    done = step("Robustness", repository, suite="toy.yaml", arguments="--strict")
    assert done.returncode == 1, done.stdout + done.stderr
    assert (repository / "output").read_text(encoding="utf-8") == "exit-code=1\n"
    assert "::error" in done.stdout
    assert (repository / "reports/toy/results.sarif").is_file()
    assert (repository / "summary.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_an_inconclusive_run_is_a_warning_of_the_action_and_its_exit_code_an_output(repository: Path) -> None:
    (repository / "toy.yaml").write_text(SUITE, encoding="utf-8")
    done = step("Robustness", repository, suite="toy.yaml::rename")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (repository / "output").read_text(encoding="utf-8") == "exit-code=6\n"
    assert done.stdout.splitlines()[-1].startswith("::warning title=robustfim::inconclusive: ")


def test_an_inconclusive_run_is_a_warning_of_the_component() -> None:
    _, job = yaml.safe_load_all((ROOT / "templates/robustfim.yml").read_text(encoding="utf-8"))
    assert job["robustfim"]["allow_failure"] == {"exit_codes": 6}


@pytest.mark.slow
def test_the_actions_inputs_are_words_of_a_command_and_never_code(repository: Path) -> None:
    done = step("Robustness", repository, suite="toy.yaml", arguments="$(touch gotcha) ;touch gotcha")
    assert done.returncode == 4
    assert not (repository / "gotcha").exists()
    used = "\n".join(each["run"] for each in ACTION["runs"]["steps"] if "run" in each)
    assert "${{" not in used


def test_the_action_installs_itself_or_what_it_is_told(repository: Path) -> None:
    step("Install", repository)
    step("Install", repository, install="-r requirements.txt")
    asked = (repository / "asked.txt").read_text(encoding="utf-8").splitlines()
    assert asked == [*_pip("here[all]"), *_pip("-r", "requirements.txt")]


def _pip(*wanted: str) -> list[str]:
    return ["python", "-m", "pip", "install", "--quiet", *wanted]


def test_the_comment_holds_the_pages_of_all_suites_and_replaces_its_last_one(repository: Path) -> None:
    for name in ("one", "two"):
        (repository / "reports" / name).mkdir(parents=True)
        (repository / "reports" / name / "comment.md").write_text(f"## {name}\n", encoding="utf-8")
    done = step("Comment", repository)
    assert done.returncode == 0, done.stderr
    asked = (repository / "asked.txt").read_text(encoding="utf-8").splitlines()
    assert asked[:6] == ["gh", "pr", "comment", "7", "--edit-last", "--create-if-none"]
    assert (repository / "posted.md").read_text(encoding="utf-8") == "## one\n\n## two\n\n"


def test_no_comment_is_made_where_no_run_wrote_one(repository: Path) -> None:
    assert step("Comment", repository).returncode == 0
    assert not (repository / "asked.txt").exists()


def test_the_component_of_gitlab_uses_only_the_inputs_that_it_names() -> None:
    text = (ROOT / "templates" / "robustfim.yml").read_text(encoding="utf-8")
    head, job = yaml.safe_load_all(text)
    inputs: dict[str, Any] = head["spec"]["inputs"]
    used = set(re.findall(r"\$\[\[ inputs\.(\w+) \]\]", text))
    assert used == set(inputs)
    assert [name for name, each in inputs.items() if "default" not in each] == ["suite"]
    assert all(each["description"].endswith(".") for each in inputs.values())
    script = job["robustfim"]["script"][-1]
    assert script == "robustfim run $[[ inputs.suite ]] --ci $[[ inputs.arguments ]]"


@pytest.mark.slow
def test_the_hook_of_pre_commit_refuses_a_suite_that_is_wrong(repository: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert re.search(hook["files"], "suites/reviews.yaml")
    assert not re.search(hook["files"], "README.md")
    command = [repository / "bin" / hook["entry"].split()[0], *hook["entry"].split()[1:]]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def asked(name: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, name], cwd=repository, env=environment, capture_output=True, text=True, check=False
        )

    assert asked("toy.yaml").returncode == 0
    (repository / "wrong.yaml").write_text(SUITE.replace("checks:", "cheks:"), encoding="utf-8")
    refused = asked("wrong.yaml")
    assert refused.returncode == 4
    assert "wrong.yaml:" in refused.stderr
    assert "checks" in refused.stderr
