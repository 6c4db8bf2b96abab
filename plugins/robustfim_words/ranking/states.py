"""The states of an encoder at an edit, before and after it."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Change", "EditStates", "features"]

Change = tuple[str, Sequence[tuple[int, int, str]]]
"""A text and its edits in order: start, exclusive end and new text of each."""

_Side = tuple[str, tuple[tuple[int, int], ...]]
"""A part of a text around an edit, and the places of the edit in it."""

_WINDOW = 300
"""Characters read on either side of an edit."""
_LONGEST = 256
"""Tokens read of them at most."""
_NEAR = 2
"""Tokens on either side of an edit that count as its neighbours."""
_BATCH = 32


class EditStates:
    """Describes an edit by a frozen encoder's hidden states of the edited tokens, their neighbours and all tokens.

    Args:
        folder: A BERT encoder, as ``save_pretrained`` writes it.
        layer: The layer whose states are read, from 1. Later layers are not computed.
    """

    def __init__(self, folder: Path, layer: int) -> None:
        transformers = importlib.import_module("transformers")
        self._tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, trust_remote_code=False
        )
        self._model = transformers.AutoModel.from_pretrained(
            str(folder), local_files_only=True, use_safetensors=True, trust_remote_code=False
        ).eval()
        del self._model.encoder.layer[layer:]

    def means(self, changes: Sequence[Change]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return an encoder's mean hidden states before and after some edits.

        Args:
            changes: At least one change.

        Returns:
            Two arrays ``[changes, 3, dims]``, before and after. The three means are over the edited tokens, the tokens
            near them, and all tokens.
        """
        sides = [side for change in changes for side in _sides(*change)]
        fresh = sorted(dict.fromkeys(sides), key=lambda side: len(side[0]))
        known: dict[_Side, NDArray[np.float32]] = {}
        for start in range(0, len(fresh), _BATCH):
            batch = fresh[start : start + _BATCH]
            known.update(zip(batch, self._means(batch), strict=True))
        return np.stack([known[side] for side in sides[::2]]), np.stack([known[side] for side in sides[1::2]])

    def _means(self, sides: Sequence[_Side]) -> list[NDArray[np.float32]]:
        """Return the mean states ``[3, dims]`` of each side: at the edit, near it, of all tokens."""
        torch = importlib.import_module("torch")
        inputs: Any = self._tokenizer(
            [text.encode("utf-8", "replace").decode("utf-8") for text, _ in sides],
            return_tensors="pt", padding=True, truncation=True, max_length=_LONGEST,
            return_offsets_mapping=True, return_special_tokens_mask=True,
        )  # fmt: skip
        offsets, special = inputs.pop("offset_mapping").numpy(), inputs.pop("special_tokens_mask").numpy()
        with torch.inference_mode():
            states = self._model(**inputs).last_hidden_state.numpy()
        return [
            np.stack([_mean(states[row], places) for places in _places(offsets[row], special[row], spans)])
            for row, (_, spans) in enumerate(sides)
        ]


def features(before: NDArray[np.float32], after: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the ranker's input features: differences of the mean states b and a before and after edits.

    Returns:
        ``[changes, 7 · dims]``: a − b of the three means, a at the edit, and |a − b| of the three.
    """
    moved = (after - before).reshape(len(before), -1)
    return np.concatenate([moved, after[:, 0], np.abs(moved)], axis=1)


def _sides(text: str, edits: Sequence[tuple[int, int, str]]) -> tuple[_Side, _Side]:
    """Cut the part around the edits out of the text before and after them."""
    first = max(edits[0][0] - _WINDOW, 0)
    after, places, done = "", [], first
    for start, end, put in edits:
        after += text[done:start]
        places.append((len(after), len(after) + len(put)))
        after, done = after + put, end
    last = done + _WINDOW
    before = tuple((start - first, end - first) for start, end, _ in edits)
    return (text[first:last], before), (after + text[done:last], tuple(places))


def _places(offsets: Any, special: Any, spans: Sequence[tuple[int, int]]) -> tuple[list[int], list[int], list[int]]:
    """List the tokens of an edit, those near it, and all. The tokens of an empty span are the two beside it."""
    tokens = [int(place) for place in (special == 0).nonzero()[0]]
    inside: set[int] = set()
    near: set[int] = set()
    for start, end in spans:
        left = [place for place in tokens if offsets[place][1] <= start][-_NEAR:]
        right = [place for place in tokens if offsets[place][0] >= end][:_NEAR]
        inside |= {place for place in tokens if offsets[place][0] < end and offsets[place][1] > start}
        inside |= {*left[-1:], *right[:1]} if start == end else set()
        near |= {*left, *right}
    return sorted(inside), sorted(near - inside), tokens


def _mean(states: NDArray[np.float32], places: list[int]) -> NDArray[np.float32]:
    """Average states ``[tokens, dims]``; zeros where there are none."""
    return np.asarray(states[places].mean(0) if places else np.zeros(states.shape[1:], states.dtype))
