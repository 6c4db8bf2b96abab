"""A partial-input model by a trainer: what it learns from, and that it answers as the same model fitted by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim import Example
from robustfim.cli import main
from robustfim.collect import named_part
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim_cues.copa.data import Copa
from robustfim_cues.models.linear import LinearModel
from robustfim_cues.models.partial_input import partial_input
from robustfim_cues.models.trained import TrainedModel
from robustfim_cues.models.trainer import BagOfWordsTrainer

pytest.importorskip("sklearn")


def made(name: str, leave_out: Sequence[str]) -> TrainedModel:
    return TrainedModel(named_part("trainers", name, load_plugins(PluginOptions()), "--model"), leave_out)


def test_a_trained_bag_of_words_answers_as_the_logistic_regression() -> None:
    examples = list(Copa(part="original").load())
    learnt = [example for place, example in enumerate(examples) if place % 10]
    found = made("{use: cues/bag-of-words, minimum: 1}", ["premise"]).fit(examples)
    wanted = LinearModel(["premise"]).fit(learnt).probabilities(examples)
    assert found.labels == ("1", "2")
    assert np.abs(found.probabilities(examples) - wanted).max() < 1e-4


def test_no_premise_and_no_held_out_instance_is_learnt_from(monkeypatch: pytest.MonkeyPatch) -> None:
    examples = list(Copa().load())
    learner = made("cues/bag-of-words", ["premise"])
    seen: list[list[Example]] = []
    train = BagOfWordsTrainer.train

    def noting(
        self: BagOfWordsTrainer, examples: Sequence[Example], dev: Sequence[Example], folder: Path, **more: Any
    ) -> Mapping[str, Any]:
        seen.append([*examples, *dev])
        return train(self, examples, dev, folder, **more)

    monkeypatch.setattr(BagOfWordsTrainer, "train", noting)
    found = partial_input(examples, leave_out=["premise"], folds=4, repeats=1, learner=learner)
    assert len(found.solved) == len(examples)
    texts = [{example.fields["choice1"] for example in part} for part in seen]
    assert all("premise" not in example.fields for part in seen for example in part)
    everything = {example.fields["choice1"] for example in examples}
    for one in everything:
        assert sum(one not in part for part in texts) == 1


def test_the_command_splits_by_any_trainer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def split(*arguments: str) -> int:
        out = ("--folds", "2", "--repeats", "1", "--out", str(tmp_path / "split.jsonl"))
        with pytest.raises(SystemExit) as stop:
            main(["cues", "split", "copa", "-o", "part=original", *out, *arguments])
        return int(str(stop.value.code or 0))

    assert split("--model", "{use: cues/bag-of-words, minimum: 1}") == 0
    assert "of 81 solved" in capsys.readouterr().out
    rows = [json.loads(line) for line in (tmp_path / "split.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["split"] for row in rows} == {"easy", "hard"}
    assert split("--model", "cues/bag-of-word") == 4
    assert "unknown trainer 'cues/bag-of-word'. Did you mean 'cues/bag-of-words'" in capsys.readouterr().err
