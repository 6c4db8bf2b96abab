"""Monte-Carlo dropout, on the input embedding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from robustfim.contract import ScoreContract
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.roles import Context, DifferentiableModel

__all__ = ["EmbeddingDropout"]

_BATCH = 64


class EmbeddingDropout:
    """The variance of the label's probability when parts of the input embedding are dropped at random.

    Monte-Carlo dropout (Gal and Ghahramani 2016) where every differentiable model has a place for it: each number of
    the embedding is set to 0 with probability ``rate``, the others are divided by 1 − ``rate``; hidden layers are left
    as they are. The variance over the samples of P(label), summed over the labels. Costs ``samples`` forward passes
    an example, which the account of the run counts as steps. Needs a differentiable model, no gold labels.

    Args:
        samples: Forward passes of each example, at least 2.
        rate: The probability of a number to be dropped, above 0 and below 1.
    """

    libraries: ClassVar = {"torch": "robustfim[torch]"}
    contract = ScoreContract(hardest="highest")

    def __init__(self, samples: int = 20, rate: float = 0.1) -> None:
        if samples < 2 or not 0 < rate < 1:
            raise UsageError(f"'samples' is at least 2 and 'rate' between 0 and 1, not {samples} and {rate}.")
        self._samples, self._rate = samples, rate

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Score examples."""
        model = context.model
        if not isinstance(model, DifferentiableModel):
            raise ModelError(
                f"embedding_dropout needs a model that embeds texts; {type(model).__name__} gives predictions only."
            )
        import torch

        scores: list[float] = []
        for start in range(0, len(examples), _BATCH):
            batch = examples[start : start + _BATCH]
            embedded = model.embed(batch)
            with torch.no_grad():
                drawn = np.stack(
                    [self._sample(model, batch, embedded, number, context) for number in range(self._samples)]
                )
            context.count_steps(self._samples * len(batch))
            scores += drawn.var(axis=0).sum(axis=1).tolist()
        return scores

    def _sample(self, model: Any, batch: Sequence[Example], embedded: Any, number: int, context: Context) -> Any:
        """The probabilities of one sample, ``[batch, classes]``; what is dropped depends on the example alone."""
        values = embedded.embeddings
        kept = np.zeros(tuple(values.shape))
        lengths = embedded.mask.sum(dim=1).tolist()
        for row, example in enumerate(batch):
            seed = context.random("embedding_dropout", example.id, str(number)).getrandbits(64)
            shape = int(lengths[row]), values.shape[2]
            own = np.random.default_rng(seed).random(shape) >= self._rate
            kept[row][embedded.mask[row].cpu().numpy()] = own
        scaled = values * values.new_tensor(kept / (1 - self._rate))
        return model.logits(scaled, embedded).double().softmax(1).cpu().numpy()
