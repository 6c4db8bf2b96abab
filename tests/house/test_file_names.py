"""A file is named after its noun, never after the fact that it helps."""

from __future__ import annotations

from tests.house.tree import ROOT, committed, python_files, shown

EMPTY = {"utils", "util", "helpers", "helper", "misc", "common", "stuff"}


def test_no_module_and_no_folder_has_an_empty_name() -> None:
    named = [
        shown(path)
        for path in committed()
        if {part.removeprefix("test_") for part in path.relative_to(ROOT).with_suffix("").parts} & EMPTY
    ]
    assert not named


def test_no_module_is_a_helper_of_another() -> None:
    helping = [shown(p) for p in python_files() if p.stem.endswith(("_helper", "_helpers", "_utils", "_util", "_misc"))]
    assert not helping
