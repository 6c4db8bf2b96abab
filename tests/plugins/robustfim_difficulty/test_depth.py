"""Prediction depth against a slow literal computation, and on a transformer's blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from robustfim.errors import DataError, UsageError
from robustfim_difficulty.depth import PredictionDepth, _blocks, _depth
from robustfim_difficulty.traced import traced
from tests.plugins.robustfim_difficulty.test_grand import Linear
from tests.plugins.robustfim_difficulty.toy import bench, example, vector

torch = pytest.importorskip("torch")
TEXTS = ("a red apple", "the sea", "we ate a pear", "one eel", "an area", "cheese here", "papaya", "sand and salt")


def test_the_depth_is_the_first_layer_from_which_on_the_neighbours_agree() -> None:
    examples = [example(text, "positive" if place % 3 else "negative") for place, text in enumerate(TEXTS)]
    model = Linear()
    found = PredictionDepth(k=3).score(examples, bench(examples, model).context)
    means = np.array([np.mean([vector(word) for word in text.split()], axis=0) for text in TEXTS])
    sums = np.array([np.sum([vector(word) for word in text.split()], axis=0) for text in TEXTS])
    for row, each in enumerate(examples):
        probabilities = model.predict([each])[0]
        label = model.labels[int(np.argmax(probabilities))]
        votes = []
        for layer in (means, sums):  # the mean embedding, and what the linear layer reads
            order = [i for i in np.argsort(np.linalg.norm(layer - layer[row], axis=1), kind="stable") if i != row][:3]
            near = [examples[i].label for i in order]
            votes.append(max(dict.fromkeys(near), key=near.count))
        depth = 2 if votes[1] != label else 0 if votes[0] == label else 1
        assert found[row] == depth
    assert set(found) <= {0.0, 1.0, 2.0}


def test_a_transformer_is_read_block_by_block() -> None:
    class Stack(torch.nn.Module):  # type: ignore[misc, name-defined]  # torch is imported where it is installed
        def __init__(self) -> None:
            super().__init__()
            self.blocks = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(3))
            self.parallel = torch.nn.ModuleList(torch.nn.Conv1d(4, 4, width) for width in (2, 3, 4, 5))

        def forward(self, values: Any) -> Any:
            for block in self.blocks:
                values = block(values)
            return sum(each(values.transpose(1, 2)).sum() for each in self.parallel)

    values = torch.randn(2, 7, 4)
    stack = Stack()
    with torch.no_grad(), traced() as calls:
        stack(values)
    found = _blocks(calls, (2, 7))
    assert len(found) == 3
    assert torch.allclose(found[0], stack.blocks[0](values))


def test_votes_before_the_last_disagreement_do_not_count() -> None:
    assert _depth(["a", "b", "a", "a"], "a") == 2
    assert _depth(["a", "a"], "a") == 0
    assert _depth(["a", "b"], "a") == 2


def test_a_probe_needs_neighbours_with_labels() -> None:
    bare = [example("film")]
    with pytest.raises(DataError, match="no training text with a gold label"):
        PredictionDepth().score(bare, bench(bare, Linear()).context)
    with pytest.raises(UsageError, match="k=0"):
        PredictionDepth(k=0)
