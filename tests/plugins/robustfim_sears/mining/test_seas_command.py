"""``study seas`` lists, for each text, the paraphrase of the highest score among those that change the label."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from robustfim.cli import main

PLUGIN = '''
import numpy as np
from robustfim import hookimpl
from robustfim.contract import ParaphraserContract
from robustfim.roles import Paraphrase

class Films:
    """Says yes of a text with "film" in it, else no."""
    labels = ("no", "yes")
    fingerprint = "films"

    def predict(self, examples):
        return np.array([[0.1, 0.9] if "film" in each.text else [0.9, 0.1] for each in examples])

class Renaming:
    """Three paraphrases: the surest keeps the label."""
    contract = ParaphraserContract(score="toy", tau=0.5)

    def paraphrase(self, texts, *, seed):
        said = (("the film", 0.9), ("a story", 0.7), ("a play", 0.8), ("a thing", 0.4))
        return [[Paraphrase(each.replace("a film", after), score) for after, score in said] for each in texts]

    def score(self, texts, candidates):
        return [1.0 for _ in texts]

@hookimpl
def robustfim_offers():
    return {"models": {"films": Films}, "paraphrasers": {"renaming": Renaming}}
'''


def test_the_best_adversary_of_each_right_text_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("films.py").write_text(PLUGIN, encoding="utf-8")
    Path("data.csv").write_text("text,label\nI saw a film,yes\na film too long,no\nno more,no\n", encoding="utf-8")
    Path("s.yaml").write_text(
        "suite: s\nplugins: [films.py]\nmodel: films\ndata: {use: csv, path: data.csv}\n", encoding="utf-8"
    )
    with pytest.raises(SystemExit) as stop:
        main(["study", "seas", "s.yaml", "--paraphraser", "renaming"])
    assert not stop.value.code
    found = json.loads(Path("reports/s/study-seas.json").read_text(encoding="utf-8"))["results"]
    assert (found["texts"], found["adversaries"], found["tau"]) == (2, 1, 0.5)
    best = {"text": "I saw a film", "adversary": "I saw a play", "score": 0.8, "before": "yes", "after": "no"}
    assert found["best"] == [best]
