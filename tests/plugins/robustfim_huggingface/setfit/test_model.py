"""SetFit models: answers and gradients against SetFit's own, and pickles that run nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim import Example, ModelError, UsageError
from robustfim_huggingface import robustfim_translate
from robustfim_huggingface.classifier.model import SequenceClassifier
from robustfim_huggingface.setfit.model import SetFit

TEXTS = ["good film", "bad plot and a good cast", "dull", "a good plot", "bad", "film", "cast and plot", "awful"]
EXAMPLES = [Example({"text": text}) for text in TEXTS]


@pytest.fixture(scope="module", params=[2, 3])
def saved(request: pytest.FixtureRequest, folders: Callable[[str], Path], tmp_path_factory: Any) -> tuple[Path, Any]:
    """A SetFit model of two or three classes, trained and saved by its library, and the library's model of it."""
    setfit, sentences = pytest.importorskip("setfit"), pytest.importorskip("sentence_transformers")
    modules = pytest.importorskip("sentence_transformers.models")
    linear = pytest.importorskip("sklearn.linear_model")
    embedder = modules.Transformer(str(folders("bert")))
    body = sentences.SentenceTransformer(
        modules=[embedder, modules.Pooling(embedder.get_embedding_dimension(), pooling_mode="mean")],
        device="cpu",
    )
    names = ["negative", "positive", "neutral"][: request.param]
    model = setfit.SetFitModel(
        model_body=body,
        model_head=linear.LogisticRegression(C=10),
        labels=names,
        normalize_embeddings=request.param == 3,
    )
    embedded = body.encode(TEXTS, normalize_embeddings=request.param == 3)
    model.model_head.fit(embedded, [number % request.param for number in range(len(TEXTS))])
    folder = tmp_path_factory.mktemp("setfit") / "model"
    model.save_pretrained(folder)
    return folder, setfit.SetFitModel.from_pretrained(str(folder), device="cpu")


def test_answers_are_those_of_setfit(saved: tuple[Path, Any]) -> None:
    folder, reference = saved
    model = SetFit(folder, device="cpu")
    assert model.labels == tuple(reference.labels)
    expected = reference.predict_proba(TEXTS, as_numpy=True)
    np.testing.assert_allclose(model.predict(EXAMPLES), expected, atol=1e-6)
    assert np.ptp(expected[:, 0]) > 0.05


def test_gradients_are_those_of_the_answers(saved: tuple[Path, Any]) -> None:
    torch = pytest.importorskip("torch")
    model = SetFit(saved[0], device="cpu")
    embedded = model.embed(EXAMPLES[:2])
    logits = model.logits(embedded.embeddings.requires_grad_(), embedded)
    np.testing.assert_allclose(logits.detach().double().softmax(-1), model.predict(EXAMPLES[:2]), atol=1e-6)
    (gradient,) = torch.autograd.grad((logits[:, 1] - logits[:, 0]).sum(), embedded.embeddings)
    step = 1e-3 * gradient / gradient.norm()
    with torch.no_grad():
        ahead, behind = (model.logits(embedded.embeddings + sign * step, embedded) for sign in (1, -1))
    slope = ((ahead - behind)[:, 1] - (ahead - behind)[:, 0]).sum() / 2e-3
    assert float(slope) == pytest.approx(float(gradient.norm()), rel=1e-2)
    assert embedded.spans[0][1] == ("text", 0, 4) or ("text", 0, 4) in embedded.spans[0]


def test_the_fingerprint_covers_head_and_pooling(saved: tuple[Path, Any], tmp_path: Path) -> None:
    folder = Path(shutil.copytree(saved[0], tmp_path / "model"))
    assert SetFit(folder).fingerprint == SetFit(saved[0]).fingerprint
    pooling = folder / "1_Pooling" / "config.json"
    pooling.write_text(pooling.read_text(encoding="utf-8") + " ", encoding="utf-8")
    assert SetFit(folder).fingerprint != SetFit(saved[0]).fingerprint


def test_a_folder_of_setfit_needs_no_name(saved: tuple[Path, Any]) -> None:
    assert robustfim_translate("models", saved[0]) == {"use": "setfit", "path": saved[0]}


class _Runs:
    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return Path.touch, (self.mark,)


@pytest.mark.parametrize("hidden", [False, True])
def test_no_code_of_a_pickle_is_run(saved: tuple[Path, Any], tmp_path: Path, hidden: bool) -> None:
    joblib = pytest.importorskip("joblib")
    linear = pytest.importorskip("sklearn.linear_model")
    folder = Path(shutil.copytree(saved[0], tmp_path / "model"))
    head = linear.LogisticRegression()
    head.coef_ = np.array([_Runs(tmp_path / "ran")], object)
    joblib.dump(head if hidden else _Runs(tmp_path / "ran"), folder / "model_head.pkl")
    with pytest.raises(ModelError, match=r"is not read, because it .*runs no code of a pickle.*'use: python'") as told:
        _ = SetFit(folder).labels
    assert told.value.__cause__ is None, "what the pickle names is said; a traceback says no more"
    assert not (tmp_path / "ran").exists()


def test_an_unfitted_head_is_refused(saved: tuple[Path, Any], tmp_path: Path) -> None:
    joblib = pytest.importorskip("joblib")
    folder = Path(shutil.copytree(saved[0], tmp_path / "model"))
    joblib.dump(pytest.importorskip("sklearn.linear_model").LogisticRegression(), folder / "model_head.pkl")
    with pytest.raises(ModelError, match="not fitted"):
        _ = SetFit(folder).labels


def test_another_folder_says_what_it_is(folders: Callable[[str], Path], saved: tuple[Path, Any]) -> None:
    with pytest.raises(UsageError, match=r"no modules\.json.*'use: huggingface'"):
        SetFit(folders("bert"))
    with pytest.raises(ModelError, match=r"is a sentence transformer with a head.*'use: setfit'"):
        SequenceClassifier(saved[0]).predict(EXAMPLES)
