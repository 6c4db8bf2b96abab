"""A pipeline of transformers that a script gives is a model, with the probabilities that the same weights have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import robustfim
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_huggingface.classifier.model import SequenceClassifier

TEXTS = ["a good film", "an awful film with a good cast", "the plot is thin", "we liked it"]
ROWS = [{"text": text, "label": "positive"} for text in TEXTS]


@pytest.fixture
def pipeline(folders: Callable[[str], Path]) -> Any:
    transformers = pytest.importorskip("transformers")
    return transformers.pipeline("text-classification", model=str(folders("bert")), device="cpu")


def test_a_run_asks_the_pipeline_and_finds_what_its_weights_say(
    pipeline: Any, loaded: Callable[[str], SequenceClassifier]
) -> None:
    checks = {"typos": {"perturb": {"use": "typos", "candidates": 2}, "limit": 0.5}}
    run = robustfim.run(model=pipeline, data=ROWS, checks=checks)
    expected = np.asarray(loaded("bert").predict([Example({"text": text}) for text in TEXTS]))
    right = expected.argmax(1) == loaded("bert").labels.index("positive")
    assert run.checks["typos"].tested == right.sum() > 0
    found = {example.fields["text"]: example.probabilities or [] for example in run.record.examples}
    np.testing.assert_allclose([found[text] for text in TEXTS], expected, atol=1e-4)
    assert run.record.model.labels == list(loaded("bert").labels)
    assert run.record.model.use == f"{type(pipeline).__module__}.{type(pipeline).__qualname__}"
    assert run.record.model.fingerprint


def test_a_pipeline_is_scored_by_its_answers_and_has_no_gradients(pipeline: Any) -> None:
    rows = pipeline(TEXTS, top_k=None)
    expected = [-sum(each["score"] * np.log(each["score"]) for each in row) for row in rows]
    np.testing.assert_allclose(list(robustfim.score(pipeline, TEXTS, by="entropy")), expected, rtol=1e-5)
    with pytest.raises(UsageError, match="no gradients"):
        robustfim.score(pipeline, TEXTS, by="fisher")


def test_a_pipeline_for_something_else_is_refused(pipeline: Any) -> None:
    pipeline.task = "fill-mask"
    with pytest.raises(UsageError, match="a pipeline for text-classification is needed, not 'fill-mask'"):
        robustfim.score(pipeline, TEXTS, by="entropy")
