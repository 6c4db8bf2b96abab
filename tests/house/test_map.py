"""CONTRIBUTING's map of the house is true: it names the hall, every room and every plugin."""

from __future__ import annotations

import re

from tests.house.test_rooms import ORDER
from tests.house.tree import CORE, ROOT, SHARED, plugin_folders

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

MAP = PAGE.split("## The map of the house", 1)[1].split("A plugin has a light", 1)[0]


def first_column(heading: str) -> list[str]:
    """The names in the first column of the table that begins with a heading."""
    table = PAGE.split(f"\n| {heading} |", 1)[1].split("\n\n", 1)[0]
    return [name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])]


def test_the_map_names_every_module_of_the_hall_once() -> None:
    hall = {path.stem for path in CORE.glob("*.py")} - {"__init__", "__main__"}
    assert sorted(first_column("top-level module")) == sorted(hall)


def test_the_map_names_every_room_from_the_ground_up() -> None:
    assert tuple(first_column("subpackage")) == ORDER


def test_the_map_names_every_plugin_once() -> None:
    names = [f"robustfim_{name}" for name in first_column("plugin, without `robustfim_`")]
    assert sorted(names) == [folder.name for folder in plugin_folders()]


def test_the_map_names_every_shared_package() -> None:
    assert all(f"`{folder.name}`" in MAP for folder in SHARED)


def test_the_map_names_every_folder_of_the_root() -> None:
    folders = ("robustfim", "plugins", "suites", "tests", "benchmarks", "docs", "examples", "reports")
    assert all((ROOT / name).is_dir() and f"`{name}/`" in MAP for name in folders)


def test_the_map_fits_on_one_screen() -> None:
    assert len(MAP.splitlines()) <= 50
