"""Numbers of plugins' options have their range in the annotation, so that a suite's wrong number is refused."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from robustfim.plugin import PluginOptions, load_plugins
from robustfim.plugin.options import options_model

RANGES = {
    ("models", "http"): ("batch", "concurrency", "retries", "backoff", "rate", "timeout"),
    ("models", "chat"): ("unusable", "votes", "choices", "concurrency", "retries", "backoff", "rate", "timeout"),
    ("models", "python"): ("batch_size",),
    ("models", "sklearn"): ("batch_size",),
    ("models", "spacy"): ("batch_size",),
    ("models", "onnx"): ("batch_size", "max_length"),
    ("models", "huggingface"): ("batch_size", "max_length"),
    ("models", "huggingface/choice"): ("batch_size", "max_length"),
    ("models", "huggingface/causal"): ("batch_size", "max_length"),
    ("models", "huggingface/setfit"): ("batch_size", "max_length"),
    ("models", "huggingface/question-answering"): ("answer_length", "stride", "batch_size"),
    ("models", "huggingface/token-classification"): ("stride", "batch_size"),
    ("trainers", "huggingface"): ("epochs", "patience", "learning_rate", "batch_size", "max_length"),
    ("data", "reviews"): ("limit",),
    ("data", "copa"): ("limit",),
    ("scorers", "flips"): ("queries",),
    ("scorers", "cue"): ("folds", "repeats", "ngrams"),
    ("orders", "guided"): ("gradients",),
    ("constraints", "perplexity"): ("ratio",),
    ("constraints", "similarity"): ("limit",),
    ("constraints", "chat_judge"): ("least", "votes"),
    ("constraints", "acceptable"): ("least",),
    ("constraints", "equivalent"): ("least",),
    ("perturbations", "paraphrase"): ("least",),
    ("perturbations", "instruct"): ("answers", "temperature"),
    ("perturbations", "decode"): ("pool",),
    ("perturbations", "smallest_step"): ("bound", "tolerance"),
    ("perturbations", "cue_removal"): ("minimum", "level"),
    ("perturbations", "cue_swap"): ("minimum", "level"),
    ("paraphrasers", "phrases"): ("most", "together"),
    ("paraphrasers", "perturbations"): ("weight", "most", "together"),
    ("paraphrasers", "masked-lm"): ("top", "most", "batch_size"),
    ("paraphrasers", "back-translation"): ("pivots", "beams", "most", "batch_size"),
}


@pytest.mark.parametrize(
    ("kind", "name", "option"), [(*offer, option) for offer, options in RANGES.items() for option in options]
)
def test_a_number_below_its_range_is_refused(kind: str, name: str, option: str) -> None:
    offer = load_plugins(PluginOptions()).get(kind, name)
    with pytest.raises(ValidationError) as refused:
        options_model(offer.cls, offer.owner).model_validate({option: -2})
    wrong = [error["type"] for error in refused.value.errors() if error["loc"][0] == option]
    assert wrong
    assert set(wrong) <= {"greater_than", "greater_than_equal", "literal_error"}
