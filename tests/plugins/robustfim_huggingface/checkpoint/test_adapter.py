"""PEFT adapters: the base with what was learned, as PEFT itself answers, with gradients; and what is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim import Example, ModelError
from robustfim_huggingface import robustfim_translate
from robustfim_huggingface.classifier.model import SequenceClassifier

Folders = Callable[[str], Path]
TEXTS = ["good film", "bad plot and a good cast", "dull"]
EXAMPLES = [Example({"text": text}) for text in TEXTS]


@pytest.fixture(params=["bert", "roberta", "gpt2"])
def adapter(request: pytest.FixtureRequest, folders: Folders, tmp_path: Path) -> Path:
    """An adapter beside its base, with a head of five classes that the base's configuration does not know."""
    torch, transformers, peft = map(pytest.importorskip, ("torch", "transformers", "peft"))
    base = Path(shutil.copytree(folders(request.param), tmp_path / "base"))
    model = transformers.AutoModelForSequenceClassification.from_pretrained(
        base, num_labels=5, ignore_mismatched_sizes=True
    )
    _pad(model, base)
    torch.manual_seed(3)
    grown = peft.get_peft_model(model, peft.LoraConfig(task_type="SEQ_CLS", r=4, target_modules="all-linear"))
    optimizer = torch.optim.Adam([weight for weight in grown.parameters() if weight.requires_grad], lr=0.05)
    tokens = _tokens(base)
    for step in range(5):
        optimizer.zero_grad()
        grown(**tokens, labels=torch.tensor([step % 5, 1, 4])).loss.backward()
        optimizer.step()
    folder = tmp_path / "adapter"
    grown.save_pretrained(folder)
    return folder


def _pad(model: Any, base: Path) -> None:
    tokenizer = pytest.importorskip("transformers").AutoTokenizer.from_pretrained(base)
    model.config.pad_token_id = tokenizer.eos_token_id if tokenizer.pad_token is None else tokenizer.pad_token_id


def _tokens(base: Path) -> dict[str, Any]:
    transformers = pytest.importorskip("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(base)
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    return dict(tokenizer(TEXTS, padding=True, return_tensors="pt"))


def test_an_adapter_answers_as_peft_does(adapter: Path) -> None:
    torch, transformers, peft = map(pytest.importorskip, ("torch", "transformers", "peft"))
    base = adapter.parent / "base"
    plain = transformers.AutoModelForSequenceClassification.from_pretrained(
        base, num_labels=5, ignore_mismatched_sizes=True
    )
    _pad(plain, base)
    reference = peft.PeftModel.from_pretrained(plain, adapter).eval()
    with torch.no_grad():
        expected = reference(**_tokens(base)).logits.double().softmax(-1).numpy()
    model = SequenceClassifier(adapter, device="cpu")
    assert model.labels == tuple(f"LABEL_{number}" for number in range(5))
    np.testing.assert_allclose(model.predict(EXAMPLES), expected, atol=1e-6)
    embedded = model.embed(EXAMPLES)
    logits = model.logits(embedded.embeddings.requires_grad_(), embedded)
    np.testing.assert_allclose(logits.detach().double().softmax(-1).numpy(), expected, atol=1e-6)
    (gradient,) = torch.autograd.grad(logits[:, 0].sum(), embedded.embeddings)
    assert (gradient[embedded.mask].abs().sum(-1) > 0).any()


def test_the_fingerprint_is_of_base_and_adapter(adapter: Path) -> None:
    first = SequenceClassifier(adapter).fingerprint
    for folder in (adapter, adapter.parent / "base"):
        (folder / "added.txt").write_text("x", encoding="utf-8")
        second = SequenceClassifier(adapter).fingerprint
        assert second != first
        first = second


def test_a_folder_of_an_adapter_needs_no_name_and_finds_a_base_beside_it(
    adapter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert robustfim_translate("models", adapter) == {"use": "huggingface", "path": adapter}
    _configure(adapter, base_model_name_or_path="../base")
    for name in ("here", "base"):  # another one, seen from where the command runs
        (tmp_path / "other" / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "other" / "here")
    assert SequenceClassifier(adapter).predict(EXAMPLES).shape == (3, 5)


@pytest.mark.parametrize("adapter", ["bert"], indirect=True)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"base_model_name_or_path": None}, "names no base model.*'base_model_name_or_path'"),
        ({"peft_type": "PROMPT_TUNING", "num_virtual_tokens": 4}, "PROMPT_TUNING.*'use: python'"),
    ],
)
def test_what_no_base_can_be_merged_with_says_the_way_out(adapter: Path, change: dict[str, Any], message: str) -> None:
    _configure(adapter, **change)
    with pytest.raises(ModelError, match=message):
        SequenceClassifier(adapter)


@pytest.mark.parametrize("adapter", ["bert"], indirect=True)
def test_a_base_that_is_gone_and_pickled_weights_are_refused_with_the_way_out(adapter: Path) -> None:
    (adapter.parent / "base" / "config.json").unlink()
    with pytest.raises(Exception, match=r"base model .* cannot be opened: .*no config\.json.*base_model_name_or_path"):
        SequenceClassifier(adapter)
    (adapter / "adapter_model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"no adapter_model\.safetensors.*save_pretrained"):
        SequenceClassifier(adapter)


def _configure(folder: Path, **changes: Any) -> None:
    path = folder / "adapter_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **changes}), encoding="utf-8")
