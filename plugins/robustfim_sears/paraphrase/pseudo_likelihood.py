"""Pseudo-likelihood: the probability of the changed words of a text under a masked language model, given the rest."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from robustfim.words import shared_ends
from robustfim_checkpoints.pretrained import Pretrained

__all__ = ["log_ratios"]

_Masked = tuple[tuple[int, ...], int, int]
"""The tokens of a text, and the first and one past the last that are masked."""


def log_ratios(network: Pretrained, pairs: Sequence[tuple[str, str]], batch_size: int) -> list[float | None]:
    """Return, for pairs of texts, how much likelier a masked language model finds the new words than the old.

    All tokens between the common beginning and the common end of both texts are masked at once.

    Args:
        network: A masked language model.
        pairs: The texts x and x′, ``[pairs]``.
        batch_size: The number of texts in a forward pass.

    Returns:
        log P(changed tokens of x′ | rest) − log P(changed tokens of x | rest) of each pair; None if x′ only lacks
        tokens, or if a text is too long for the network.
    """
    compared = [_changes(network, *pair) if all(map(network.reads, pair)) else None for pair in pairs]
    rows = list(dict.fromkeys(each for pair in compared if pair is not None for each in pair))
    found = dict(zip(rows, _log_probabilities(network, rows, batch_size), strict=True))
    return [None if pair is None else found[pair[1]] - found[pair[0]] for pair in compared]


def _changes(network: Pretrained, text: str, candidate: str) -> tuple[_Masked, _Masked] | None:
    """Find the tokens that differ; None where nothing stands in the place of those of the first."""
    before, after = (tuple(network.tokenizer(each)["input_ids"]) for each in (text, candidate))
    first, tail = shared_ends(before, after)
    if first == len(after) - tail and before != after:
        return None
    return (before, first, len(before) - tail), (after, first, len(after) - tail)


def _log_probabilities(network: Pretrained, rows: Sequence[_Masked], batch_size: int) -> list[float]:
    """Return the sums of the logarithms of the masked tokens' probabilities."""
    tokenizer, found = network.tokenizer, [0.0] * len(rows)
    order = sorted((row for row in range(len(rows)) if rows[row][1] < rows[row][2]), key=lambda row: len(rows[row][0]))
    for start in range(0, len(order), batch_size):
        batch = order[start : start + batch_size]
        masked = [
            [*tokens[:first], *[tokenizer.mask_token_id] * (last - first), *tokens[last:]]
            for tokens, first, last in (rows[row] for row in batch)
        ]
        inputs = tokenizer.pad({"input_ids": masked}, return_tensors="pt").to(network.device)
        with torch.inference_mode():
            logs = network.model(**inputs).logits.float().log_softmax(-1).cpu().double()
        for place, row in enumerate(batch):
            tokens, first, last = rows[row]
            right = torch.tensor(tokens[first:last])
            # Padding may stand on the left.
            shift = logs.shape[1] - len(tokens) if tokenizer.padding_side == "left" else 0
            found[row] = float(logs[place, first + shift : last + shift].gather(-1, right[:, None]).sum())
    return found
