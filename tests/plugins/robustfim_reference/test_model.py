"""The four models fit their role: gradients, padding, places, errors."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.roles import DifferentiableModel
from robustfim.window import windows
from robustfim_reference.model import Bert, Cnn, FastText, Lstm
from robustfim_reference.reference import Reference

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

MODELS: dict[str, type[Reference]] = {"fasttext": FastText, "cnn": Cnn, "lstm": Lstm, "bert": Bert}
TEXTS = (
    "The film is great, we thought.",
    "",
    "Awful",
    "İt’s a “clichéd” e\u0301t\u00e9 in 東京… \U0001f600 fine\ud83d!",
    "The plot is really dull , " * 12,
)
EXAMPLES = [Example({"text": text}) for text in TEXTS]


@pytest.fixture(params=list(MODELS))
def model(request: pytest.FixtureRequest, trained: dict[str, Path]) -> Any:
    return MODELS[request.param](path=trained[request.param])


def test_a_model_fits_the_differentiable_role(model: Any) -> None:
    assert isinstance(model, DifferentiableModel)
    assert model.labels == ("negative", "positive")


def test_predictions_are_the_softmax_of_the_logits_of_the_embeddings(model: Any) -> None:
    embedded = model.embed(EXAMPLES)
    wanted = torch.softmax(model.logits(embedded.embeddings, embedded).double(), dim=1).numpy()
    found = model.predict(EXAMPLES)
    assert found.dtype == np.float64
    assert found.shape == (len(EXAMPLES), 2)
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)


def test_neither_the_batch_nor_its_padding_changes_a_prediction(model: Any) -> None:
    together = model.predict(EXAMPLES)
    alone = np.concatenate([model.predict([example]) for example in EXAMPLES])
    backwards = model.predict(EXAMPLES[::-1])[::-1]
    np.testing.assert_allclose(together, alone, atol=1e-6)
    np.testing.assert_allclose(together, backwards, atol=1e-6)


def test_the_parts_of_a_batch_fit_together(model: Any) -> None:
    embedded = model.embed(EXAMPLES)
    batch, tokens, _ = embedded.embeddings.shape
    assert embedded.mask.shape == embedded.special.shape == (batch, tokens)
    assert [len(row) for row in embedded.spans] == [tokens] * batch
    assert not (embedded.special & ~embedded.mask).any()
    assert not embedded.embeddings.requires_grad
    for spans, mask, special in zip(embedded.spans, embedded.mask, embedded.special, strict=True):
        for span, real, extra in zip(spans, mask, special, strict=True):
            assert span is None or (real and not extra)


def test_spans_cut_the_tokens_out_of_the_original_text(model: Any) -> None:
    text = "İt’s a “clichéd” e\u0301t\u00e9 in 東京… \U0001f600 fine"
    spans = [span for span in model.embed([Example({"text": text})]).spans[0] if span is not None]
    spans = [span for span in spans if " " not in text[span[1] : span[2]]]  # a bigram reaches over a space
    words = {text[start:end] for _, start, end in spans}
    assert all(field == "text" and 0 <= start < end <= len(text) for field, start, end in spans)
    covered = {place for _, start, end in spans for place in range(start, end)}
    assert covered == {place for place, character in enumerate(text) if not character.isspace()}
    assert {"a", "“", "\U0001f600"} <= words


def test_spans_name_the_field_and_count_from_its_beginning(model: Any) -> None:
    example = Example({"premise": "The film", "empty": "", "hypothesis": "is dull"})
    spans = [span for span in model.embed([example]).spans[0] if span is not None]
    assert {name for name, _, _ in spans} == {"premise", "hypothesis"}
    assert ("premise", 0, 3) in spans
    assert ("hypothesis", 0, 2) in spans
    assert max(end for name, _, end in spans if name == "hypothesis") == len("is dull")


def test_the_tokens_of_fasttext_are_words_then_bigrams(trained: dict[str, Path]) -> None:
    spans = FastText(path=trained["fasttext"]).embed([Example({"text": "The film, dull"})]).spans[0]
    assert [span and span[1:] for span in spans] == [(0, 3), (4, 8), (8, 9), (10, 14), (0, 8), (4, 9), (8, 14)]


def test_the_module_can_compute_in_double_precision(model: Any) -> None:
    single = model.predict(EXAMPLES)
    model.module.double()
    embedded = model.embed(EXAMPLES)
    assert embedded.embeddings.dtype == torch.float64
    assert model.logits(embedded.embeddings, embedded).dtype == torch.float64
    np.testing.assert_allclose(model.predict(EXAMPLES), single, atol=1e-5)


def test_gradients_agree_with_finite_differences(model: Any) -> None:
    model.module.double()
    embedded = model.embed(EXAMPLES[:1])
    x = embedded.embeddings.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(model.logits(x, embedded)[0, 1], x)
    step = torch.randn(x.shape, dtype=x.dtype, generator=torch.Generator().manual_seed(0)) * 1e-5
    ahead, behind = (model.logits(x.detach() + sign * step, embedded)[0, 1] for sign in (1, -1))
    assert float((gradient * step).sum()) == pytest.approx(float(ahead - behind) / 2, rel=1e-4)


def test_only_the_beginning_of_an_overlong_text_is_read(model: Any) -> None:
    begin = "the film is great " * 200
    short, long = Example({"text": begin}), Example({"text": begin + "dull " * 50})
    told = windows(model, [Example({"text": "short"}), long])
    assert told is not None
    whole, part = told
    assert whole is None
    assert part is not None
    ((field, start, end),) = part.parts
    assert (field, start) == ("text", 0)
    assert 2000 < end <= len(begin)
    np.testing.assert_allclose(model.predict([part.cut(long)]), model.predict([long]), atol=1e-6)
    np.testing.assert_allclose(model.predict([short]), model.predict([long]), atol=1e-6)


def test_a_fingerprint_stays_and_covers_every_file_that_decides(model: Any, tmp_path: Path) -> None:
    again = type(model)(path=model.folder.path)
    assert again.fingerprint == model.fingerprint
    assert len(model.fingerprint) == 64
    for name in ("config.json", model.vocabulary_file, "model.safetensors"):
        copy = tmp_path / name
        shutil.copytree(model.folder.path, copy)
        with (copy / name).open("ab") as file:
            file.write(b"\n")
        assert type(model)(path=copy).fingerprint != model.fingerprint


def test_labels_and_fingerprint_need_no_torch() -> None:
    program = (
        "import sys, robustfim_reference; from robustfim_reference.model import *\n"
        "for kind in (FastText, Cnn, Lstm, Bert): print(kind().labels, kind().fingerprint)\n"
        "assert not {'torch', 'transformers', 'scipy', 'safetensors'} & set(sys.modules), 'heavy'"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=_paths())
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("('negative', 'positive')") == 4


def _paths() -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no folder .*absent.*robustfim train cnn"):
        Cnn(path=tmp_path / "absent")


@pytest.mark.parametrize("name", ["config.json", "vocabulary.txt", "model.safetensors"])
def test_a_folder_without_one_of_its_files_is_refused(name: str, tmp_path: Path, trained: dict[str, Path]) -> None:
    shutil.copytree(trained["cnn"], tmp_path / "cnn")
    (tmp_path / "cnn" / name).unlink()
    with pytest.raises(UsageError, match=f"holds no {name}"):
        Cnn(path=tmp_path / "cnn")


def test_another_kind_of_model_is_refused(trained: dict[str, Path]) -> None:
    with pytest.raises(UsageError, match="holds a model of kind 'lstm', not 'cnn'"):
        Cnn(path=trained["lstm"])


@pytest.mark.parametrize("content", ["{", "[]"])
def test_settings_that_are_no_object_are_refused(content: str, tmp_path: Path, trained: dict[str, Path]) -> None:
    shutil.copytree(trained["cnn"], tmp_path / "cnn")
    (tmp_path / "cnn" / "config.json").write_text(content)
    with pytest.raises(UsageError, match=r"config\.json"):
        Cnn(path=tmp_path / "cnn")


def test_settings_without_labels_are_refused(tmp_path: Path, trained: dict[str, Path]) -> None:
    shutil.copytree(trained["cnn"], tmp_path / "cnn")
    settings = json.loads((tmp_path / "cnn" / "config.json").read_text())
    (tmp_path / "cnn" / "config.json").write_text(json.dumps({**settings, "labels": ["one"]}))
    with pytest.raises(UsageError, match="fewer than two labels"):
        _ = Cnn(path=tmp_path / "cnn").labels


def test_a_vocabulary_of_another_model_is_refused(tmp_path: Path, trained: dict[str, Path]) -> None:
    shutil.copytree(trained["cnn"], tmp_path / "cnn")
    with (tmp_path / "cnn" / "vocabulary.txt").open("a") as file:
        file.write("zebra\n")
    with pytest.raises(UsageError, match=r"size mismatch.*robustfim train cnn"):
        Cnn(path=tmp_path / "cnn").predict(EXAMPLES)


def test_weights_that_are_no_weights_are_refused(model: Any, tmp_path: Path) -> None:
    shutil.copytree(model.folder.path, tmp_path / "copy")
    (tmp_path / "copy" / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(UsageError, match="weights cannot be read"):
        type(model)(path=tmp_path / "copy").predict(EXAMPLES)


def test_a_device_that_is_not_there_is_refused(trained: dict[str, Path]) -> None:
    with pytest.raises(UsageError, match="device='abacus' cannot be used"):
        Cnn(path=trained["cnn"], device="abacus").predict(EXAMPLES)


@pytest.mark.parametrize(
    ("missing", "architecture", "extra"),
    [("safetensors.torch", "cnn", "torch"), ("transformers", "bert", "huggingface")],
)
def test_a_missing_library_is_named_with_the_command_that_installs_it(
    missing: str, architecture: str, extra: str, trained: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ModelError, match=rf"needs {missing}: pip install 'robustfim\[{extra}\]'"):
        MODELS[architecture](path=trained[architecture]).predict(EXAMPLES)


def test_a_computation_on_an_accelerator_agrees(trained: dict[str, Path]) -> None:
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    for name, kind in MODELS.items():
        here, there = kind(path=trained[name]), kind(path=trained[name], device="cuda")
        np.testing.assert_allclose(here.predict(EXAMPLES), there.predict(EXAMPLES), atol=1e-4)
        embedded = there.embed(EXAMPLES)
        x = embedded.embeddings.clone().requires_grad_()
        assert torch.autograd.grad(there.logits(x, embedded).sum(), x)[0].isfinite().all()
