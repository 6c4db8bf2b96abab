"""Training dynamics, against allenai/cartography's computations written out literally."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import inf, isnan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim.errors import DataError
from robustfim_difficulty.dynamics import (
    AreaUnderMargin,
    Confidence,
    Correctness,
    Forgetting,
    Variability,
    read_dynamics,
)
from tests.plugins.robustfim_difficulty.toy import bench, example

SAMPLE = Path(__file__).parents[4] / "shared" / "data" / "suites" / "cartography_sample"

RANDOM = np.random.default_rng(0)
GOLD = [0, 1, 2, 1, 0, 2]
LOGITS = RANDOM.normal(size=(5, len(GOLD), 3)) * 2
LOGITS[:, 5] = [[3.0, 1.0, 0.0]] * 5  # never right
LOGITS[:, 4, 0] += [9, -9, 9, -9, 9]  # learnt and forgotten twice


def written(folder: Path, logits: np.ndarray = LOGITS) -> Path:
    folder.mkdir(exist_ok=True)
    for epoch, rows in enumerate(logits):
        lines = [
            json.dumps({"guid": 100 + row, f"logits_epoch_{epoch}": list(values), "gold": gold})
            for row, (values, gold) in enumerate(zip(rows, GOLD, strict=True))
        ]
        order = lines if epoch % 2 else lines[::-1]  # shuffled training: each epoch has its own order
        (folder / f"dynamics_epoch_{epoch}.jsonl").write_text("\n".join(order) + "\n")
    return folder


def softmax(row: np.ndarray) -> Any:
    return np.exp(row) / np.exp(row).sum()


def forgetfulness(trend: list[bool]) -> float:
    """``compute_forgetfulness`` of cartography/selection/train_dy_filtering.py; its 1000 is inf here."""
    if not any(trend):
        return inf
    learnt, times = False, 0
    for correct in trend:
        if learnt == correct:
            continue
        times += learnt and not correct
        learnt = correct
    return times


def score(scorer: object, ids: Sequence[object]) -> list[float]:
    examples = [example(f"text {each}", guid=each) for each in ids]
    return list(scorer.score(examples, bench(examples).context))  # type: ignore[attr-defined]  # any of the five


def test_the_scores_are_those_of_the_published_code(tmp_path: Path) -> None:
    folder, ids = written(tmp_path / "dynamics"), [100 + row for row in range(len(GOLD))]
    gold = [[softmax(LOGITS[epoch, row])[label] for epoch in range(5)] for row, label in enumerate(GOLD)]
    right = [[bool(LOGITS[epoch, row].argmax() == label) for epoch in range(5)] for row, label in enumerate(GOLD)]
    assert score(Confidence(folder), ids) == pytest.approx([np.mean(each) for each in gold], abs=1e-12)
    assert score(Variability(folder), ids) == pytest.approx([np.std(each) for each in gold], abs=1e-12)
    assert score(Correctness(folder), ids) == [sum(each) / 5 for each in right]
    assert score(Forgetting(folder), ids) == [forgetfulness(each) for each in right]
    assert score(Forgetting(folder), ids)[4:] == [2, inf]
    margins = [
        np.mean([LOGITS[e, row, label] - max(np.delete(LOGITS[e, row], label)) for e in range(5)])
        for row, label in enumerate(GOLD)
    ]
    assert score(AreaUnderMargin(folder), ids) == pytest.approx(margins, abs=1e-12)


def test_an_example_that_the_files_do_not_have_has_no_score(tmp_path: Path) -> None:
    found = score(Confidence(written(tmp_path / "d")), ["100", 999])  # a number or a text names the same
    assert not isnan(found[0])
    assert isnan(found[1])


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    folder = written(tmp_path / "d")
    examples = [example("a", guid=100)]
    with pytest.raises(DataError, match=r"has no column 'uid'\. Did you mean 'guid'\? It has: guid"):
        Confidence(folder, id="uid").score(examples, bench(examples).context)
    with pytest.raises(DataError, match=r"knows none of the 1 examples by their column 'guid'"):
        score(Confidence(folder), [7])
    with pytest.raises(DataError, match=r"no folder .*; name the one"):
        read_dynamics(tmp_path / "other")
    with pytest.raises(DataError, match=r"has no dynamics_epoch_0.jsonl"):
        read_dynamics(tmp_path)
    path = folder / "dynamics_epoch_3.jsonl"
    path.write_text('{"guid": 100, "logits_epoch_2": [1, 2], "gold": 0}\n')
    with pytest.raises(DataError, match=r"dynamics_epoch_3.jsonl:1: not {guid, logits_epoch_3, gold}: KeyError"):
        read_dynamics(folder)
    path.write_text('{"guid": 100, "logits_epoch_3": [1, 2], "gold": 2}\n')
    with pytest.raises(DataError, match=r"a gold class that they do not have"):
        read_dynamics(folder)
    path.write_text('{"guid": 7, "logits_epoch_3": [1, 2, 3], "gold": 2}\n')
    with pytest.raises(DataError, match=r"the 5 epochs have no example in common"):
        read_dynamics(folder)


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="Dataset Cartography's sample is not here")
@pytest.mark.parametrize("epoch", range(5))
def test_the_published_files_are_read(tmp_path: Path, epoch: int) -> None:
    """Of the sample, whose epochs have ten examples each and none in common, one epoch after another."""
    name = f"dynamics_epoch_{epoch}.jsonl"
    lines = (SAMPLE / name).read_text().splitlines()
    (tmp_path / name).write_text("\n".join(lines))
    ids = [json.loads(line)["guid"] for line in lines]
    assert set(read_dynamics(tmp_path)) == {str(each) for each in ids}
    assert all(0 < each < 1 for each in score(Confidence(tmp_path), ids))
