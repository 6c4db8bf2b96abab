"""A tiny classifier of texts and of pairs, that the test saves, against its own logits."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from robustfim.candidate import Candidate
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim_huggingface.fluency.acceptable import Acceptable
from tests.plugins.robustfim_huggingface.fluency.test_encoders import NEW, OLD, SIZES, save

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    labels = {"odd": 0, "fine": 1, "unclear": 2}
    folder = tmp_path_factory.mktemp("acceptable")
    names: dict[str, Any] = {"id2label": {number: name for name, number in labels.items()}, "label2id": labels}
    return save(folder, "BertForSequenceClassification", model_type="bert", **SIZES, **names)


def odds(folder: Path, *texts: str) -> float:
    """The logarithm of the odds of "fine", one text or pair at a time."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.BertForSequenceClassification.from_pretrained(folder).eval()
    with torch.no_grad():
        share = model(**tokenizer(*texts, return_tensors="pt")).logits[0].double().softmax(0)[1]
    return float(torch.log(share / (1 - share)))


def changed(new: str) -> Candidate:
    return Candidate.replacing(Example({"text": OLD}), {"text": new})


@pytest.mark.parametrize("pair", [False, True])
def test_the_number_is_the_odds_of_the_label_of_the_text_or_of_the_pair(classifier: Path, pair: bool) -> None:
    made = Acceptable(model=classifier, label="fine", pair=pair)
    made.prepare(SimpleNamespace(offline=True))
    texts = [NEW, "the film", "good"]
    wanted = [odds(classifier, OLD, text) if pair else odds(classifier, text) for text in texts]
    assert made.numbers([changed(text) for text in texts]) == pytest.approx(wanted, abs=1e-5)


def test_a_label_that_is_not_sure_enough_is_the_reason(classifier: Path) -> None:
    share = 1 / (1 + 2.718281828459045 ** -odds(classifier, NEW))
    assert Acceptable(model=classifier, label="fine", least=share - 1e-4).reject(changed(NEW)) is None
    assert Acceptable(model=classifier, label="fine", least=share + 1e-4).reject(changed(NEW)) == "not fine"


def test_a_label_that_the_model_has_not_is_refused(classifier: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no label 'fin'\. Did you mean 'fine'"):
        Acceptable(model=classifier, label="fin").prepare(SimpleNamespace(offline=True))
    encoder = save(tmp_path, "BertModel", model_type="bert", **SIZES)
    with pytest.raises(ModelError, match="random numbers"):
        Acceptable(model=encoder, label="LABEL_1").prepare(SimpleNamespace(offline=True))
