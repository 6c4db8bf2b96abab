from __future__ import annotations

from typing import Any

import pytest

from robustfim.errors import ModelError
from robustfim.predict.labels import is_answering, known_labels, model_labels
from tests.robustfim.toys import LABELS, CountingModel, WritingModel


def test_a_model_that_answers_in_its_own_words_chooses_among_no_labels() -> None:
    assert is_answering(WritingModel())
    assert not is_answering(CountingModel())
    assert model_labels(WritingModel()) == known_labels(WritingModel()) == ()
    assert model_labels(CountingModel()) == LABELS


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"labels": ("one",)}, "at least two texts"),
        ({"labels": "ab"}, "at least two texts"),
        ({"labels": (1, 2)}, "at least two texts"),
        ({"labels": ("a", "a")}, "must differ"),
        ({"labels": {"a", "b"}}, "in the order of its probabilities"),
        ({"fingerprint": 3}, "must be a text, not 3"),
    ],
)
def test_labels_and_a_fingerprint_that_cannot_be_used_are_refused(attributes: dict[str, Any], message: str) -> None:
    model = CountingModel()
    for name, value in attributes.items():
        setattr(model, name, value)
    with pytest.raises(ModelError, match=message):
        model_labels(model)


def test_a_model_that_cannot_be_loaded_is_an_error_with_its_reason() -> None:
    class Broken(WritingModel):
        @property
        def fingerprint(self) -> str:
            raise RuntimeError("no weights")

    with pytest.raises(ModelError, match="cannot be loaded: RuntimeError: no weights"):
        model_labels(Broken())
