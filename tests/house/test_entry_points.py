"""A folder of plugins/ is a plugin, and enters by the same door as a stranger's: an entry point."""

from __future__ import annotations

from tests.house.tree import plugin_folders, project


def test_the_folders_of_plugins_are_the_entry_points_of_pyproject() -> None:
    points: dict[str, str] = project()["project"]["entry-points"]["robustfim"]
    assert points == {folder.name.removeprefix("robustfim_"): folder.name for folder in plugin_folders()}


def test_every_plugin_folder_carries_the_prefix_and_has_a_face() -> None:
    for folder in plugin_folders():
        assert folder.name.startswith("robustfim_"), folder.name
        assert (folder / "__init__.py").is_file(), folder.name


def test_the_entry_points_are_written_in_the_order_of_their_names() -> None:
    points = list(project()["project"]["entry-points"]["robustfim"])
    assert points == sorted(points)
