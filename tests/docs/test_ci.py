"""The pipelines of docs/ci.md are valid, their commands run, and leave the files that their other steps read."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import robustfim_ci
from robustfim.outcome import ExitCode
from robustfim.record import Record
from robustfim.roles import Report
from robustfim_ci import github
from tests.docs.page import Page
from tests.plugins.robustfim_html.synthetic import build
from tests.robustfim.command_line import SUITE, CommandLine, Shown

PAGE = Page.read("ci.md")
GITHUB = dict(PAGE.files("GitHub Actions"))
GITLAB = dict(PAGE.files("GitLab"))


@pytest.fixture
def robustfim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """A repository with ``suites/sentiment.yaml``, whose checks are those of the toy suite."""
    for name in ("GITHUB_ACTIONS", "GITHUB_WORKSPACE", "GITHUB_STEP_SUMMARY", "GITLAB_CI", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(github, "_stopped", "")
    monkeypatch.chdir(tmp_path)
    repository = CommandLine(tmp_path, capsys)
    repository.write("suites/toy.py", (tmp_path / "toy.py").read_text(encoding="utf-8"))
    repository.write("suites/sentiment.yaml", SUITE.replace("suite: toy", "suite: sentiment"))
    return repository


def table(title: str) -> dict[str, list[str]]:
    """The rows of a section's table, by their first cells, without back quotes."""
    rows = [
        [cell.strip().replace("`", "") for cell in line.strip("|").split(" |")]
        for line in PAGE.sections[title].splitlines()
        if line.startswith("|")
    ]
    return {row[0]: row[1:] for row in rows[2:]}


def workflow() -> dict[str, Any]:
    (read,) = [yaml.safe_load(text) for name, text in GITHUB.items() if name.endswith(".yml")]
    assert isinstance(read, dict)
    return read


def run(repository: CommandLine, command: str) -> Shown:
    program, _, arguments = command.partition(" ")
    assert program == "robustfim"
    return repository(arguments)


@pytest.mark.parametrize(
    ("schema", "name", "text"),
    [("vendor.github-workflows", *next(iter(GITHUB.items()))), ("vendor.gitlab-ci", *next(iter(GITLAB.items())))],
)
def test_a_pipeline_is_valid(tmp_path: Path, schema: str, name: str, text: str) -> None:
    path = tmp_path / Path(name).name
    path.write_text(text, encoding="utf-8")
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema]
    done = subprocess.run([*check, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    path.write_text(text.replace("script:", "scripts:").replace("runs-on:", "runs-in:"), encoding="utf-8")
    assert subprocess.run([*check, str(path)], capture_output=True, check=False).returncode == 1


def test_the_github_workflows_command_leaves_what_the_other_steps_read(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(robustfim.folder))
    (steps,) = [job["steps"] for job in workflow()["jobs"].values()]
    (command,) = [step["run"] for step in steps if step.get("run", "").startswith("robustfim ")]
    assert run(robustfim, command).code == ExitCode.FAILED
    read = [value for step in steps for key, value in step.get("with", {}).items() if key in ("path", "sarif_file")]
    assert sorted(read) == [
        "reports",
        "reports/sentiment/results.sarif",
    ]
    assert all((robustfim.folder / path).exists() for path in read)


def test_the_gitlab_jobs_command_leaves_its_artifacts(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITLAB_CI", "true")
    monkeypatch.setenv("CI_PROJECT_DIR", str(robustfim.folder))
    job = yaml.safe_load(GITLAB[".gitlab-ci.yml"])["robustness"]
    (command,) = [each for each in job["script"] if each.startswith("robustfim ")]
    assert run(robustfim, command).code == ExitCode.FAILED
    artifacts = job["artifacts"]
    for pattern in (*artifacts["paths"], *artifacts["reports"].values(), *job["cache"]["paths"]):
        assert len(list(robustfim.folder.glob(pattern))) == 1, pattern


def test_the_command_for_other_systems_runs(robustfim: CommandLine) -> None:
    (command,) = re.findall(r"^```bash\n(.*)\n```$", PAGE.sections["Other systems"], re.MULTILINE)
    assert run(robustfim, command).code == ExitCode.FAILED
    assert (robustfim.folder / "robustfim.xml").is_file()


def test_the_table_of_systems_is_what_the_plugin_does() -> None:
    for variable, reports in table("").values():
        name, _, value = variable.partition("=")
        chosen = robustfim_ci.robustfim_ci_reports({name: value} if name else {})
        assert reports == ", ".join(chosen)


def test_the_table_of_reports_names_their_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record: Record = build(examples=20, difficult=5, control=5)
    named = {name: cells[0] for name, cells in table("What each report is for").items()}
    assert set(named) == set(robustfim_ci.robustfim_offers()["reports"])
    for name, target in robustfim_ci.robustfim_offers()["reports"].items():
        module, _, attribute = target.partition(":")
        report: Report = getattr(__import__(module, fromlist=[attribute]), attribute)()
        assert report.write(record, tmp_path).name == named[name]
    assert capsys.readouterr().out.startswith("\n::error ")


def test_the_table_of_exit_codes_is_complete() -> None:
    assert [int(code) for code in table("Exit codes")] == sorted(ExitCode)
