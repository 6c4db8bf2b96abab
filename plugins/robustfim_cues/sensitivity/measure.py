"""Sensitivity: how strongly each cue affects the score of the chosen alternative (Kavumba et al. 2019)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import cast

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.roles import DifferentiableModel, Model
from robustfim.statistics import mean_interval
from robustfim_cues.choices.choice import ALTERNATIVES, LABELS, alternatives
from robustfim_cues.choices.tokens import placed_words
from robustfim_cues.measures.measures import Cue

__all__ = ["BANDS", "Band", "CueSensitivity", "Sensitivities", "bands", "require_gradients", "sensitivities"]

BANDS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""The ends of the bands of productivity, by which cues are grouped. The last band includes 1."""

_BATCH = 16


@dataclass(frozen=True)
class CueSensitivity:
    """The sensitivity of a model to one cue, averaged over all places of the cue in chosen alternatives.

    Attributes:
        cue: The cue, with its productivity: the fraction of right alternatives among those with the cue.
        norm: The mean norm of the gradient of the chosen alternative's score with respect to the cue's embedding.
        relative: The mean of norm / n, where n is the mean gradient norm of all words of the same alternative. 1 is the
            sensitivity to an average word. Unlike ``norm``, it is comparable between models.
        places: The number of places.
    """

    cue: Cue
    norm: float
    relative: float
    places: int


@dataclass(frozen=True)
class Band:
    """The cues whose productivity (fraction of right alternatives) lies between two bounds.

    Attributes:
        low: The lower bound of the productivity.
        high: The upper bound.
        relative: The relative sensitivity of each cue of the band, by the cue's text.
    """

    low: float
    high: float
    relative: Mapping[str, float]

    @property
    def mean(self) -> float:
        """Return the mean relative sensitivity over the cues; NaN without cues."""
        return fmean(self.relative.values()) if self.relative else math.nan

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return the 95 % t interval of the cues' mean relative sensitivity, cut off at 0; None below three cues."""
        return mean_interval(list(self.relative.values()), low=0.0)

    def difference(self, other: Band) -> tuple[float, tuple[float, float] | None]:
        """Return by how much this band's mean relative sensitivity exceeds another's, and a 95 % t interval.

        The mean is over the cues that are in both bands.
        """
        both = [self.relative[cue] - other.relative[cue] for cue in self.relative if cue in other.relative]
        return (fmean(both) if both else math.nan), mean_interval(both)


@dataclass(frozen=True)
class Sensitivities:
    """The sensitivities of a model to the cues of a data set.

    Attributes:
        cues: The cues that occur in a chosen alternative.
        examples: The number of choices for which gradients were computed.
    """

    cues: tuple[CueSensitivity, ...]
    examples: int

    @property
    def correlation(self) -> tuple[float, float] | None:
        """Return Spearman's ρ of relative sensitivity and productivity over cues, and its p-value.

        None for fewer than three cues, or if one of the two numbers is the same for all cues.
        """
        if len(self.cues) < 3:
            return None
        from scipy.stats import spearmanr

        productivity = [cue.cue.productivity for cue in self.cues]
        relative = [cue.relative for cue in self.cues]
        if len(set(productivity)) == 1 or len(set(relative)) == 1:
            return None
        found = spearmanr(productivity, relative)
        return float(found.statistic), float(found.pvalue)


def bands(found: Sensitivities) -> list[Band]:
    """Group cues into bands of productivity."""
    return [
        Band(
            low,
            high,
            {
                cue.cue.text: cue.relative
                for cue in found.cues
                if low <= cue.cue.productivity < high or cue.cue.productivity == high == 1
            },
        )
        for low, high in pairwise(BANDS)
    ]


def require_gradients(model: Model, use: str) -> DifferentiableModel:
    """Return the model if it has gradients and chooses between two alternatives.

    Args:
        model: The model.
        use: The name of the model, for error messages.

    Raises:
        ModelError: The model has no gradients, or does not choose between two alternatives.
    """
    if not isinstance(model, DifferentiableModel):
        raise ModelError(f"model {use!r} has no gradients, which sensitivity needs. Use 'huggingface/choice'.")
    if tuple(model.labels) != LABELS:
        raise ModelError(f"model {use!r} has the labels {', '.join(model.labels)}; a choice has {', '.join(LABELS)}.")
    return model


def sensitivities(
    model: DifferentiableModel, examples: Sequence[Example], cues: Sequence[Cue],
    progress: Callable[[int, int], None] = lambda *_: None,
) -> Sensitivities:  # fmt: skip
    """Compute the gradients of the chosen alternatives' scores, and average the gradient norms by cue.

    The gradient norm of a word with several tokens is the norm over all its tokens.

    Args:
        model: A model of choices.
        examples: The choices.
        cues: Single words with their measures, as :func:`robustfim_cues.measures.measures.measure` returns them.
        progress: Called with the number of choices done and the number of all choices.

    Raises:
        DataError: An example does not have two alternatives.
    """
    wanted = {cue.text: cue for cue in cues}
    norms: dict[str, list[tuple[float, float]]] = {}
    for start in range(0, len(examples), _BATCH):
        for example, chosen, tokens in _gradients(model, examples[start : start + _BATCH]):
            placed = list(_words(alternatives(example)[chosen], ALTERNATIVES[chosen], tokens))
            usual = fmean(norm for _, norm in placed) if placed else 0.0
            for word, norm in placed:
                if word in wanted:
                    norms.setdefault(word, []).append((norm, norm / usual if usual else 0.0))
        progress(min(start + _BATCH, len(examples)), len(examples))
    found = []
    for text, own in norms.items():
        norm, relative = (fmean(each) for each in zip(*own, strict=True))
        found.append(CueSensitivity(wanted[text], norm, relative, len(own)))
    return Sensitivities(tuple(found), len(examples))


Tokens = Sequence[tuple[tuple[str, int, int], float]]
"""The place of each token of text, and the norm of the gradient there."""


def _gradients(model: DifferentiableModel, batch: Sequence[Example]) -> Iterator[tuple[Example, int, Tokens]]:
    """Return the chosen alternative of each example, and ‖∂z_chosen/∂x‖ at each of its tokens."""
    import torch

    embedded = model.embed(batch)
    x = embedded.embeddings.detach().clone().requires_grad_(True)  # [batch, tokens, dims]
    with torch.enable_grad():
        logits = model.logits(x, embedded)
        chosen = logits.argmax(dim=1)
        # Examples do not touch one another, so that the gradient of the sum is that of each.
        (gradient,) = torch.autograd.grad(logits.gather(1, chosen[:, None]).sum(), x)
    norms = gradient.detach().cpu().double().norm(dim=2).tolist()  # some devices have no doubles
    for row, example in enumerate(batch):
        spans = embedded.spans[row]
        tokens = [(span, norm) for span, norm in zip(spans, norms[row], strict=False) if span is not None]
        yield example, int(chosen[row]), cast(Tokens, tokens)


def _words(text: str, field: str, tokens: Tokens) -> Iterator[tuple[str, float]]:
    """Put the tokens of each word of a field together; a word that the model does not read has none."""
    own = [(start, end, norm) for (name, start, end), norm in tokens if name == field]
    for word, start, end in placed_words(text):
        inside = [norm for first, last, norm in own if first < end and start < last]
        if inside:
            yield word, math.hypot(*inside)
