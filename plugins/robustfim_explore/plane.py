"""The plane: the run's examples by two principal components of their embeddings, and which of them are near a text."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from robustfim.errors import ModelError, RobustfimError
from robustfim.example import Example
from robustfim.record import ExampleRecord, Record
from robustfim.words import word_spans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from robustfim_explore.live import LiveModel

__all__ = ["MOST", "Plane", "principal_plane"]

MOST = 5000
"""Examples that are laid out, at most: the tested ones first."""

_TOGETHER = 32
"""Examples that are embedded at once."""

_NEAREST = 8


class Plane:
    """Lays out the examples of a run.

    An example's embedding is the mean of the input embeddings of its tokens, without special tokens.
    """

    def __init__(self, record: Record, ask: Callable[..., Awaitable[Any]]) -> None:
        self._record, self._ask = record, ask
        usable = sorted(record.examples, key=lambda each: each.arm is None)
        self.examples: list[ExampleRecord] = usable[:MOST]
        self._rows: NDArray[np.float64] | None = None
        self._axes: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None  # mean, axes
        self._lambdas: list[float | None] | None = None

    async def told(self, model: LiveModel | None) -> dict[str, Any]:
        """Tell where each example lies.

        Args:
            model: Whose embeddings; None where there is none.

        Returns:
            Columns, an entry an example; ``components`` is None where there are no embeddings, and ``why`` says so.
        """
        failing, scores = {each.example for each in self._record.failures}, self._record.scores
        columns: dict[str, Any] = {
            "ids": [each.id for each in self.examples],
            "texts": ["\n".join(each.fields.values())[:240] for each in self.examples],
            "failing": [each.id in failing for each in self.examples],
            "right": [each.correct for each in self.examples],
            "scores": {score.name: [each.scores.get(score.name) for each in self.examples] for score in scores},
            "left_out": len(self._record.examples) - len(self.examples),
            "components": None,
            "lambda": next((each.name for each in scores if each.symbol == "λmax" and not each.message), None),
            "why": "",
        }
        try:
            if model is None:
                raise ModelError("embeddings need the live model.")
            points, shares = await self._components(model)
            columns |= {"components": points, "shares": shares}
            if columns["lambda"] is None:
                columns["scores"]["λmax"], columns["lambda"] = await self._computed(model), "λmax"
        except RobustfimError as error:
            columns["why"] = str(error)
        return columns

    def place(self, model: LiveModel, example: Example) -> list[float] | None:
        """Tell where a text lies; None where the examples were not laid out. For the models' thread."""
        if self._axes is None:
            return None
        mean, axes = self._axes
        found = (np.asarray(model.places([example])[0]) - mean) @ axes.T
        return [float(each) for each in found] if np.isfinite(found).all() else None

    async def nearest(self, model: LiveModel | None, example: Example) -> dict[str, Any]:
        """Find the examples that are nearest to a text.

        Args:
            model: Whose embeddings; without embeddings, examples are near that share words.
            example: The text.
        """
        by, likeness = "shared words", None
        if model is not None and not await self._ask(lambda: model.no_gradients):
            rows = await self._embedded(model)
            own = np.asarray((await self._ask(model.places, [example]))[0])
            likeness = _cosines(rows, own)
            by = "cosine of the mean input embeddings"
        if likeness is None:
            likeness = _shared(example, self.examples)
        order = [place for place in np.argsort(-likeness, kind="stable") if self.examples[place].id != example.id]
        failing = {each.example for each in self._record.failures}
        return {
            "by": by,
            "near": [
                {
                    "id": each.id, "fields": dict(each.fields), "label": each.label, "prediction": each.prediction,
                    "likeness": float(likeness[place]), "fails": each.id in failing,
                }
                for place in order[:_NEAREST]
                if math.isfinite(likeness[place])
                for each in (self.examples[place],)
            ],
        }  # fmt: skip

    async def _embedded(self, model: LiveModel) -> NDArray[np.float64]:
        if self._rows is None:
            rows: list[list[float]] = []
            for start in range(0, len(self.examples), _TOGETHER):
                part = [Example(each.fields) for each in self.examples[start : start + _TOGETHER]]
                rows += await self._ask(model.places, part)
            self._rows = np.asarray(rows)
        return self._rows

    async def _components(self, model: LiveModel) -> tuple[list[list[float]], list[float]]:
        rows = await self._embedded(model)
        points, shares, self._axes = principal_plane(rows)
        return [[float(x), float(y)] for x, y in points], shares

    async def _computed(self, model: LiveModel) -> list[float | None]:
        """λmax of each example, where the run did not measure it."""
        if self._lambdas is None:
            found: list[float | None] = []
            for start in range(0, len(self.examples), _TOGETHER):
                part = [Example(each.fields) for each in self.examples[start : start + _TOGETHER]]
                points = await self._ask(model.context.geometry.at, part)
                found += [each.lambda_max if math.isfinite(each.lambda_max) else None for each in points]
            self._lambdas = found
        return self._lambdas


def principal_plane(
    rows: NDArray[np.float64],
) -> tuple[NDArray[np.float64], list[float], tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Project rows on their first two principal components.

    Args:
        rows: ``[examples, dims]``.

    Returns:
        The points ``[examples, 2]``; the share of the variance that each axis holds; and the mean ``[dims]`` with the
        axes ``[2, dims]``, each pointing to where its largest entry is positive.
    """
    kept = rows[np.isfinite(rows).all(1)]
    mean = kept.mean(0) if len(kept) else np.zeros(rows.shape[1])
    _, lengths, axes = np.linalg.svd(kept - mean, full_matrices=False)
    found = np.zeros((2, rows.shape[1]))
    found[: min(2, len(axes))] = axes[:2]
    found *= np.where(found[np.arange(2), np.abs(found).argmax(1)] < 0, -1, 1)[:, None]
    total = float((lengths**2).sum()) or 1.0
    shares = [float(each**2) / total for each in lengths[:2]]
    return np.nan_to_num((rows - mean) @ found.T), shares, (mean, found)


def _cosines(rows: NDArray[np.float64], own: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(own)
    found = np.full(len(rows), -np.inf)
    np.divide(rows @ own, lengths, out=found, where=lengths > 0)
    return found


def _shared(example: Example, others: list[ExampleRecord]) -> NDArray[np.float64]:
    """Jaccard's share of common words."""
    own = _words("\n".join(example.fields.values()))
    sets = [_words("\n".join(each.fields.values())) for each in others]
    return np.asarray([len(own & each) / max(1, len(own | each)) for each in sets])


def _words(text: str) -> set[str]:
    return {text[start:end].casefold() for start, end in word_spans(text)}
