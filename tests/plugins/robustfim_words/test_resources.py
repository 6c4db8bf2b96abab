from __future__ import annotations

import json
from pathlib import Path

import pytest

from robustfim_words import resources as module
from robustfim_words.resources import resources
from robustfim_words.tagging.tagger import SHIPPED


def test_the_shipped_resources_are_well() -> None:
    pytest.importorskip("spacy")
    assert {state for state, _ in resources().values()} == {"ok"}


def test_a_tagger_without_one_of_its_parts_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SHIPPED", tmp_path)
    assert resources()["tagger"][0] == "problem"
    meta = json.loads((SHIPPED / "meta.json").read_text(encoding="utf-8"))
    (tmp_path / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    for part in meta["pipeline"][1:]:
        (tmp_path / part).mkdir()
    assert resources()["tagger"] == (
        "problem",
        f"the shipped pipeline lacks {meta['pipeline'][0]}; install robustfim again.",
    )


def test_without_spacy_the_tagger_is_a_note_with_the_command_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    state, text = resources()["tagger"]
    assert state == "note"
    assert text.endswith("pip install 'robustfim[spacy]'")
