"""A plugin's face is light, and so are the classes it offers: heavy libraries wait for the first use."""

from __future__ import annotations

import sys
from pathlib import Path

from robustfim.plugin.offer import KINDS
from robustfim.plugin.options import options_model
from robustfim.plugin.sources import PluginOptions, load_plugins
from tests.house.importing import imported_by_code
from tests.house.tree import HEAVY, SHARED, imports, plugin_folders

OFFERED = """
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.plugin.offer import KINDS

manager = load_plugins(PluginOptions())
for offer in [each for kind in KINDS for each in manager.offers(kind).values()]:
    offer.cls
manager.shared("geometry")
"""


def test_a_face_imports_nothing_but_robustfim_and_its_body_only_inside_hooks() -> None:
    allowed = {"robustfim", *sys.stdlib_module_names}
    shared = {path.name for path in SHARED}
    strange = [
        f"{folder.name} imports {each.module}"
        for folder in plugin_folders()
        for each in imports(folder / "__init__.py")
        if not each.typing and each.root not in allowed and not (each.late and each.root in {folder.name, *shared})
    ]
    assert not strange


def test_the_faces_of_all_plugins_import_no_heavy_library(tmp_path: Path) -> None:
    names = [folder.name for folder in plugin_folders()]
    imported = imported_by_code(f"import {', '.join(names)}", tmp_path / "imported")
    assert set(names) <= imported
    assert not sorted(imported & HEAVY)
    assert not sorted(name for name in imported if name.partition(".")[0] in names and "." in name)


def test_every_offered_class_exists_and_is_imported_without_a_heavy_library(tmp_path: Path) -> None:
    imported = imported_by_code(OFFERED, tmp_path / "imported")
    assert "robustfim_reference.model" in imported
    assert not sorted(imported & HEAVY)


def test_every_option_of_an_offered_class_is_documented() -> None:
    manager = load_plugins(PluginOptions())
    bare = [
        f"{offer.name}: {option}"
        for kind in KINDS
        for offer in manager.offers(kind).values()
        if offer.owner != "textattack"  # whose options are TextAttack's own
        for documented in ["".join(base.__doc__ or "" for base in offer.cls.__mro__)]
        for option in options_model(offer.cls, offer.owner).model_fields
        if f"{option}:" not in documented and f"{option}_:" not in documented
    ]
    assert not bare
