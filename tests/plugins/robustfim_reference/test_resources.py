from __future__ import annotations

from pathlib import Path

import pytest

from robustfim_reference import folder
from robustfim_reference.resources import resources


def test_the_weights_of_all_models_are_there() -> None:
    assert resources() == {"weights": ("ok", "fasttext, cnn, lstm, bert, guard, tagger")}


def test_missing_weights_are_a_problem_that_names_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("fasttext", "cnn", "lstm", "bert", "tagger"):
        (tmp_path / "weights" / name).mkdir(parents=True)
    monkeypatch.setattr(folder, "files", lambda package: tmp_path)
    state, text = resources()["weights"]
    assert state == "problem"
    assert text.count("holds no config.json") == 5
