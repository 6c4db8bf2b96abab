"""``study rules``: two files of rules are compared as counted by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from robustfim.cli import main

TEXTS = ["a film", "a film again", "the movie", "a story", "the end of a film"]
PLUGIN = '''
import numpy as np
from robustfim import hookimpl

class Counting:
    """Says yes of a text with "film" or "end" in it, else no."""
    labels = ("no", "yes")
    fingerprint = "counting"

    def predict(self, examples):
        said = [[0.1, 0.9] if {"film", "end"} & set(e.text.split()) else [0.9, 0.1] for e in examples]
        return np.array(said)

@hookimpl
def robustfim_offers():
    return {"models": {"counting": Counting}}
'''


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "counting.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "data.csv").write_text("text,label\n" + "".join(f"{text},yes\n" for text in TEXTS), encoding="utf-8")
    (tmp_path / "s.yaml").write_text(
        "suite: s\nplugins: [counting.py]\nmodel: counting\ndata: {use: csv, path: data.csv}\n", encoding="utf-8"
    )
    (tmp_path / "ours.yaml").write_text("- film → movie\n- story → tale\n", encoding="utf-8")
    (tmp_path / "mined.yaml").write_text("- end → close\n- film → motor\n", encoding="utf-8")
    return tmp_path


def study(*words: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["study", "rules", *words])
    return int(stop.value.code or 0)


def test_shares_union_and_overlap_are_those_counted(here: Path) -> None:
    assert study("ours.yaml", "mined.yaml", "--suite", "s.yaml", "--minutes", "16", "--minutes", "0.5") == 0
    found: dict[str, Any] = json.loads((here / "reports" / "study-rules.json").read_text(encoding="utf-8"))["results"]
    ours, mined = found["files"]
    # film → movie flips two texts; in "the end of a film" the end still says yes.
    assert (ours["rules"], ours["touched"], ours["flipped"], ours["minutes"]) == (2, 4, 2, 16)
    assert (mined["touched"], mined["flipped"], mined["minutes"]) == (3, 2, 0.5)
    assert ours["equivalent"] == [4, 4]  # the shipped table knows that a film is a movie and a story a tale
    assert mined["equivalent"] == [0, 4]
    assert found["shared"]["flipped by either"] == [2, 2]
    assert found["shared"]["flipped by both"] == [2, 0]
    assert found["shared"]["flipped by ours.yaml alone"] == [0, 2]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("ours.yaml", "ours.yaml"), "are the same file, "),
        (("ours.yaml", "mined.yaml", "--minutes", "3"), "--minutes: give it twice"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str
) -> None:
    assert study(*words, "--suite", "s.yaml") == 4
    assert told in " ".join(capsys.readouterr().err.split())
