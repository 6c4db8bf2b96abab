"""Folders: what is accepted, what is refused and why, and what the fingerprint covers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from robustfim import Example, ModelError, UsageError
from robustfim_huggingface.classifier.model import SequenceClassifier

Folders = Callable[[str], Path]
GOOD = [Example({"text": "good film"})]


@pytest.fixture
def copy(folders: Folders, tmp_path: Path) -> Path:
    """A BERT of this test's own, to spoil."""
    return Path(shutil.copytree(folders("bert"), tmp_path / "model"))


def configure(folder: Path, **changes: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **changes}), encoding="utf-8")


def test_a_missing_folder_is_refused_with_its_neighbour(copy: Path) -> None:
    with pytest.raises(UsageError, match=r"no folder .*modle\. Did you mean 'model'\?"):
        SequenceClassifier(copy.with_name("modle"))


def test_a_file_is_no_model(copy: Path) -> None:
    with pytest.raises(UsageError, match=r"model\.safetensors is a file; name the folder"):
        SequenceClassifier(copy / "model.safetensors")


def test_a_folder_without_a_configuration_lists_what_is_there(tmp_path: Path) -> None:
    for name in ("weights.npz", "notes.txt"):
        (tmp_path / name).write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match=r"no config\.json\. It holds: notes\.txt, weights\.npz"):
        SequenceClassifier(tmp_path)


def test_an_empty_folder_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"It holds: nothing"):
        SequenceClassifier(tmp_path)


def test_a_folder_named_as_text_is_a_folder(copy: Path) -> None:
    assert SequenceClassifier(str(copy)).fingerprint == SequenceClassifier(copy).fingerprint


def test_a_revision_of_a_folder_is_refused(copy: Path) -> None:
    with pytest.raises(UsageError, match="revision='main' is for a hub model"):
        SequenceClassifier(copy, revision="main")


def test_pickled_weights_are_never_loaded(copy: Path) -> None:
    (copy / "model.safetensors").unlink()
    (copy / "pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'false'\ntR.")
    with pytest.raises(
        ModelError, match=r"(?s)there is pytorch_model\.bin.*can run code.*save_pretrained\('NEW_FOLDER'\)"
    ):
        SequenceClassifier(copy)


def test_missing_weights_are_refused(copy: Path) -> None:
    (copy / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"no model\.safetensors\. "):
        SequenceClassifier(copy)


def test_a_malformed_configuration_is_refused(copy: Path) -> None:
    for contents, message in (("{", "is malformed"), ("[]", "no JSON object")):
        (copy / "config.json").write_text(contents, encoding="utf-8")
        with pytest.raises(ModelError, match=f"config.json.*{message}"):
            assert SequenceClassifier(copy).labels


def test_malformed_weights_are_refused(copy: Path) -> None:
    (copy / "model.safetensors").write_bytes(b"not safetensors")
    with pytest.raises(ModelError, match=r"model .* cannot be loaded: \w+"):
        SequenceClassifier(copy).predict(GOOD)


def test_a_missing_tokenizer_is_refused(copy: Path) -> None:
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (copy / name).unlink()
    with pytest.raises(ModelError, match=r"has no tokenizer\. Save it beside the model"):
        SequenceClassifier(copy).predict(GOOD)


def test_a_malformed_tokenizer_is_refused(copy: Path) -> None:
    (copy / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ModelError, match=r"the tokenizer of model .* cannot be loaded"):
        SequenceClassifier(copy).predict(GOOD)


def test_a_tokenizer_that_cannot_pad_is_refused(copy: Path) -> None:
    (copy / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"}), encoding="utf-8"
    )
    with pytest.raises(ModelError, match="neither a padding nor an end token"):
        SequenceClassifier(copy).predict(GOOD)


def test_a_model_without_a_trained_head_is_refused(copy: Path) -> None:
    transformers = pytest.importorskip("transformers")
    transformers.AutoModelForSequenceClassification.from_pretrained(copy).bert.save_pretrained(copy)
    with pytest.raises(ModelError, match=r"not a trained classifier: its weights lack classifier\.bias.*Fine-tune"):
        SequenceClassifier(copy).predict(GOOD)


def test_a_models_own_code_is_never_run(copy: Path) -> None:
    configure(
        copy,
        model_type="homemade",
        auto_map={f"Auto{each}": f"code.{each}" for each in ("Config", "ModelForSequenceClassification")},
    )
    (copy / "code.py").write_text("raise SystemExit('the code of a model was run')", encoding="utf-8")
    with pytest.raises(ModelError, match="brings code of its own, which robustfim never runs"):
        SequenceClassifier(copy).predict(GOOD)


def test_a_configuration_of_other_labels_than_the_weights_is_refused(copy: Path) -> None:
    configure(copy, id2label={"0": "no", "1": "yes"}, label2id={"no": 0, "yes": 1})
    with pytest.raises(ModelError, match=r"does not fit the weights: classifier\.bias, classifier\.weight"):
        SequenceClassifier(copy).predict(GOOD)


def test_the_fingerprint_is_that_of_the_contents(copy: Path, tmp_path: Path) -> None:
    twin = shutil.copytree(copy, tmp_path / "twin")
    assert SequenceClassifier(copy).fingerprint == SequenceClassifier(twin).fingerprint


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "tokenizer_config.json", "model.safetensors"])
def test_every_decisive_file_alters_the_fingerprint(copy: Path, name: str) -> None:
    before = SequenceClassifier(copy).fingerprint
    with (copy / name).open("ab") as file:
        file.write(b" ")
    assert SequenceClassifier(copy).fingerprint != before


def test_a_readme_alters_no_fingerprint(copy: Path) -> None:
    before = SequenceClassifier(copy).fingerprint
    (copy / "README.md").write_text("A model.", encoding="utf-8")
    assert SequenceClassifier(copy).fingerprint == before


def test_options_that_alter_predictions_alter_the_fingerprint(copy: Path) -> None:
    options: list[dict[str, Any]] = [
        {},
        {"text": "premise"},
        {"pair": "premise"},
        {"max_length": 8},
        {"dtype": "bfloat16"},
        {"labels": ["a", "b", "c"]},
    ]
    assert len({SequenceClassifier(copy, **option).fingerprint for option in options}) == len(options)


def test_options_that_alter_no_prediction_leave_the_fingerprint(copy: Path) -> None:
    options: list[dict[str, Any]] = [{}, {"batch_size": 2}, {"device": "cpu"}, {"offline": True}]
    assert len({SequenceClassifier(copy, **option).fingerprint for option in options}) == 1
