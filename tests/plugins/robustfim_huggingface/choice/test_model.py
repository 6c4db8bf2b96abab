"""Multiple choice models: what they read, what they answer, and their Fisher information."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim import Example, ModelError, UsageError
from robustfim.roles import DifferentiableModel
from robustfim_fisher.geometry import FisherGeometry
from robustfim_huggingface.choice.model import MultipleChoice
from tests.plugins.robustfim_fisher.reference import fisher_matrix, largest_eigenvalue
from tests.plugins.robustfim_huggingface.conftest import ran, save_model, saved_once

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

ARCHITECTURES = ["bert", "roberta", "xlnet"]


def choice(premise: str, *alternatives: str, question: str = "cause") -> Example:
    fields = {f"choice{number}": text for number, text in enumerate(alternatives, start=1)}
    return Example({"premise": premise, "question": question, **fields}, "1")


EXAMPLES = [choice("the film", "good", "bad film"), choice("x", "the bad", "y"), choice("bad", "a", "good film good")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Save each architecture once, with random weights."""
    return saved_once(lambda architecture, path: save_model(architecture, path, "ForMultipleChoice"), tmp_path_factory)


def literal(folder: Path, premise: str, alternatives: list[str]) -> Any:
    """Probabilities as transformers' own documentation computes them, one example at a time."""
    model = transformers.AutoModelForMultipleChoice.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    side = "left" if model.config.model_type == "xlnet" else "right"
    tokenizer.padding_side = side
    encoding = tokenizer([premise] * len(alternatives), alternatives, return_tensors="pt", padding=True)
    with torch.no_grad():
        logits = model(**{name: tensor.unsqueeze(0) for name, tensor in encoding.items()}).logits
    return logits[0].double().softmax(-1).numpy()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_probabilities_are_those_of_transformers(folder: Callable[[str], Path], architecture: str) -> None:
    model = MultipleChoice(folder(architecture), batch_size=2)
    assert model.labels == ("1", "2")
    found = model.predict(EXAMPLES)
    for row, example in zip(found, EXAMPLES, strict=True):
        alternatives = [example.fields["choice1"], example.fields["choice2"]]
        expected = literal(folder(architecture), f"{example.fields['premise']} cause", alternatives)
        np.testing.assert_allclose(row, expected, atol=1e-5)
    assert np.ptp(found[:, 0]) > 0.01


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_largest_eigenvalue_is_that_of_the_literal_fisher_matrix(
    folder: Callable[[str], Path], architecture: str
) -> None:
    model = MultipleChoice(folder(architecture))
    assert isinstance(model, DifferentiableModel)
    for example, point in zip(EXAMPLES, FisherGeometry(model).at(EXAMPLES), strict=True):
        expected = largest_eigenvalue(fisher_matrix(model, example))
        assert expected > 1e-6
        assert point.lambda_max == pytest.approx(expected, rel=1e-3)


def test_three_alternatives_are_three_classes(folder: Callable[[str], Path]) -> None:
    model = MultipleChoice(folder("bert"), choices=["choice1", "choice2", "choice3"])
    example = choice("the film", "good", "bad", "x y")
    assert model.labels == ("1", "2", "3")
    np.testing.assert_allclose(
        model.predict([example])[0], literal(folder("bert"), "the film cause", ["good", "bad", "x y"]), atol=1e-5
    )
    (point,) = FisherGeometry(model).at([example])
    assert point.lambda_max == pytest.approx(largest_eigenvalue(fisher_matrix(model, example)), rel=1e-3)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_logits_of_the_embeddings_give_the_prediction(folder: Callable[[str], Path], architecture: str) -> None:
    model = MultipleChoice(folder(architecture))
    embedded = model.embed(EXAMPLES)
    assert embedded.embeddings.shape[:2] == embedded.mask.shape == embedded.special.shape
    assert {len(row) for row in embedded.spans} == {embedded.mask.shape[1]}
    probabilities = model.logits(embedded.embeddings, embedded).double().softmax(-1).cpu().numpy()
    np.testing.assert_allclose(probabilities, model.predict(EXAMPLES), atol=1e-6)


def test_each_token_stands_in_its_own_field_and_the_context_once_an_alternative(folder: Callable[[str], Path]) -> None:
    model = MultipleChoice(folder("bert"), words={"cause": "the x"})
    example = choice("good film", "bad", "the bad")
    found = [
        None if span is None else (span[0], example.fields[span[0]][span[1] : span[2]])
        for span in model.embed([example]).spans[0]
    ]
    context = [None, ("premise", "good"), ("premise", "film"), None, None, None]  # "the x" stands in no field
    assert found == [
        *context, ("choice1", "bad"), None, None,  # padding
        *context, ("choice2", "the"), ("choice2", "bad"), None,
    ]  # fmt: skip
    plain = MultipleChoice(folder("bert"), context=["question", "premise"])
    spans = plain.embed([choice("good", "bad", "x", question="film")]).spans[0]
    assert spans[1:3] == [("question", 0, 4), ("premise", 0, 4)]


def test_replaced_words_are_read_in_place_of_a_field(folder: Callable[[str], Path]) -> None:
    model = MultipleChoice(folder("bert"), words={"cause": "the bad"})
    np.testing.assert_allclose(
        model.predict(EXAMPLES[:1])[0], literal(folder("bert"), "the film the bad", ["good", "bad film"]), atol=1e-5
    )


def test_the_fingerprint_knows_every_option_that_alters_a_prediction(folder: Callable[[str], Path]) -> None:
    path = folder("bert")
    options: list[dict[str, Any]] = [
        {}, {"context": ["premise"]}, {"choices": ["choice2", "choice1"]}, {"words": {"cause": "x"}},
        {"max_length": 9}, {"dtype": "bfloat16"},
    ]  # fmt: skip
    found = [MultipleChoice(path, **option).fingerprint for option in options]
    assert len(set(found)) == len(options)
    assert MultipleChoice(path, batch_size=1).fingerprint == found[0]


def test_a_cut_choice_is_told(folder: Callable[[str], Path]) -> None:
    model = MultipleChoice(folder("bert"), context=["premise"], max_length=7)
    assert [
        each is None for each in model.window([choice("good", "bad", "x"), choice("good", "bad", "x y x y x")])
    ] == [True, False]


def test_what_does_not_fit_is_refused(folder: Callable[[str], Path], tmp_path: Path) -> None:
    model = MultipleChoice(folder("bert"))
    with pytest.raises(UsageError, match=r"name all alternatives with 'choices'"):
        model.predict([choice("x", "a", "b", "c")])
    with pytest.raises(UsageError, match=r"reads the field 'choice2', which an example lacks\. Did you mean 'choice1'"):
        model.predict([choice("x", "a")])
    with pytest.raises(UsageError, match="must name at least two fields, and 'context' only other"):
        MultipleChoice(folder("bert"), choices=["choice1"])
    with pytest.raises(UsageError, match="is not a saved model"):
        MultipleChoice(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "pytorch_model.bin").write_bytes(b"")
    with pytest.raises(ModelError, match="never loads pickled weights"):
        MultipleChoice(tmp_path)


def test_weights_without_a_head_are_refused(folder: Callable[[str], Path], tmp_path: Path) -> None:
    save_model("bert", tmp_path, "")
    with pytest.raises(ModelError, match=r"its weights lack classifier\.bias"):
        MultipleChoice(tmp_path).predict(EXAMPLES)


def test_a_suite_of_choices_selects_by_the_fisher_information(
    folder: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    suite = {
        "model": {"use": "huggingface/choice", "path": str(folder("roberta")), "max_length": 30},
        "data": {"use": "copa", "limit": 12},
        "select": {"by": "fisher", "difficult": 4, "control": 2},
        "checks": {
            "typos": {
                "perturb": {"use": "typos", "words": 1, "candidates": 2, "order": "guided"},
                "expect": {"use": "invariant", "counts": "changes"},
            }
        },
    }
    record = ran(suite, capsys)
    scores = {example["id"]: example["scores"]["fisher"] for example in record["examples"]}
    arms = {example["id"]: example["arm"] for example in record["examples"] if example.get("arm")}
    assert sorted(arms.values()) == ["control"] * 2 + ["difficult"] * 4
    assert min(scores[arm] for arm in arms if arms[arm] == "difficult") > 0
    assert record["checks"][0]["candidates"]["tested"] == 12
