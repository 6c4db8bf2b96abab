"""Untrained models of each architecture: how they read texts, compute logits and are saved."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import torch
from safetensors.torch import save
from torch import Tensor, nn

from robustfim.example import Example
from robustfim_reference.embeddings import cooccurrence_embeddings
from robustfim_reference.fitting import Text, pad
from robustfim_reference.folder import CONFIG, WEIGHTS
from robustfim_reference.networks import Network, build
from robustfim_reference.recipe import Recipe
from robustfim_reference.tokens import bigrams, tokenise
from robustfim_reference.vocabulary import PADDING, UNKNOWN, UNKNOWN_PAIR, Vocabulary
from robustfim_steps.vectors import read_vectors

__all__ = ["BertLearner", "Learner", "WordLearner", "learner"]


@dataclass
class WordLearner:
    """A network over word embeddings in training."""

    architecture: str
    module: Network
    vocabulary: Vocabulary
    labels: tuple[str, ...]
    recipe: Recipe
    device: str
    special: Sequence[int] = (PADDING,)

    @property
    def embedding(self) -> nn.Module:
        """The embedding layer of words and bigrams."""
        return self.module.embedding

    @classmethod
    def start(
        cls, architecture: str, texts: Sequence[str], labels: tuple[str, ...], recipe: Recipe, seed: int, device: str
    ) -> WordLearner:
        """Collect the vocabulary, and create an untrained network with initial embeddings.

        Raises:
            DataError: The recipe's file of word vectors cannot be read.
        """
        tokens = [tokenise(Example({"text": text}), recipe.max_tokens) for text in texts]
        vocabulary = Vocabulary.count(tokens, largest=recipe.vocabulary, pairs=recipe.pairs)
        rows = [np.array(vocabulary.rows_of(text)) for text in tokens]
        vectors: dict[str, Any] = {}
        if recipe.vectors is not None:
            known = {key for key in vocabulary.keys[UNKNOWN_PAIR + 1 :] if " " not in key}
            vectors = dict(zip(*read_vectors(recipe.vectors, known), strict=True))
            recipe = replace(recipe, sizes={**recipe.sizes, "dims": len(next(iter(vectors.values())))}, spread=0.0)
        network = build(architecture, rows=len(vocabulary), classes=len(labels), **recipe.sizes)
        _start_embedding(network.embedding.weight, rows, recipe, seed)
        with torch.no_grad():
            for word, vector in vectors.items():
                network.embedding.weight[vocabulary.rows[word]] = torch.from_numpy(vector)
        return cls(architecture, network.to(device), vocabulary, labels, recipe, device)

    def encode(self, text: str) -> Text:
        """Convert a text to rows of the vocabulary."""
        tokens = tokenise(Example({"text": text}), self.recipe.max_tokens)
        if self.recipe.pairs:
            tokens = tokens + bigrams(tokens)
        return self.vocabulary.rows_of(tokens)

    def forward(self, texts: Sequence[Text], training: bool) -> Tensor:
        """Map texts to logits; in training, random words or n-grams are hidden from the network."""
        rows, mask = pad(texts, PADDING)
        if training:
            hidden = torch.rand(rows.shape) < self.recipe.word_dropout
            if self.recipe.pairs:
                kept = mask & ~hidden
                mask = torch.where(kept.any(dim=1, keepdim=True), kept, mask)
            else:
                rows = rows.masked_fill(hidden & mask, UNKNOWN)
        logits: Tensor = self.module(self.module.embedding(rows.to(self.device)), mask.to(self.device))
        return logits

    def write(self, folder: Path) -> None:
        """Write the settings, the vocabulary and the weights (in float16) to a folder."""
        config = {
            "format": 1,
            "architecture": self.architecture,
            "labels": list(self.labels),
            "max_tokens": self.recipe.max_tokens,
            "sizes": dict(self.recipe.sizes),
        }
        (folder / CONFIG).write_text(json.dumps(config, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        (folder / "vocabulary.txt").write_text(str(self.vocabulary), encoding="utf-8")
        _save(self.module, folder)


@dataclass
class BertLearner:
    """A tiny BERT in training, with word pieces learned from its training texts."""

    module: Any
    tokenizer: Any
    recipe: Recipe
    device: str

    @property
    def embedding(self) -> nn.Module:
        """The embedding layer of word pieces."""
        layer: nn.Module = self.module.get_input_embeddings()
        return layer

    @property
    def special(self) -> Sequence[int]:
        """The ids of [CLS], [SEP] and [PAD], whose embeddings always stay in training on steps."""
        return [self.tokenizer.cls_token_id, self.tokenizer.sep_token_id, self.tokenizer.pad_token_id]

    @classmethod
    def start(
        cls, texts: Sequence[str], labels: tuple[str, ...], recipe: Recipe, seed: int, device: str
    ) -> BertLearner:
        """Learn the word pieces, and create an untrained network with initial embeddings."""
        from transformers import BertConfig, BertForSequenceClassification

        from robustfim_reference.wordpiece import train_wordpiece

        untyped_config: Any = BertConfig
        untyped_network: Any = BertForSequenceClassification
        tokenizer = train_wordpiece(texts, size=recipe.vocabulary, max_tokens=recipe.max_tokens)
        config = untyped_config(
            vocab_size=len(tokenizer),
            max_position_embeddings=recipe.max_tokens,
            type_vocab_size=1,
            pad_token_id=tokenizer.pad_token_id,
            id2label=dict(enumerate(labels)),
            label2id={label: number for number, label in enumerate(labels)},
            attn_implementation="eager",
            **recipe.sizes,
        )
        network = untyped_network(config)
        encoded = tokenizer(list(texts), truncation=True, add_special_tokens=False)["input_ids"]
        wide = replace(recipe, sizes={"dims": config.hidden_size})
        reserved = len(tokenizer.all_special_ids)
        _start_embedding(
            network.bert.embeddings.word_embeddings.weight,
            [np.array(ids) for ids in encoded if ids],
            wide,
            seed,
            reserved,
        )
        return cls(network.to(device), tokenizer, recipe, device)

    def encode(self, text: str) -> Text:
        """Convert a text to ids of word pieces, with [CLS] before and [SEP] after them."""
        ids: Text = self.tokenizer(text, truncation=True, max_length=self.recipe.max_tokens)["input_ids"]
        return ids

    def forward(self, texts: Sequence[Text], training: bool) -> Tensor:
        """Map texts to logits. In training some word pieces become [MASK]."""
        ids, mask = pad(texts, self.tokenizer.pad_token_id)
        if training:
            special = torch.isin(ids, torch.tensor(self.tokenizer.all_special_ids))
            hidden = (torch.rand(ids.shape) < self.recipe.word_dropout) & ~special
            ids = ids.masked_fill(hidden, self.tokenizer.mask_token_id)
        logits: Tensor = self.module(input_ids=ids.to(self.device), attention_mask=mask.long().to(self.device)).logits
        return logits

    def write(self, folder: Path) -> None:
        """Write the settings, tokeniser and weights (in float16) in the format of transformers."""
        self.module.config.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        _save(self.module, folder)


Learner: TypeAlias = WordLearner | BertLearner
"""A model in training: its network, how it reads texts and computes logits, and how it is saved."""


def learner(
    architecture: str, texts: Sequence[str], labels: tuple[str, ...], recipe: Recipe, *, seed: int, device: str
) -> Learner:
    """Create an untrained model, with vocabulary and initial embeddings from the texts.

    Args:
        architecture: ``"fasttext"``, ``"cnn"``, ``"lstm"`` or ``"bert"``.
        texts: The training texts, labelled or not.
        labels: The labels, in the order of the model's outputs.
        recipe: The settings.
        seed: The seed of the initial embeddings. All other random numbers come from torch's generator.
        device: The device to train on.
    """
    if architecture == "bert":
        return BertLearner.start(texts, labels, recipe, seed, device)
    return WordLearner.start(architecture, texts, labels, recipe, seed, device)


def _start_embedding(
    weight: Tensor, texts: Sequence[np.ndarray[Any, Any]], recipe: Recipe, seed: int, reserved: int = 3
) -> None:
    """Put first embeddings in place, noise where the texts say nothing."""
    rows, dims = weight.shape
    found = torch.from_numpy(cooccurrence_embeddings(texts, rows, dims, seed=seed, reserved=reserved))
    noise = torch.randn(rows, dims) * 0.01
    noise[PADDING] = 0
    with torch.no_grad():
        weight.copy_(found * recipe.spread + noise)


def _save(module: nn.Module, folder: Path) -> None:
    """Write the weights in half precision."""
    tensors = {
        name: tensor.detach().cpu().half().contiguous()
        for name, tensor in module.state_dict().items()
        if tensor.is_floating_point()
    }
    # Written by Path: safetensors' own files are closed to everybody but their owner.
    (folder / WEIGHTS).write_bytes(save(tensors, metadata={"format": "pt"}))
