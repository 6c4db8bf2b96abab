"""The average of embeddings, against the same training written with torch's own gradients."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from robustfim import Example
from robustfim.seeds import random_for
from robustfim_cues.copa.data import Copa
from robustfim_cues.models.fasttext import FastTextModel
from robustfim_cues.models.partial_input import partial_input
from tests.plugins.robustfim_cues.conftest import make
from tests.plugins.robustfim_cues.models.test_partial_input import given_away

pytest.importorskip("sklearn")
TEXTS = [Example({"text": text}, label) for text, label in zip(["a b", "b c d", "a", "d d a b"], "xyzx", strict=True)]
CHOICES = [make("a b", "c", "1"), make("c d e", "a", "2"), make("b", "d e f", "2")]


@pytest.mark.parametrize("examples", [TEXTS, CHOICES], ids=["labels", "choices"])
def test_the_steps_are_those_of_the_gradient_of_the_likelihood(examples: Sequence[Example]) -> None:
    torch = pytest.importorskip("torch")
    steps, dims, rate = 5, 3, 20.0
    choices = examples is CHOICES
    names = ("choice1", "choice2") if choices else ("text",)
    mark = "" if choices else "text:"
    bags = [[sorted({mark + word for word in example.fields[name].split()}) for name in names] for example in examples]
    known = sorted({word for row in bags for bag in row for word in bag})
    labels = ["1", "2"] if choices else ["x", "y", "z"]
    begin = np.random.default_rng(random_for(0, "fasttext").getrandbits(64)).uniform(-1, 1, (len(known), dims)) / dims
    embeddings = torch.tensor(begin, requires_grad=True)
    output = torch.zeros(dims, 1 if choices else 3, dtype=torch.float64, requires_grad=True)
    gold = torch.tensor([labels.index(str(example.label)) for example in examples])

    def logits() -> object:
        scores = [[embeddings[[known.index(word) for word in bag]].mean(0) @ output for bag in row] for row in bags]
        return torch.stack([torch.cat(row) for row in scores])

    for step in range(steps):
        loss = torch.nn.functional.cross_entropy(logits(), gold)
        gradients = torch.autograd.grad(loss, [embeddings, output])
        with torch.no_grad():
            for weights, gradient in zip((embeddings, output), gradients, strict=True):
                weights -= rate * (1 - step / steps) * gradient
    model = FastTextModel(["premise", "question"], dims=dims, steps=steps).fit(examples)
    expected = torch.softmax(logits(), dim=1).detach().numpy()
    assert model.probabilities(examples) == pytest.approx(expected, abs=1e-9)


def test_a_cue_that_is_always_right_solves_everything() -> None:
    found = partial_input(given_away(1.0), leave_out=["premise"], repeats=1, model="fasttext")
    assert (found.rate.rate, found.ties) == (1, 0)


def test_in_balanced_training_data_there_is_nothing_to_learn() -> None:
    found = partial_input(list(Copa().load()), leave_out=["premise"], repeats=1, model="fasttext")
    assert found.ties == 162
    assert found.given == pytest.approx([0.5] * 162, abs=1e-9)


def test_bigrams_tell_what_single_words_do_not() -> None:
    texts = ["good not bad", "bad not good", "nor bad good", "nor good bad"]
    examples = [Example({"text": f"{texts[n % 4]} {n}"}, "yn"[n % 4 in (1, 3)]) for n in range(40)]
    single, double = (partial_input(examples, repeats=1, longest=n, model="fasttext").rate.count for n in (1, 2))
    assert double == 40
    assert single < 30


def test_what_was_never_seen_leaves_all_labels_equally_likely() -> None:
    model = FastTextModel(["premise"]).fit(given_away(1.0))
    unknown = [make("nothing known", "at all", premise="x")]
    assert model.probabilities(unknown) == pytest.approx(np.full((1, 2), 0.5), abs=0)


def test_one_seed_gives_one_result_and_another_one_other_embeddings() -> None:
    examples = given_away(0.8, 30)
    first, again, other = (FastTextModel(seed=seed).fit(examples).probabilities(examples) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()
