"""The face: light, and able to say what is missing."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import robustfim_huggingface
from robustfim import ModelError
from robustfim.roles import DifferentiableModel
from robustfim_checkpoints.library import library

HEAVY = {"torch", "transformers", "datasets", "huggingface_hub", "tokenizers", "pyarrow"}


def offered() -> Mapping[str, Any]:
    return robustfim_huggingface.robustfim_offers()["models"]


ROLES = {
    "huggingface": DifferentiableModel,
    "huggingface/causal": DifferentiableModel,
    "huggingface/causal-choice": DifferentiableModel,
    "huggingface/choice": DifferentiableModel,
}


@pytest.mark.parametrize("offer", ROLES)
def test_what_the_face_offers_plays_its_role(offer: str) -> None:
    module, _, name = offered()[offer].partition(":")
    cls = getattr(importlib.import_module(module), name)
    role = ROLES[offer]
    assert {name for name in vars(role) if not name.startswith("_")} <= set(dir(cls))


def test_importing_the_face_and_what_it_offers_imports_no_heavy_library() -> None:
    code = (
        "import sys, importlib, robustfim_huggingface as face\n"
        "offers = face.robustfim_offers().values()\n"
        "commands = [target for target, *_ in face.robustfim_commands().values()]\n"
        "for each in [*(target for offer in offers for target in offer.values()), *commands]:\n"
        "    module, _, name = each.partition(':')\n"
        "    getattr(importlib.import_module(module), name)\n"
        "print(*sorted(sys.modules))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert HEAVY & set(done.stdout.split()) == set()


def test_a_missing_library_comes_with_the_command_that_installs_it() -> None:
    with pytest.raises(ModelError, match=r"no_such_library.* pip install 'robustfim\[huggingface\]'"):
        library("no_such_library", extra="huggingface")


def test_a_missing_dependency_of_a_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "hollow_library.py").write_text("import its_missing_part", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModelError, match="its_missing_part"):
        library("hollow_library", extra="huggingface")


def test_a_folder_of_weights_with_a_malformed_config_is_a_model_which_says_so(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{", encoding="utf-8")
    assert robustfim_huggingface.robustfim_translate("models", tmp_path) is None
    (tmp_path / "model.safetensors").touch()
    taken = robustfim_huggingface.robustfim_translate("models", tmp_path)
    assert taken == {"use": "huggingface", "path": tmp_path}
