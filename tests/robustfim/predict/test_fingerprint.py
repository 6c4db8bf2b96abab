from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from robustfim.builtin.expectations import Changes, Invariant
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.predict import fingerprint
from robustfim.predict.fingerprint import code_fingerprint
from tests.robustfim.command_line import CommandLine


def test_two_classes_of_one_file_differ_and_one_is_always_the_same() -> None:
    assert code_fingerprint(Invariant) == code_fingerprint(Invariant)
    assert code_fingerprint(Invariant) != code_fingerprint(Changes)


@pytest.mark.parametrize("begins", ["with an __init__.py", "without one"])
def test_a_change_anywhere_in_the_package_changes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begins: str
) -> None:
    package = tmp_path / "changing_package"
    package.mkdir()
    if begins == "with an __init__.py":
        (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "body.py").write_text("class Body: ...\n", encoding="utf-8")
    (package / "data.py").write_text("x = 1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    from importlib import import_module

    cls = import_module("changing_package.body").Body
    before = code_fingerprint(cls)
    (package / "data.py").write_text("x = 2\n", encoding="utf-8")
    fingerprint._package.cache_clear()  # as another process would, which imports the package as it is now
    assert code_fingerprint(cls) != before
    for name in ("changing_package", "changing_package.body"):
        del sys.modules[name]


def test_a_class_without_source_is_known_by_its_name() -> None:
    module = ModuleType("made_up")
    one, two = (type(name, (), {"__module__": module.__name__}) for name in ("One", "Two"))
    assert code_fingerprint(one) == code_fingerprint(one) != code_fingerprint(two)


def test_an_edited_plugin_file_is_asked_again(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    assert robustfim.record().model_calls > 0
    robustfim("run toy.yaml")
    assert robustfim.record().model_calls == 0
    before = code_fingerprint(load_plugins(PluginOptions(load=("toy.py",))).get("models", "wordsum").cls)
    robustfim.write("toy.py", Path("toy.py").read_text(encoding="utf-8").replace('"fine": 0.5', '"fine": 0.6'))
    after = code_fingerprint(load_plugins(PluginOptions(load=("toy.py",))).get("models", "wordsum").cls)
    assert before != after
    robustfim("run toy.yaml")
    assert robustfim.record().model_calls > 0, "the model's code is another, and with it its answers"
