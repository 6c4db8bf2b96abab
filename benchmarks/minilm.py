"""MiniLM with a linear head over its mean token, fitted here: a transformer that classifies, of a usual size."""

from __future__ import annotations

import csv
import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from benchmarks.transformer import MAX_LENGTH, Transformer
from robustfim.contract import ModelContract
from robustfim.example import Example
from robustfim.roles import Embedded, Span

__all__ = ["LABELS", "MeanPooled", "fit_head"]

LABELS = ("negative", "positive")
_BATCH = 64


class MeanPooled:
    """A BERT whose logits are linear in the mean of its last layer; fits the role of a differentiable model.

    Args:
        folder: A saved BERT with a fast tokeniser; a head that it may have is not used.

    Attributes:
        labels: The classes.
        fingerprint: Stands for it in a run's store, which the benchmarks keep in memory.
        contract: How many texts a forward pass takes.
        bert: The body.
        head: From the mean of the last layer to the logits, ``[dims] → [classes]``; zeros until it is set.
    """

    labels = LABELS
    fingerprint = "mean-pooled"
    contract = ModelContract(batch_size=_BATCH)

    def __init__(self, folder: Path) -> None:
        transformers: Any = importlib.import_module("transformers")
        self._tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        bert: Any = transformers.BertModel.from_pretrained(folder, add_pooling_layer=False)
        self.bert = bert.eval().requires_grad_(False)
        self.head = torch.nn.Linear(bert.config.hidden_size, len(LABELS)).requires_grad_(False)
        for parameter in self.head.parameters():
            parameter.zero_()

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Look up the embeddings of word pieces, padded on the right."""
        encoded = self._tokenizer(
            [example.fields["text"] for example in examples],
            padding=True,
            truncation=True,
            max_length=MAX_LENGTH,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
            return_tensors="pt",
        )
        mask = encoded["attention_mask"].bool()
        special = encoded["special_tokens_mask"].bool() & mask
        spans: list[list[Span]] = [
            [("text", start, end) if start < end else None for start, end in row]
            for row in encoded["offset_mapping"].tolist()
        ]
        embeddings = self.bert.embeddings.word_embeddings(encoded["input_ids"])
        return Embedded(embeddings.detach(), mask, special, spans)

    def pooled(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        """Return the mean of the last layer over the tokens of each text, special ones included, ``[batch, dims]``."""
        weight = mask.to(embeddings)
        hidden: Tensor = self.bert(inputs_embeds=embeddings, attention_mask=weight).last_hidden_state
        return (hidden * weight[..., None]).sum(1) / weight.sum(1, keepdim=True)

    def logits(self, embeddings: Tensor, embedded: Embedded) -> Tensor:
        """Map input embeddings ``[batch, tokens, dims]`` to logits ``[batch, classes]``."""
        logits: Tensor = self.head(self.pooled(embeddings, embedded.mask))
        return logits

    def predict(self, examples: Sequence[Example]) -> Any:
        """Predict examples in one batch: probabilities ``[examples, classes]``."""
        with torch.inference_mode():
            embedded = self.embed(examples)
            return self.logits(embedded.embeddings, embedded).double().softmax(-1).numpy()


def fit_head(transformer: Transformer, data: Path) -> MeanPooled:
    """Fit a head by logistic regression to ``rotten_tomatoes/train.csv``; nothing in it is drawn.

    Args:
        transformer: A BERT, such as MiniLM.
        data: The folder that holds ``rotten_tomatoes``.

    Returns:
        The model.

    Raises:
        ModuleNotFoundError: scikit-learn is not installed.
        OSError: The file is missing.
    """
    from sklearn.linear_model import LogisticRegression

    model = MeanPooled(transformer.folder)
    with (data / "rotten_tomatoes" / "train.csv").open(encoding="utf-8", newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: len(row["text"]))
    pooled = []
    for start in range(0, len(rows), _BATCH):
        with torch.inference_mode():
            batch = model.embed([Example({"text": row["text"]}) for row in rows[start : start + _BATCH]])
            pooled.append(model.pooled(batch.embeddings, batch.mask))
    features = torch.cat(pooled).double()
    mean, deviation = features.mean(0), features.std(0)
    gold = [LABELS.index(row["label"]) for row in rows]
    fitted = LogisticRegression(max_iter=2000).fit(((features - mean) / deviation).numpy(), gold)
    # z₁ − z₀ = w·(f − mean) / deviation + b, all of it in the second class.
    weight = torch.from_numpy(fitted.coef_[0]) / deviation
    model.head.weight[1] = weight.float()
    model.head.bias[1] = float(fitted.intercept_[0] - weight @ mean)
    return model
