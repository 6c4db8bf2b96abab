"""What is said where a network cannot be loaded, and that nothing is fetched unasked."""

from __future__ import annotations

import importlib
import json
import logging
import shutil
from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import ModelError, UsageError
from robustfim_checkpoints.pretrained import Pretrained, check, load
from tests.plugins.robustfim_sears.networks import ENGLISH, save_bert


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence encoder that reads 16 tokens."""
    return save_bert(tmp_path_factory.mktemp("encoder"), ENGLISH, masked=False)


@pytest.fixture(scope="module")
def masked_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A masked language model that reads 16 tokens."""
    return save_bert(tmp_path_factory.mktemp("masked"), ENGLISH, masked=True)


def loaded(name: Path | str, architecture: str = "AutoModel", **options: Any) -> Pretrained:
    return load("encoder", name, lambda _: architecture, **{"offline": True, **options})


def test_a_missing_folder_is_told_with_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "minilm").mkdir()
    with pytest.raises(UsageError, match=r"encoder: no folder .*mnilm\. Did you mean 'minilm'\?"):
        check("encoder", tmp_path / "mnilm")


def test_a_folder_without_a_network_is_told_with_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(UsageError, match=r"it has no config.json. It holds: notes.txt"):
        check("encoder", tmp_path)


def test_pickled_weights_are_refused(tmp_path: Path, encoder: Path) -> None:
    copy = shutil.copytree(encoder, tmp_path / "copy")
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    with pytest.raises(
        ModelError, match=r"encoder: .*robustfim never loads pickled weights, such as pytorch_model.bin"
    ):
        check("encoder", copy)


def test_a_name_on_the_hub_is_not_looked_up_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"encoder: .* could be fetched \(offline\)"):
        loaded("robustfim-tests/no-such-model")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(UsageError, match=r"encoder: .* could be fetched \(offline\)"):
        loaded("robustfim-tests/no-such-model", offline=False)


def test_another_kind_of_network_is_refused(encoder: Path) -> None:
    with pytest.raises(
        ModelError, match=r"encoder: .* is not a trained masked language model: its weights lack .* random numbers"
    ):
        loaded(encoder, "AutoModelForMaskedLM")
    with pytest.raises(ModelError, match=r"encoder: model .* cannot be loaded: ValueError"):
        loaded(encoder, "AutoModelForSeq2SeqLM")


def test_broken_weights_and_code_of_its_own_are_refused(tmp_path: Path, encoder: Path) -> None:
    copy = shutil.copytree(encoder, tmp_path / "copy")
    (copy / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(ModelError, match="cannot be loaded: SafetensorError"):
        loaded(copy)
    config = json.loads((copy / "config.json").read_text())
    config.update(model_type="own", auto_map={"AutoConfig": "own.Config", "AutoModel": "own.Model"})
    (copy / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match="brings code of its own, which robustfim never runs"):
        loaded(copy)


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch, encoder: Path) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(ModelError, match=r"'torch' is missing: pip install 'robustfim\[huggingface\]'"):
        loaded(encoder)


def test_a_device_that_is_not_there_is_told(encoder: Path) -> None:
    with pytest.raises(ModelError, match="device 'moon' cannot be used"):
        loaded(encoder, device="moon")


def test_the_digest_tells_folders_apart(tmp_path: Path, encoder: Path, masked_model: Path) -> None:
    copy = shutil.copytree(encoder, tmp_path / "copy")
    first = loaded(encoder)
    assert loaded(copy).digest == first.digest != loaded(masked_model, "AutoModelForMaskedLM").digest
    assert (first.longest, str(first.device)) == (16, "cpu")


def test_a_text_is_read_to_its_end_or_not(encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = loaded(encoder)
    warned: list[str] = []
    logger = logging.getLogger("transformers.tokenization_utils_base")
    monkeypatch.setattr(logger, "warning", lambda text, *rest: warned.append(text))
    assert network.reads(" ".join(["film"] * 15))
    assert not network.reads(" ".join(["film"] * 16))
    assert not network.reads("film" * 10_000)
    assert network.reads("film 🎬")
    assert not network.reads("film \ud83d")
    assert warned == []  # of what it does not read
