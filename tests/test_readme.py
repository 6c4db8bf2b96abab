"""What the README prints is run as it is printed."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ROBUSTFIM = [sys.executable, "-m", "robustfim"]


def block(heading: str, language: str, number: int = 0) -> str:
    """The text of a code block below a heading."""
    section = README.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return str(re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)[number])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with the README's plugin and suite."""
    heading = "A perturbation of your own"
    (tmp_path / "drawl.py").write_text(block(heading, "python"), encoding="utf-8")
    (tmp_path / "drawl.yaml").write_text(block(heading, "yaml"), encoding="utf-8")
    return tmp_path


def run(folder: Path, command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    arguments = command.removeprefix("robustfim").split()
    return subprocess.run(
        [*ROBUSTFIM, *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def tested(folder: Path) -> int:
    record = json.loads((folder / "reports/drawl/results.json").read_text(encoding="utf-8"))
    check = record["checks"][0]
    assert check["id"] == "drawl.yaml::drawl"
    assert all("drawl" in edit["origin"] for failure in record["failures"] for edit in failure["edits"])
    return int(check["candidates"]["tested"])


def test_the_plugin_is_about_ten_lines() -> None:
    assert len([line for line in block("A perturbation of your own", "python").splitlines() if line.strip()]) <= 10


def test_the_plugin_runs_as_a_file_beside_the_suite(project: Path) -> None:
    done = run(project, block("A perturbation of your own", "bash", 0))
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert tested(project) >= 100


def test_the_plugin_runs_as_a_module(project: Path) -> None:
    suite = project / "drawl.yaml"
    suite.write_text(suite.read_text(encoding="utf-8").replace("plugins: [drawl.py]\n", ""), encoding="utf-8")
    assert run(project, "robustfim run drawl.yaml").returncode == 4
    done = run(project, block("A perturbation of your own", "bash", 1))
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert tested(project) >= 100


def test_the_plugin_runs_from_an_entry_point(project: Path) -> None:
    site = project / "site"
    shutil.copytree(project, site, ignore=lambda *_: ["site", "drawl.yaml"])
    information = site / "drawl-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: drawl\nVersion: 1.0\n", encoding="utf-8")
    group = block("A perturbation of your own", "toml").replace("project.entry-points.", "").replace('"', "")
    (information / "entry_points.txt").write_text(group, encoding="utf-8")
    (project / "drawl.py").unlink()
    suite = project / "drawl.yaml"
    suite.write_text(suite.read_text(encoding="utf-8").replace("plugins: [drawl.py]\n", ""), encoding="utf-8")
    done = run(project, "robustfim run drawl.yaml", PYTHONPATH=str(site))
    assert done.returncode in (0, 1), done.stdout + done.stderr
    record = json.loads((project / "reports/drawl/results.json").read_text(encoding="utf-8"))
    assert {"name": "drawl", "version": "1.0", "sha256": None} in record["environment"]["plugins"]


def test_the_suite_is_valid(tmp_path: Path) -> None:
    (tmp_path / "reviews.yaml").write_text(block("A suite", "yaml"), encoding="utf-8")
    done = run(tmp_path, "robustfim list reviews.yaml")
    assert done.returncode == 0, done.stderr
    assert "reviews.yaml::people" in done.stdout


def test_the_command_lines_for_ones_own_model_and_data_have_valid_options(tmp_path: Path) -> None:
    (tmp_path / "my-model").mkdir()
    (tmp_path / "test.csv").write_text("review,sentiment\nA fine film.,positive\n", encoding="utf-8")
    shutil.copytree(ROOT / "suites", tmp_path / "suites")
    for number in (0, 1):
        words = block("Your own model and data", "bash", number).replace("\\\n", " ")
        done = run(tmp_path, f"{words} --co")
        assert done.returncode == 0, done.stderr
        assert "sentiment.yaml::synonyms" in done.stdout


def test_ci_runs_the_readmes_two_commands() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "'## Run it'" in script
    assert "'## Test it'" in script
    assert "robustfim run suites/sentiment.yaml" in block("Run it", "bash")
    assert "-m pytest" in block("Test it", "bash")
