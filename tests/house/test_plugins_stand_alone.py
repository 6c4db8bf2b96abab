"""A plugin imports robustfim and libraries, never another plugin, so that it can become a distribution of its own."""

from __future__ import annotations

import sys
from importlib.metadata import packages_distributions

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.tree import imports, plugin_folders, project, python_files, shown


def declared() -> set[str]:
    """Every distribution that pyproject.toml names, whatever the extra."""
    table = project()["project"]
    listed = [*table["dependencies"], *(each for extra in table["optional-dependencies"].values() for each in extra)]
    return {canonicalize_name(Requirement(each).name) for each in listed}


def test_a_plugin_imports_no_other_plugin() -> None:
    strangers = [
        f"{shown(path)}:{each.line} imports {each.module}"
        for folder in plugin_folders()
        for path in python_files(folder)
        for each in imports(path)
        if each.root.startswith("robustfim_") and each.root != folder.name
    ]
    assert not strangers


def test_a_plugin_imports_only_libraries_that_pyproject_names() -> None:
    providers, known = packages_distributions(), declared()
    undeclared = [
        f"{shown(path)}:{each.line} imports {each.module}"
        for folder in plugin_folders()
        for path in python_files(folder)
        for each in imports(path)
        if each.root not in (*sys.stdlib_module_names, "robustfim", folder.name)
        and not {canonicalize_name(name) for name in (*providers.get(each.root, ()), each.root)} & known
    ]
    assert not undeclared
