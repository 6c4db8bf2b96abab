"""Perplexity: counts of pairs against a slow computation, a network against its loss."""

from __future__ import annotations

from itertools import pairwise
from math import exp, isnan, log
from pathlib import Path

import pytest

from robustfim.errors import ModelError, UsageError
from robustfim_difficulty import perplexity
from robustfim_difficulty.perplexity import Pairs, Perplexity
from tests.plugins.robustfim_difficulty.toy import bench, example

TEXTS = ("the cat sat on the mat", "the dog sat", "a cat and a dog", "the mat")


def slow(text: str, others: list[str]) -> float:
    """Witten and Bell's estimate, counted anew for each word."""
    words = [word for other in others for word in other.split()]
    pairs = [pair for other in others for pair in pairwise(other.split())]
    kinds = len(set(words))

    def chance(first: str, word: str) -> float:
        alone = (words.count(word) + kinds / (kinds + 1)) / (len(words) + kinds)
        behind = len({second for one, second in pairs if one == first})
        number = sum(one == first for one, _ in pairs)
        return (pairs.count((first, word)) + behind * alone) / (number + behind) if number else alone

    logs = [log(chance(*pair)) for pair in pairwise(text.split())]
    return exp(-sum(logs) / len(logs))


@pytest.mark.parametrize("place", range(4))
def test_a_text_is_unlikely_by_the_counts_of_all_the_others(place: int) -> None:
    examples = [example(text) for text in TEXTS]
    found = Perplexity().score(examples, bench(examples).context)
    others = [text for text in TEXTS if text != TEXTS[place]]
    assert found[place] == pytest.approx(slow(TEXTS[place], others), rel=1e-9)


def test_a_text_that_was_not_counted_takes_nothing_away() -> None:
    assert Pairs([example(text) for text in TEXTS]).perplexity(example("the cat sat")) == pytest.approx(
        slow("the cat sat", list(TEXTS))
    )
    assert isnan(Pairs([example("film")]).perplexity(example("film")))


def test_a_language_models_perplexity_is_exp_of_its_loss(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    Tokenizer, models, pre_tokenizers = tokenizers.Tokenizer, tokenizers.models, tokenizers.pre_tokenizers

    words = {word: number for number, word in enumerate(["[UNK]", *sorted(set(" ".join(TEXTS).split()))])}
    tokenizer = Tokenizer(models.WordLevel(words, "[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer).save_pretrained(tmp_path)
    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=len(words), n_positions=32, n_embd=8, n_layer=1, n_head=1)
    network = transformers.GPT2LMHeadModel(config).eval()
    network.save_pretrained(tmp_path, safe_serialization=True)
    examples = [example(text) for text in TEXTS]
    found = Perplexity(model=tmp_path).score(examples, bench(examples).context)
    ids = torch.tensor([[words[word] for word in TEXTS[0].split()]])
    with torch.no_grad():
        assert found[0] == pytest.approx(exp(float(network(input_ids=ids, labels=ids).loss)), rel=1e-4)
    with pytest.raises(ModelError, match="cannot be loaded"):
        Perplexity(model=tmp_path / "gone").score(examples, bench(examples).context)


def test_a_language_model_is_refused_at_once_where_its_libraries_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perplexity, "find_spec", lambda name: None if name == "torch" else name)
    with pytest.raises(UsageError, match=r"needs torch: pip install 'robustfim\[huggingface\]'"):
        Perplexity(model="a-model")
    Perplexity()
