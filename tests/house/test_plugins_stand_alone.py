"""A plugin imports robustfim, shared packages and libraries, never another plugin: it could be its own distribution."""

from __future__ import annotations

import sys
from importlib.metadata import packages_distributions

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house.tree import SHARED, imports, plugin_folders, project, python_files, shown

OPEN = {path.name for path in SHARED}


def declared() -> set[str]:
    """Every distribution that pyproject.toml names, whatever the extra."""
    table = project()["project"]
    listed = [*table["dependencies"], *(each for extra in table["optional-dependencies"].values() for each in extra)]
    return {canonicalize_name(Requirement(each).name) for each in listed}


def test_a_plugin_or_a_shared_package_imports_no_other_plugin() -> None:
    strangers = [
        f"{shown(path)}:{each.line} imports {each.module}"
        for folder in (*plugin_folders(), *SHARED)
        for path in python_files(folder)
        for each in imports(path)
        if each.root.startswith("robustfim_") and each.root not in (folder.name, *OPEN)
    ]
    assert not strangers


def test_a_plugin_imports_only_libraries_that_pyproject_names() -> None:
    providers, known = packages_distributions(), declared()
    undeclared = [
        f"{shown(path)}:{each.line} imports {each.module}"
        for folder in (*plugin_folders(), *SHARED)
        for path in python_files(folder)
        for each in imports(path)
        if each.root not in (*sys.stdlib_module_names, "robustfim", folder.name, *OPEN)
        and not {canonicalize_name(name) for name in (*providers.get(each.root, ()), each.root)} & known
    ]
    assert not undeclared
