"""The tokens of a prompt and of its possible answers ("branches"), each read after the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import torch
from torch import Tensor

from robustfim.roles import Span

__all__ = ["Branching", "Passage", "arrange"]

PADDING = 0
"""A padding token. It stands after all others, so it has no influence on them, and any token will do."""


@dataclass(frozen=True)
class Passage:
    """A tokenized text, with the place of each token in the example.

    Attributes:
        ids: The ids of the tokens.
        spans: The place of each token in the example; None for the template's own words and special tokens.
    """

    ids: tuple[int, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Branching:
    """One example as a causal model reads it: a prompt and its possible answers.

    The input x for gradients has every token once: first the prompt's tokens, then the tokens of each answer in turn,
    then the tokens of the neutral prompt.

    Attributes:
        stem: The prompt.
        branches: The answers, each of one token or more.
        neutral: A prompt without the example's text, used to compute how likely answers are in general (``pmi``).
    """

    stem: Passage
    branches: tuple[Passage, ...]
    neutral: Passage | None = None

    @property
    def stems(self) -> tuple[Passage, ...]:
        """The prompt and, if there is one, the neutral prompt."""
        return (self.stem,) if self.neutral is None else (self.stem, self.neutral)

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The passages whose tokens form x, in order."""
        return (self.stem, *self.branches, *self.stems[1:])

    def rows(self, alone: bool) -> list[list[int]]:
        """Return for each row of the forward pass the indices of the row's tokens in the input x, prompt by prompt.

        Args:
            alone: Whether one row for each prompt is enough, because every answer has one token. Otherwise there is one
                row for each pair of prompt and answer.
        """
        starts = [0, *accumulate(len(passage.ids) for passage in self.passages)]
        tokens = [list(range(start, end)) for start, end in pairwise(starts)]
        branches = tokens[1 : 1 + len(self.branches)]
        stems = [tokens[0], *tokens[1 + len(self.branches) :]]
        # Nothing is read off the last token of an answer.
        return stems if alone else [stem + branch[:-1] for stem in stems for branch in branches]


def arrange(branchings: Sequence[Branching]) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
    """Return the tensors of a batch of prompts and answers, padded on the right.

    Args:
        branchings: Examples with the same number of branches and stems, ``[batch]``.

    Returns:
        The token ids of x ``[batch, tokens]``, a mask that is true where x is not padding, and the inputs of the
        forward pass, with the batch first. The inputs are ``input_ids``, ``attention_mask`` and ``places`` (indices
        into x), ``[batch, rows, length]``; the tokens of the answers, ``targets``, and ``counted``, which is false for
        padding, ``[batch, stems, branches, answer]``; and the ``row`` of each answer with the position ``start`` whose
        output predicts the answer's first token, ``[batch, stems, branches]``.
    """
    ids = [[number for passage in branching.passages for number in passage.ids] for branching in branchings]
    alone = all(len(branch.ids) == 1 for branching in branchings for branch in branching.branches)
    rows = [branching.rows(alone) for branching in branchings]
    width, length = max(map(len, ids)), max(len(row) for each in rows for row in each)
    longest = max(len(branch.ids) for branching in branchings for branch in branching.branches)
    x, mask = _padded(ids, width)
    places = torch.zeros(len(rows), len(rows[0]), length, dtype=torch.int64)
    attended = torch.zeros_like(places)
    for index, each in enumerate(rows):
        for number, row in enumerate(each):
            places[index, number, : len(row)] = torch.tensor(row, dtype=torch.int64)
            attended[index, number, : len(row)] = 1
    inputs = x[torch.arange(len(ids))[:, None, None], places].masked_fill(attended == 0, PADDING)
    targets, counted = _padded([branch.ids for branching in branchings for branch in branching.branches], longest)
    stems, branches = len(branchings[0].stems), len(branchings[0].branches)
    shape = (len(ids), stems, branches)
    owner = torch.arange(stems)[:, None] if alone else torch.arange(stems * branches).view(stems, branches)
    start = torch.tensor([[len(stem.ids) - 1 for stem in branching.stems] for branching in branchings])
    return (
        x,
        mask,
        {
            "input_ids": inputs,
            "attention_mask": attended,
            "places": places,
            "targets": targets.view(len(ids), 1, branches, longest).expand(*shape, longest),
            "counted": counted.view(len(ids), 1, branches, longest).expand(*shape, longest),
            "row": owner.expand(shape),
            "start": start[:, :, None].expand(shape),
        },
    )


def _padded(rows: Sequence[Sequence[int]], width: int) -> tuple[Tensor, Tensor]:
    """Pad rows of numbers on the right, and tell where they are not padded, ``[rows, width]``."""
    numbers = torch.tensor([[*row, *[PADDING] * (width - len(row))] for row in rows], dtype=torch.int64)
    lengths = torch.tensor([len(row) for row in rows])
    return numbers, torch.arange(width) < lengths[:, None]
