"""The network against PyTorch, its Viterbi against every sequence of tags there is."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from robustfim_reference.tagging.network import TaggerNetwork, likeliest_tags


def test_the_logits_are_those_of_the_network_that_is_trained() -> None:
    torch = pytest.importorskip("torch")
    from benchmarks.taggers.fitting import TaggerModule

    with torch.random.fork_rng():
        torch.manual_seed(24)
        module = TaggerModule(5).eval()
        texts = [torch.randint(0, 2**15, (length, 14)).tolist() for length in (1, 2, 9)]
    network = TaggerNetwork.of({name: each.numpy() for name, each in module.state_dict().items()}, tags=5)
    for rows in texts:
        with torch.no_grad():
            (expected,) = module([rows]).numpy()
        assert network.logits(network.embed(rows)) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_the_likeliest_tags_are_the_best_of_all_sequences_that_may_be(seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(4, 5)) * 2

    def may_be(tags: tuple[int, ...]) -> bool:
        return all(tag in (0, 1, 3) or before in (tag - 1, tag) for before, tag in zip((0, *tags), tags, strict=False))

    best = max(filter(may_be, product(range(5), repeat=4)), key=lambda tags: scores[range(4), tags].sum())
    assert likeliest_tags(scores) == list(best)


def test_weights_that_do_not_fit_are_refused() -> None:
    tensors = {
        "embedding.weight": np.zeros((4, 2)),
        **{f"{name}.weight": np.zeros((3, 2 if name == "first" else 3, 1)) for name in ("first", "second", "output")},
        **{f"{name}.bias": np.zeros(3) for name in ("first", "second", "output")},
    }
    assert TaggerNetwork.of(tensors, tags=3).logits(np.ones((2, 2))).shape == (2, 3)
    with pytest.raises(ValueError, match="output has 3 tags, not 5"):
        TaggerNetwork.of(tensors, tags=5)
    with pytest.raises(ValueError, match=r"first has the shape .* does not follow 2 numbers"):
        TaggerNetwork.of(tensors | {"first.weight": np.zeros((3, 4, 1))}, tags=3)
