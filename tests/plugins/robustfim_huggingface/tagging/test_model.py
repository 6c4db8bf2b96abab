"""Token classification: spans as transformers' own pipeline finds them, in the characters of the text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import robustfim
from robustfim import Example
from robustfim.spans import Span
from robustfim_huggingface.tagging.model import TokenClassifier
from robustfim_testing import check_model
from tests.plugins.robustfim_huggingface.conftest import save_model, saved_once

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TAGS = {0: "O", 1: "B-name", 2: "I-name", 3: "B-place", 4: "I-place"}
TEXTS = ["The good film, a bad film.", "Anna saw the  film in the end", "", " film", "🙂 good, é bad!"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Save each architecture once, with random weights."""
    return saved_once(
        lambda architecture, path: save_model(
            architecture, path, "ForTokenClassification", seed=24, scale=1, id2label=TAGS
        ),
        tmp_path_factory,
    )


def examples(texts: list[str]) -> list[Example]:
    return [Example({"text": text}) for text in texts]


@pytest.mark.parametrize("aggregation", ["simple", "first", "average", "max"])
@pytest.mark.parametrize("architecture", ["bert", "roberta"])
def test_spans_are_those_of_the_pipeline(folder: Callable[[str], Path], architecture: str, aggregation: Any) -> None:
    path = folder(architecture)
    pipeline = transformers.pipeline("token-classification", str(path), aggregation_strategy=aggregation, device="cpu")
    found = TokenClassifier(path, aggregation=aggregation, device="cpu").tag(examples(TEXTS))
    assert sum(map(len, found)) > 5
    for text, spans in zip(TEXTS, found, strict=True):
        expected = [each for each in pipeline(text) if text[each["start"] : each["end"]].strip()] if text else []
        assert [(span.label, text[span.start : span.end]) for span in spans] == [
            (each["entity_group"], text[each["start"] : each["end"]].strip()) for each in expected
        ]
        assert [span.probability for span in spans] == pytest.approx([float(each["score"]) for each in expected])


def test_a_tagger_keeps_the_promises_of_a_model(folder: Callable[[str], Path]) -> None:
    check_model(TokenClassifier(folder("bert"), device="cpu"), TEXTS)


def test_a_long_text_is_cut_or_read_in_windows(folder: Callable[[str], Path]) -> None:
    (long,) = examples(["good film bad film the film good good film the bad film good bad"])
    cut = TokenClassifier(folder("bert"), max_length=8, device="cpu")
    (window,) = cut.window([long])
    assert window is not None
    (place,) = window
    assert place is not None
    assert place[:2] == ("text", 0)
    assert 0 < place[2] < len(long.text)
    assert all(span.end <= place[2] for span in cut.tag([long])[0])
    whole = TokenClassifier(folder("bert"), max_length=8, stride=2, device="cpu")
    assert whole.window([long]) == [None]
    assert whole.fingerprint != cut.fingerprint


def test_a_run_tests_a_folder_as_a_tagger(folder: Callable[[str], Path]) -> None:
    path = folder("bert")
    texts = [f"the good film and the bad film of {name}" for name in ("anna", "bob", "eve")]
    tagger = TokenClassifier(path, device="cpu")
    data = [Example({"text": text}, "⟦4:8 name⟧") for text in texts]
    run = robustfim.run(
        model={"use": "huggingface/token-classification", "path": str(path), "device": "cpu"},
        data=data,
        checks={"itself": {"perturb": "itself", "expect": "correct"}},
    )
    (recall,) = run.checks["itself"].recall
    found = [Span(span.start, span.end, span.label) for spans in tagger.tag(data) for span in spans]
    assert (recall.label, recall.before.count) == ("name", found.count(Span(4, 8, "name")))
