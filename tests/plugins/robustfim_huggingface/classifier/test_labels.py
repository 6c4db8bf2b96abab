"""Labels: from the configuration, renamed or not."""

from __future__ import annotations

from typing import Any

import pytest

from robustfim import ModelError, UsageError
from robustfim_huggingface.classifier.labels import label_names

THREE = {"id2label": {"2": "neutral", "0": "negative", "1": "positive"}}


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (THREE, ("negative", "positive", "neutral")),
        ({}, ("LABEL_0", "LABEL_1")),
        ({"num_labels": 3}, ("LABEL_0", "LABEL_1", "LABEL_2")),
        ({**THREE, "num_labels": 2}, ("LABEL_0", "LABEL_1")),
        ({"id2label": {"0": "no", "1": "yes"}, "num_labels": 2}, ("no", "yes")),
        ({"id2label": None}, ("LABEL_0", "LABEL_1")),
    ],
)
def test_the_labels_are_those_that_transformers_reads(config: dict[str, Any], expected: tuple[str, ...]) -> None:
    transformers = pytest.importorskip("transformers")
    assert label_names(config, None, "m") == expected
    if config.get("num_labels") != 2 or "id2label" not in config or len(config["id2label"]) == 2:
        table = transformers.BertConfig(**config).id2label
        assert tuple(table[number] for number in range(len(table))) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a", "b", "c"], ("a", "b", "c")),
        ({"neutral": "mixed"}, ("negative", "positive", "mixed")),
        ({"0": "bad", "1": "good"}, ("bad", "good", "neutral")),
        ({"negative": "positive", "positive": "negative"}, ("positive", "negative", "neutral")),
    ],
)
def test_labels_can_be_renamed(names: Any, expected: tuple[str, ...]) -> None:
    assert label_names(THREE, names, "m") == expected


def test_a_list_of_another_length_is_refused() -> None:
    with pytest.raises(UsageError, match=r"2 names, and model m has 3 classes: negative, positive, neutral"):
        label_names(THREE, ["a", "b"], "m")


def test_renaming_an_unknown_label_is_refused() -> None:
    with pytest.raises(UsageError, match=r"'positiv'.*Did you mean 'positive'\?.*negative, positive, neutral"):
        label_names(THREE, {"positiv": "good"}, "m")


def test_two_classes_of_one_name_are_refused() -> None:
    with pytest.raises(UsageError, match=r"two classes are named 'positive'.*list"):
        label_names(THREE, {"neutral": "positive"}, "m")
    with pytest.raises(UsageError, match="two classes are named 'x'"):
        label_names({"id2label": {"0": "x", "1": "x"}}, None, "m")


@pytest.mark.parametrize("config", [{"id2label": {"0": "LABEL_0"}}, {"num_labels": 1}, {"problem_type": "regression"}])
def test_a_regression_is_refused(config: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="regression head"):
        label_names(config, None, "m")


def test_a_model_of_several_labels_at_once_has_its_names() -> None:
    assert label_names({**THREE, "problem_type": "multi_label_classification"}, None, "m") == label_names(
        THREE, None, "m"
    )
