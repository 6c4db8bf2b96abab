from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from robustfim_doctor.libraries import diagnose_libraries, diagnose_versions, extras

PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of distributions that goes before what is installed."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def distribution(site: Path, name: str, version: str, *requires: str) -> None:
    folder = site / f"{name}-{version}.dist-info"
    folder.mkdir()
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {version}",
        *(f"Requires-Dist: {each}" for each in requires),
    ]
    (folder / "METADATA").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_every_library_that_the_project_declares_is_looked_at() -> None:
    declared = {line.partition(">")[0] for line in PROJECT["dependencies"]}
    assert {requirement.name for requirement in extras()[""]} <= declared
    optional = [
        line for name, lines in PROJECT["optional-dependencies"].items() if name not in ("all", "dev") for line in lines
    ]
    wanted = {canonicalize_name(Requirement(line).name) for line in optional if not line.startswith("robustfim[")}
    assert {canonicalize_name(library.name) for library in diagnose_libraries()} <= wanted
    assert {"torch", "transformers", "spacy"} <= {library.name for library in diagnose_libraries()}


def test_a_missing_library_is_a_note_with_the_smallest_extra_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("robustfim_doctor.libraries._version", lambda name: None)
    found = {library.name: library for library in diagnose_libraries()}
    assert {diagnosis.state for diagnosis in found.values()} == {"note"}
    assert found["torch"].remedy == ("pip install 'robustfim[torch]'",)
    assert found["transformers"].remedy == ("pip install 'robustfim[huggingface]'",)


def test_a_library_that_is_too_old_is_a_problem(site: Path) -> None:
    distribution(site, "torch", "1.13.1")
    found = {library.name: library for library in diagnose_libraries()}
    assert found["torch"].state == "problem"
    assert "1.13.1, but robustfim needs >=2.4" in found["torch"].message


def test_libraries_that_do_not_go_together_are_named(site: Path) -> None:
    distribution(site, "transformers", "4.60.0", "torch<2", "a-library-that-nobody-has>=3", "neither; extra == 'more'")
    problems = {version.name: version.message for version in diagnose_versions() if version.state == "problem"}
    assert "transformers 4.60.0 needs torch<2; " in problems["transformers with torch"]
    assert problems["transformers with a-library-that-nobody-has"].endswith("none is installed.")
    assert "transformers with neither" not in problems


def test_a_needed_library_that_is_too_old_is_a_problem_with_its_command(site: Path) -> None:
    distribution(site, "click", "7.0")
    found = {version.name: version for version in diagnose_versions()}
    assert found["click"].state == "problem"
    assert found["click"].remedy == ("pip install --upgrade 'click>=8.2'",)


def test_this_installation_is_well() -> None:
    assert [version for version in diagnose_versions() if version.state == "problem"] == []
