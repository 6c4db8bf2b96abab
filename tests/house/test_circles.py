"""No module imports itself by way of others, neither in the core nor in a plugin, not for a type either."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

import pytest

from tests.house.tree import CORE, SHARED, imports, plugin_folders, python_files

TWO_HALVES = {
    # Of one noun in two files of one room: the second half names the type that the first one gives it.
    ("robustfim.spans", "robustfim.candidate"),
    ("robustfim.suite.arms", "robustfim.suite.format"),
}


def test_a_package_has_no_circle_of_imports() -> None:
    for folder in (CORE, *SHARED, *plugin_folders()):
        graph: dict[str, set[str]] = {}
        for path in python_files(folder):
            parts = path.relative_to(folder.parent).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            graph[name] = {
                each.module
                for each in imports(path)
                if each.root == folder.name and not (each.typing and (name, each.module) in TWO_HALVES)
            }
        assert graph, folder
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            pytest.fail(" imports ".join(reversed(error.args[1])), pytrace=False)
