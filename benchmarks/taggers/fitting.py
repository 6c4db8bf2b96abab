"""The training of the span tagger, with AdamW, early stopping, and new words for the spans in every epoch."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from robustfim.example import Example
from robustfim.spans import Span, read_spans
from robustfim_reference.tagging.features import spans_of, tags_of, tokens_of
from robustfim_reference.tagging.network import TaggerNetwork, likeliest_tags
from robustfim_steps.fitting import fenced

__all__ = ["SIZES", "Gold", "Score", "TaggerModule", "fit", "gold_of", "score"]

_BUCKETS, _DIMS, _HIDDEN, _WIDTHS = 2**15, 32, 96, (5, 3)
SIZES = {"buckets": _BUCKETS, "dims": _DIMS, "hidden": _HIDDEN, "widths": list(_WIDTHS)}
_SWAPPED, _DIGITS, _LOWER, _UPPER = 0.6, 0.7, 0.15, 0.03
_DROPOUT, _RATE, _DECAY, _BATCH = (0.2, 0.4), 3e-3, 1e-3, 32

Gold = tuple[str, tuple[Span, ...]]
"""A text and its spans."""


@dataclass(frozen=True)
class Score:
    """Counts for one label: gold spans, spans that were found, and found spans that are right at both ends."""

    gold: int
    found: int
    right: int

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0 if there are no spans."""
        return 2 * self.right / (self.gold + self.found) if self.gold + self.found else 0.0


class TaggerModule(nn.Module):
    """A torch module that computes the same as :class:`TaggerNetwork`, with dropout."""

    def __init__(self, tags: int) -> None:
        super().__init__()
        first, second = _WIDTHS
        self.embedding = nn.EmbeddingBag(_BUCKETS, _DIMS, mode="mean")
        nn.init.normal_(self.embedding.weight, 0, 0.3)
        self.first = nn.Conv1d(_DIMS, _HIDDEN, first, padding=first // 2)
        self.second = nn.Conv1d(_HIDDEN, _HIDDEN, second, padding=second // 2)
        self.output = nn.Conv1d(_HIDDEN, tags, 1)

    def forward(self, texts: Sequence[list[list[int]]]) -> Tensor:
        """Map the rows of texts, ``[texts][tokens][features]``, to logits ``[texts, tokens, tags]``."""
        tokens = [rows for text in texts for rows in text]
        starts = np.cumsum([0, *(len(rows) for rows in tokens)])[:-1]
        flat = self.embedding(torch.tensor([row for rows in tokens for row in rows]), torch.from_numpy(starts))
        found = pad_sequence(list(flat.split([len(text) for text in texts])), batch_first=True)
        rare, often = _DROPOUT
        hidden = nn.functional.dropout(found, rare, self.training).transpose(1, 2)
        for layer in (self.first, self.second):
            hidden = nn.functional.dropout(torch.relu(layer(hidden)), often, self.training)
        logits: Tensor = self.output(hidden).transpose(1, 2)
        return logits


def fit(
    train: Sequence[Gold], dev: Sequence[Gold], labels: Sequence[str], names: Sequence[str], *, seed: int, epochs: int,
    report: Callable[[str], None],
) -> tuple[dict[str, Any], int]:  # fmt: skip
    """Train a tagger; the same arguments give the same weights on one CPU.

    In every epoch, spans are replaced by other spans of the same label, half of the people by given names, and digits
    by other digits, and some texts are written without capitals. The tagger therefore also learns from the words around
    a span.

    Args:
        train: The training texts and their spans.
        dev: Texts and their spans; the epoch with the largest F1 on them, over all spans, is kept.
        labels: The labels, in the order of the tags.
        names: Given names that replace people. If it is empty, people are only replaced by people of the texts.
        seed: The seed of all random choices.
        epochs: The number of passes over the data.
        report: A function that is called with a line of text after every epoch.

    Returns:
        The weights in float16 by name, and the number of the epoch that was kept.
    """
    chance = random.Random(seed)  # noqa: S311  # no secret
    pool = {
        label: [text[s.start : s.end] for text, spans in train for s in spans if s.label == label] for label in labels
    }
    best, kept, weights = -1.0, 0, {}
    with fenced(seed, "cpu", threads=1):
        module = TaggerModule(1 + 2 * len(labels))
        optimizer = torch.optim.AdamW(module.parameters(), lr=_RATE, weight_decay=_DECAY)
        for epoch in range(1, epochs + 1):
            for group in optimizer.param_groups:
                group["lr"] = _RATE * (1 - (epoch - 1) / epochs)
            loss = _pass(module, optimizer, [_varied(each, pool, names, chance) for each in train], labels, chance)
            half = {name: tensor.detach().half().numpy() for name, tensor in module.state_dict().items()}
            f1 = _all(score(half, dev, labels)).f1
            report(f"epoch {epoch:>2}/{epochs}  train loss {loss:.4f}  dev F1 {f1:.3f}")
            if f1 > best:
                best, kept, weights = f1, epoch, {name: array.copy() for name, array in half.items()}
    return weights, kept


def _pass(
    module: TaggerModule,
    optimizer: torch.optim.Optimizer,
    texts: list[Gold],
    labels: Sequence[str],
    chance: random.Random,
) -> float:
    """Train on each text once, and return the mean loss of a batch."""
    module.train()
    coded = []
    for text, spans in texts:
        tokens = tokens_of(text, module.embedding.num_embeddings)
        if tokens.rows:
            coded.append((tokens.rows, torch.tensor(tags_of(tokens.places, spans, labels))))
    chance.shuffle(coded)
    losses = []
    for start in range(0, len(coded), _BATCH):
        batch = coded[start : start + _BATCH]
        wanted = pad_sequence([tags for _, tags in batch], batch_first=True, padding_value=-1)
        logits = module([rows for rows, _ in batch])
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=-1)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it unannotated
        optimizer.step()
        losses.append(float(loss.detach()))
    return sum(losses) / len(losses)


def _varied(gold: Gold, pool: dict[str, list[str]], names: Sequence[str], chance: random.Random) -> Gold:
    text, spans = gold
    made, last, moved = "", 0, []
    for span in spans:
        words = text[span.start : span.end]
        if chance.random() < _SWAPPED:
            words = chance.choice(pool[span.label])
            if span.label == "person" and names and chance.random() < 0.5:
                family = words.split()[-1] if chance.random() < 0.5 else ""
                words = f"{chance.choice(names)} {family}".strip()
        made += text[last : span.start]
        moved.append(Span(len(made), len(made) + len(words), span.label))
        made, last = made + words, span.end
    made += text[last:]
    made = "".join(chance.choice("0123456789") if c.isdigit() and chance.random() < _DIGITS else c for c in made)
    case = chance.random()
    other = made.lower() if case < _LOWER else made.upper() if case < _LOWER + _UPPER else made
    return (other if len(other) == len(made) else made), tuple(moved)


def score(weights: dict[str, Any], data: Sequence[Gold], labels: Sequence[str]) -> dict[str, Score]:
    """Count for each label the spans of texts that a tagger finds.

    Args:
        weights: The tagger's weights, arrays by name.
        data: Texts and their spans.
        labels: The labels, in the order of the tags.
    """
    network = TaggerNetwork.of(weights, tags=1 + 2 * len(labels))
    gold, found, right = (dict.fromkeys(labels, 0) for _ in range(3))
    for text, spans in data:
        tokens = tokens_of(text, len(network.table))
        tags = likeliest_tags(network.logits(network.embed(tokens.rows))) if tokens.rows else []
        for span in spans:
            gold[span.label] += 1
        for span in spans_of(tokens.places, tags, [1.0] * len(tags), labels):
            found[span.label] += 1
            right[span.label] += span.bare in spans
    return {label: Score(gold[label], found[label], right[label]) for label in labels}


def _all(scores: dict[str, Score]) -> Score:
    return Score(*(sum(column) for column in zip(*((s.gold, s.found, s.right) for s in scores.values()), strict=True)))


def gold_of(example: Example, label_of: dict[str, str]) -> Gold:
    """Read the spans of an example with the tagger's labels; spans whose label the tagger lacks are left out."""
    spans = [Span(s.start, s.end, label_of[s.label]) for s in read_spans(example.label or "⟦⟧") if s.label in label_of]
    return example.text, tuple(spans)
