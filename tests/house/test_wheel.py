"""The wheel holds the core, the plugins and their data, and takes no other name in a user's site-packages."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from configparser import ConfigParser
from pathlib import Path, PurePosixPath
from zipfile import ZipFile

import pytest

import robustfim_reference
from tests.house.tree import ROOT, SHARED, committed, plugin_folders, shown

LIMIT_MB = 25
"""A wheel that is quickly downloaded; the package index takes 100 MB."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without a network."""
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling, which builds the wheel, is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


def names(wheel: Path) -> list[str]:
    return ZipFile(wheel).namelist()


def test_every_name_in_the_root_of_the_wheel_begins_with_robustfim(wheel: Path) -> None:
    roots = {PurePosixPath(name).parts[0] for name in names(wheel)}
    assert all(root.startswith("robustfim") for root in roots), roots
    assert {"robustfim", *(folder.name for folder in (*plugin_folders(), *SHARED))} <= roots


def test_every_committed_file_of_the_core_and_the_plugins_is_in_the_wheel(wheel: Path) -> None:
    packaged = [shown(path) for path in committed() if shown(path).startswith(("robustfim/", "plugins/robustfim_"))]
    missing = {name.removeprefix("plugins/") for name in packaged} - set(names(wheel))
    assert len(packaged) > 100
    assert not missing


@pytest.mark.parametrize(
    "kind",
    [
        "robustfim/py.typed",
        "robustfim_html/template/page.html",
        "robustfim_reference/reviews/reviews.jsonl",
        "robustfim_words/lexicons/synonyms.tsv",
        "robustfim_sears/rules/default.yaml",
        "robustfim_reference/questions/passages.jsonl",
        "robustfim_reference/messages/messages.jsonl",
        "robustfim_reference/requests/requests.jsonl",
        "robustfim_reference/weights/guard/model.safetensors",
        "robustfim_words/tagger/tagger/model",
    ],
)
def test_the_wheel_holds_the_data_that_a_run_reads(wheel: Path, kind: str) -> None:
    assert ZipFile(wheel).getinfo(kind) is not None


@pytest.mark.parametrize("name", robustfim_reference.robustfim_offers()["trainers"])
def test_the_wheel_holds_the_weights_of_every_model_that_is_trained(wheel: Path, name: str) -> None:
    folder = f"robustfim_reference/weights/{name.removeprefix('reference/')}/"
    assert any(each.startswith(folder) and each.endswith(".safetensors") for each in names(wheel)), folder


def test_the_wheel_brings_no_tests_benchmarks_or_leftovers(wheel: Path) -> None:
    leftovers = [name for name in names(wheel) if "__pycache__" in name or name.endswith((".pyc", ".orig", ".tmp"))]
    assert not leftovers


def test_the_wheels_entry_points_name_modules_that_it_holds(wheel: Path) -> None:
    (listing,) = (name for name in names(wheel) if name.endswith("entry_points.txt"))
    points = ConfigParser(delimiters=("=",))
    points.read_string(ZipFile(wheel).read(listing).decode())
    assert set(points["robustfim"].values()) == {folder.name for folder in plugin_folders()}
    assert dict(points["console_scripts"]) == {"robustfim": "robustfim.cli:main"}
    for module in (target.partition(":")[0] for group in points.sections() for target in points[group].values()):
        path = module.replace(".", "/")
        assert {f"{path}.py", f"{path}/__init__.py"} & set(names(wheel)), module


def test_the_wheel_is_small(wheel: Path, record_property: Callable[[str, object], None]) -> None:
    size = wheel.stat().st_size / 1e6
    record_property("wheel_mb", round(size, 1))
    print(f"{wheel.name}: {size:.1f} MB")
    assert size < LIMIT_MB
