"""Conversion of texts to the inputs of an ONNX graph, with the tokenizer and configuration beside the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.roles import Span
from robustfim_blackbox.saved import json_object
from robustfim_checkpoints.library import library
from robustfim_checkpoints.places import token_span

__all__ = ["Tokens", "fixed"]

_NO_LIMIT = 1_000_000
"""The largest limit, in tokens, that is believed. A tokenizer without a limit has 1e30."""
_BEHIND_PADDING = {
    "camembert", "data2vec-text", "esm", "ibert", "layoutlmv3", "lilt", "longformer", "luke", "markuplm", "mpnet",
    "roberta", "roberta-prelayernorm", "xlm-roberta", "xlm-roberta-xl", "xmod",
}  # fmt: skip
"""Kinds of models whose first positions are reserved for padding: of 514 positions, 512 can be read."""
_POSITIONS_BY_ANOTHER_NAME = {"codegen", "ctrl", "gpt2", "gptj", "openai-gpt"}
"""Kinds of models whose ``n_positions`` limits the tokens. T5 has this entry but no limit."""
_TYPES: dict[str, Any] = {
    "tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(int8)": np.int8, "tensor(uint8)": np.uint8,
    "tensor(bool)": np.bool_, "tensor(float)": np.float32, "tensor(float16)": np.float16,
    "tensor(double)": np.float64,
}  # fmt: skip
_READ = ("input_ids", "attention_mask", "token_type_ids", "position_ids")


class Tokens:
    """The tokenizer of an ONNX model (graph), which pads and truncates as the graph requires.

    Args:
        name: The name of the model, for messages.
        inputs: The inputs of the graph, as onnxruntime lists them.
        tokenizer: The ``tokenizer.json`` of the graph.
        config: The ``config.json`` of the graph.
        max_length: The largest number of tokens read, special tokens included; None for as many as the files and the
            graph allow.

    Attributes:
        limit: The largest number of tokens read, special tokens included; None without a limit.

    Raises:
        ModelError: There is no tokenizer, or the graph does not read tokens.
        UsageError: ``max_length`` is more than the model can read, or leaves no room for a token.
    """

    def __init__(self, name: str, inputs: Sequence[Any], tokenizer: Path, config: Path, max_length: int | None) -> None:
        self._dtypes = {each.name: _dtype(each, name) for each in inputs}
        tokenizers = library("tokenizers", extra="onnx")
        if not tokenizer.is_file():
            raise ModelError(
                f"model {name} reads {', '.join(self._dtypes)}, and no tokenizer.json lies beside the model. Save one "
                "there: AutoTokenizer.from_pretrained(…).save_pretrained(folder)."
            )
        held = json_object(config)
        held = held.get("text_config") or held  # of a model of several parts that of its text
        kind, naming = held.get("model_type"), json_object(tokenizer.with_name("tokenizer_config.json"))
        self._first = int(held.get("pad_token_id", 1)) + 1 if kind in _BEHIND_PADDING else 0
        try:
            self._tokenizer = tokenizers.Tokenizer.from_file(str(tokenizer))
        except Exception as error:  # tokenizers raises it as such
            raise ModelError(f"model {name}: its tokenizer.json cannot be read: {error}. Save it anew.") from error
        shapes = {each.name: list(each.shape or ()) for each in inputs}
        length = fixed(shapes.get("input_ids", ()), 1)
        named = held.get("n_positions") if kind in _POSITIONS_BY_ANOTHER_NAME else None
        positions = held.get("max_position_embeddings") or named
        there = positions - self._first if isinstance(positions, int) and positions > 0 else None
        most = min(filter(None, (there, length)), default=None)
        self.limit = self._limited(name, most, naming.get("model_max_length"), max_length)
        if self.limit is None:
            self._tokenizer.no_truncation()
        else:
            self._tokenizer.enable_truncation(self.limit, direction=naming.get("truncation_side", "right"))
        # Learned positions are counted from the left; XLNet alone reads its last place.
        side = "left" if kind == "xlnet" else "right"
        self._tokenizer.enable_padding(direction=side, pad_id=self._padding(held), length=length)

    def _limited(self, name: str, most: int | None, own: Any, wanted: int | None) -> int | None:
        """As transformers does: by the tokenizer's own limit and the model's positions; here by the graph's, too."""
        if wanted is not None and most is not None and wanted > most:
            raise UsageError(f"max_length={wanted} is more than model {name} can read: {most} tokens.")
        if not isinstance(own, int | float) or not 0 < own < _NO_LIMIT:
            own = (self._tokenizer.truncation or {}).get("max_length")
        limit = wanted or min(filter(None, (most, own)), default=None)
        special = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        if limit is not None and limit <= special:
            raise UsageError(f"max_length={limit} leaves no room beside the {special} special tokens of model {name}.")
        return None if limit is None else int(limit)

    def _padding(self, config: Mapping[str, Any]) -> int:
        """The id of the token to pad with; masked, so that any will do where none is known."""
        known = config.get("pad_token_id")
        if known is None:
            known = next(filter(None, map(self._tokenizer.token_to_id, ("[PAD]", "<pad>"))), 0)
        return int(known)

    def encode(self, texts: Sequence[str]) -> tuple[dict[str, Any], Any]:
        """Convert texts to the input arrays of the ONNX graph.

        Returns:
            Arrays ``[texts, tokens]`` by name, and booleans ``[texts]``: whether each text has a token.
        """
        encodings = self._tokenizer.encode_batch([_whole(text) for text in texts])
        masks = np.array([encoding.attention_mask for encoding in encodings]).reshape(len(texts), -1)
        known: dict[str, Any] = {
            "input_ids": [encoding.ids for encoding in encodings],
            "attention_mask": masks,
            "token_type_ids": [encoding.type_ids for encoding in encodings],
            "position_ids": np.maximum(masks.cumsum(1) - 1, 0) + self._first,
        }
        return {name: np.asarray(known[name], dtype) for name, dtype in self._dtypes.items()}, masks.any(1)

    def window(self, example: Example) -> list[Span] | None:
        """Return the parts of an example's text that the model reads; None if it reads the whole text."""
        ((field, text),) = example.fields.items()
        encoding = self._tokenizer.encode(_whole(text))
        if not encoding.overflowing:
            return None
        places = zip(encoding.sequence_ids, encoding.offsets, strict=True)
        return [token_span(field, text, start, end) for source, (start, end) in places if source is not None]

    def samples(self) -> list[str]:
        """Return four texts of different lengths, made of the vocabulary's words, to try the model with."""
        words = [word for word in sorted(self._tokenizer.get_vocab()) if word.isalpha()] or ["a"]
        most = min(self.limit or 16, 64)
        return [" ".join((words[start::7] * most)[:number]) for start, number in enumerate((1, 4, most // 2, most))]


def fixed(shape: Sequence[Any], axis: int) -> int | None:
    """Return the size of an axis of an ONNX graph's input; None if the graph accepts any size."""
    size = shape[axis] if len(shape) > axis else None
    return size if isinstance(size, int) and size > 0 else None


def _dtype(given: Any, model: str) -> Any:
    """The type that an input is given in.

    Raises:
        ModelError: It is none that tokens have.
    """
    if given.name not in _READ or given.type not in _TYPES:
        raise ModelError(
            f"model {model} reads {given.name!r}, {given.type}; robustfim gives it texts, or {', '.join(_READ)}. "
            "Call it from your own function, with 'use: python'."
        )
    return _TYPES[given.type]


def _whole(text: str) -> str:
    """Replace half characters, which no tokenizer takes; all others keep their place."""
    return text.encode("utf-8", "replace").decode("utf-8")
