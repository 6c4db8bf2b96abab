"""The face: light, and what it offers fits its role."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import robustfim_blackbox
from robustfim import hookspecs, roles
from robustfim.parts import ModelPart
from robustfim.plugin.sources import PluginOptions, load_plugins


class Pipeline:
    """What is asked of a pipeline of spaCy before it is used."""

    pipe_names = ("textcat",)

    def get_pipe_meta(self, name: str) -> Any:
        return SimpleNamespace(factory=name)


class Reader:
    """A model that windows are read by."""

    fingerprint, labels = "reader", ("a", "b")

    def predict(self, examples: list[Any]) -> list[list[float]]:
        return [[0.5, 0.5] for _ in examples]


MODELS: dict[str, dict[str, Any]] = {
    "python": {"call": "os:listdir", "labels": ["a", "b"]},
    "sklearn": {"call": "os:listdir"},
    "http": {"url": "http://localhost", "labels": ["a", "b"], "body": "{text}"},
    "chat": {"url": "http://localhost/v1", "model": "m", "labels": ["a", "b"]},
    "predictions": {"labels": ["a", "b"]},
    "onnx": {},
    "spacy": {},
    "spacy/pipeline": {"pipeline": Pipeline()},
    "windows": {"model": Reader(), "size": 2, "stride": 1},
}
SAVED = {
    "predictions": ("answers.jsonl", ""),
    "onnx": ("model.onnx", ""),
    "spacy": ("meta.json", '{"pipeline": ["textcat"]}'),
}
"""What lies where the option ``path`` points."""


def offered(target: str | type[Any]) -> Any:
    assert isinstance(target, str)
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def test_the_plugin_is_found_by_its_entry_point() -> None:
    manager = load_plugins(PluginOptions())
    assert "blackbox" in manager.names
    assert {name for name, offer in manager.offers("models").items() if offer.owner == "blackbox"} == set(MODELS)
    assert manager.get("scorers", "flips").owner == "blackbox"


@pytest.mark.parametrize("name", MODELS)
def test_a_model_has_what_the_role_asks_for(name: str, project: Any) -> None:
    options = dict(MODELS[name])
    if name in SAVED:
        file = project.write(*SAVED[name])
        options["path"] = file.parent if name == "spacy" else file
    cls = offered(robustfim_blackbox.robustfim_offers()["models"][name])
    model = cls(**options)
    assert callable(model.predict)
    assert {"labels", "fingerprint", "predict"} <= {*dir(cls), *vars(model)}
    assert (ModelPart(model).contract.batch_size or 1) >= 1
    assert not hasattr(cls, "embed"), "these models have no gradients"


@pytest.mark.parametrize("typed", ["mine:predict", "mine.py:predict"])
def test_a_function_may_stand_alone_on_the_command_line(typed: str) -> None:
    translate = robustfim_blackbox.robustfim_translate
    assert translate("models", Path(typed)) == {"use": "python", "call": "mine:predict"}
    assert translate("data", Path(typed)) is None
    assert translate("models", Path("./mine")) is None


def test_a_given_classifier_is_taken_for_what_it_can_do() -> None:
    class Plain:
        def predict(self, texts: list[str]) -> list[str]:
            return texts

    class Fitted(Plain):
        classes_ = ("a", "b")

        def predict_proba(self, texts: list[str]) -> list[list[float]]:
            return [[1.0, 0.0]] * len(texts)

    class Called(Plain):  # as SetFit's models
        def predict_proba(self, texts: list[str]) -> list[list[float]]:
            return [[1.0, 0.0]] * len(texts)

        def __call__(self, texts: list[str]) -> list[str]:
            return texts

    translate, plain, fitted, called = robustfim_blackbox.robustfim_translate, Plain(), Fitted(), Called()
    assert translate("models", plain) == {"use": "sklearn", "call": plain}, "which says what a pipeline lacks"
    assert translate("models", fitted) == {"use": "sklearn", "call": fitted}
    assert translate("models", called) == {"use": "python", "call": called.predict_proba}


def test_the_score_fits_its_role() -> None:
    scorer: roles.Scorer = offered(robustfim_blackbox.robustfim_offers()["scorers"]["flips"])()
    assert scorer.contract.hardest == "highest"


def test_the_hooks_are_known() -> None:
    assert {name for name in dir(robustfim_blackbox) if name.startswith("robustfim_")} <= set(vars(hookspecs))


def test_importing_what_is_offered_imports_no_heavy_library() -> None:
    code = (
        "import sys, importlib, robustfim_blackbox as face\n"
        "for each in {**face.robustfim_offers()['models'], **face.robustfim_offers()['scorers']}.values():\n"
        "    module, _, name = each.partition(':')\n"
        "    getattr(importlib.import_module(module), name)\n"
        "print(*sorted(sys.modules))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    heavy = {"torch", "sklearn", "pandas", "httpx", "joblib", "scipy"}
    assert heavy & set(done.stdout.split()) == set()
