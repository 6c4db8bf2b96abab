"""A small BERT that tells the critic's good reviews from the bad ones, saved as ``save_pretrained`` saves it."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from tests.robustfim.critic import reviews

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def save_transformer(folder: Path, names: dict[int, str] | None) -> Path:
    """Save it.

    Args:
        folder: An empty folder.
        names: The names of class 0, the bad reviews, and class 1; None leaves transformers' LABEL_0 and LABEL_1.
    """
    model, tokenizer = trained()
    if names is None:
        model.config.id2label = {0: "LABEL_0", 1: "LABEL_1"}
    else:
        model.config.id2label = names
    model.config.label2id = {name: number for number, name in model.config.id2label.items()}
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@lru_cache(maxsize=1)
def trained() -> tuple[Any, Any]:
    """Train it once, on all reviews, until none is judged wrongly."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    words = sorted({word for text, _ in reviews() for word in re.findall(r"\w+|[^\w\s]", text.lower())})
    vocabulary = {word: number for number, word in enumerate((*_SPECIAL, *words))}
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))  # noqa: S106  # a word, no password
    made.normalizer = tokenizers.normalizers.BertNormalizer()
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    named = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), _SPECIAL, strict=True))
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=made, **named)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        config = transformers.BertConfig(
            vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=16, max_position_embeddings=64, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
        )  # fmt: skip
        model = transformers.BertForSequenceClassification(config)
        batch = tokenizer([text for text, _ in reviews()], return_tensors="pt", padding=True)
        gold = torch.tensor([liked for _, liked in reviews()])
        optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
        for _ in range(200):
            answer = model(**batch, labels=gold)
            if bool((answer.logits.argmax(-1) == gold).all()) and answer.loss < 0.1:
                break
            optimizer.zero_grad()
            answer.loss.backward()
            optimizer.step()
        assert bool((answer.logits.argmax(-1) == gold).all())
    return model.eval(), tokenizer


def export_onnx(
    model: Any,
    file: Path,
    *,
    inputs: tuple[str, ...] = ("input_ids", "attention_mask"),
    integers: str = "int64",
    shape: tuple[int | None, int | None] = (None, None),
) -> Path:
    """Export a classifier to ONNX.

    Args:
        model: It, in evaluation mode.
        file: The file to write.
        inputs: What its graph reads.
        integers: The type of what it reads.
        shape: Texts and tokens of its graph; None for any number.
    """
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")

    module: Any = torch.nn.Module

    class Graph(module):  # type: ignore[misc]  # torch may be missing
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *given: Any) -> Any:
            return self.model(**{name: each.long() for name, each in zip(inputs, given, strict=True)}).logits

    made = (torch.ones((shape[0] or 2, shape[1] or 5), dtype=getattr(torch, integers)),) * len(inputs)
    free = {place: name for place, (name, size) in enumerate(zip(("batch", "tokens"), shape, strict=True)) if not size}
    axes = {**dict.fromkeys(inputs, free), "logits": {key: name for key, name in free.items() if key == 0}}
    file.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        Graph(), made, file, input_names=list(inputs), output_names=["logits"], dynamo=False, dynamic_axes=axes
    )
    return file
