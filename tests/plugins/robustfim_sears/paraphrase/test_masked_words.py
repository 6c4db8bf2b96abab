"""Masked words: proposals and pseudo-likelihoods, against one forward pass a place."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import ModelError, UsageError
from robustfim_sears.paraphrase.masked_words import MaskedWords
from tests.plugins.robustfim_sears.small import context

TEXT = "The film was dull"


@pytest.fixture(scope="module")
def masked(masked_model: Path) -> MaskedWords:
    made = MaskedWords(path=masked_model, top=3, device="cpu")
    made.prepare(context())
    return made


def log_probabilities(folder: Path, words: list[str]) -> tuple[Any, Any]:
    """log P of every token in every place of a text with masks, and the tokenizer."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder))
    model = transformers.AutoModelForMaskedLM.from_pretrained(str(folder)).eval()
    with torch.inference_mode():
        return model(**tokenizer(" ".join(words), return_tensors="pt")).logits[0].log_softmax(-1), tokenizer


def test_it_proposes_what_the_model_finds_likeliest_in_each_place(masked: MaskedWords, masked_model: Path) -> None:
    (found,) = masked.paraphrase([TEXT], seed=0)
    wanted = set()
    for place, old in enumerate(TEXT.lower().split()):
        words = TEXT.lower().split()
        words[place] = "<mask>"
        logs, tokenizer = log_probabilities(masked_model, words)
        best = [tokenizer.convert_ids_to_tokens(int(token)) for token in logs[place].argsort(descending=True)[:4]]
        for word in [each for each in best if each.isalpha() and each != old][:3]:
            new = TEXT.split()
            new[place] = word.capitalize() if place == 0 else word
            wanted.add(" ".join(new))
    assert {paraphrase.text for paraphrase in found} == wanted
    assert len(wanted) > 6


def test_the_score_is_the_ratio_of_the_changed_words_given_the_others(masked: MaskedWords, masked_model: Path) -> None:
    logs, tokenizer = log_probabilities(masked_model, ["the", "<mask>", "was", "dull"])
    film, movie = (float(logs[1, tokenizer.convert_tokens_to_ids(each)]) for each in ("film", "movie"))
    pair, _ = log_probabilities(masked_model, ["the", "<mask>", "<mask>", "was", "dull"])
    two = sum(float(pair[place, tokenizer.convert_tokens_to_ids(each)]) for place, each in ((1, "bad"), (2, "story")))
    there, back, more = masked.score(
        [TEXT, "The movie was dull", TEXT], ["The movie was dull", TEXT, "The bad story was dull"]
    )
    assert there == pytest.approx(math.exp(min(0, movie - film)), rel=1e-4)
    assert back == pytest.approx(math.exp(min(0, film - movie)), rel=1e-4)
    assert more == pytest.approx(math.exp(min(0, two - film)), rel=1e-4)
    assert masked.contract.score == "pseudo-likelihood"


def test_what_only_loses_words_is_never_the_same(masked: MaskedWords) -> None:
    assert masked.score(["The film was dull", TEXT], ["The film was", TEXT]) == [0.0, 1.0]


def test_paraphrases_have_the_score_that_is_asked_for(masked: MaskedWords) -> None:
    (found,) = masked.paraphrase([TEXT], seed=0)
    assert masked.score([TEXT] * len(found), [paraphrase.text for paraphrase in found]) == [
        paraphrase.score for paraphrase in found
    ]


def test_texts_that_the_model_would_not_read_are_counted(masked_model: Path, encoder: Path) -> None:
    made = MaskedWords(path=masked_model, encoder=encoder, device="cpu", offline=True)
    assert made.paraphrase(["film " * 30, "🎬 ?", ""], seed=0) == [[], [], []]
    assert made.score(["film " * 30], ["movie " * 30]) == [0.0]
    assert made.skipped == {"too long for the language model": 1, "too long for the encoder": 2}


def test_with_an_encoder_the_score_is_the_similarity(masked_model: Path, encoder: Path) -> None:
    made = MaskedWords(path=masked_model, encoder=encoder, device="cpu", offline=True)
    made.prepare(context())
    assert made.contract.score == "similarity"
    assert made.score([TEXT], [TEXT]) == pytest.approx([1.0])
    assert "encoder" in made.resources()["paraphraser"]


def test_a_tokenizer_without_a_mask_is_refused(tmp_path: Path, masked_model: Path) -> None:
    copy = shutil.copytree(masked_model, tmp_path / "copy")
    for path in (
        copy / "tokenizer_config.json",
        copy / "special_tokens_map.json",
    ):
        if path.exists():
            settings = json.loads(path.read_text())
            settings.pop("mask_token")
            path.write_text(json.dumps(settings))
    with pytest.raises(ModelError, match="has no mask: it is not a masked model's"):
        MaskedWords(path=copy, device="cpu").paraphrase(["a film"], seed=0)


def test_bad_options_and_missing_models_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="path: no folder"):
        MaskedWords(path=tmp_path / "nowhere")
    with pytest.raises(UsageError, match=r"path: no folder .* could be fetched \(offline\)"):
        MaskedWords(path="robustfim-tests/no-such-model", offline=True).paraphrase(["a"], seed=0)
