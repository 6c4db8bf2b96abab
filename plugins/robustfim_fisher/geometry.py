"""The geometry: computes the gradients of a run once and keeps them."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import isnan
from typing import Any, Literal, TypeAlias

from robustfim.candidate import Candidate
from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.parts import ModelPart
from robustfim.roles import DifferentiableModel, Model, Shift
from robustfim_fisher.batches import DEFAULT_SIZE, in_batches
from robustfim_fisher.point import FisherPoint, Vectors

__all__ = ["EXACT_CLASSES", "NEAREST", "FisherGeometry"]

EXACT_CLASSES = 64
"""The largest number of classes with an exact λmax. For more classes, Lanczos iterations are used."""

NEAREST = 10
"""The number of runners-up whose boundaries are computed if there are more classes than ``EXACT_CLASSES``, as in
DeepFool."""

Tokens: TypeAlias = Literal["text", "all"]
Key: TypeAlias = tuple[Tokens, tuple[tuple[str, str], ...]]


class FisherGeometry:
    """Computes λmax of the Fisher information, its eigenvector, and the margin with its gradient, at any example.

    It implements :class:`robustfim.roles.Geometry`. Numbers and vectors are kept in memory up to a bound. The least
    recently used are dropped, and computed again if they are needed.

    Up to ``EXACT_CLASSES`` classes, λmax and the distance are exact. With more, λmax and its eigenvector come from
    Lanczos iterations, one example at a time, and each point has the residual of the iterations. The distance is then
    computed to the boundaries of the ``NEAREST`` classes with the next largest logits only.

    Args:
        model: A differentiable model: it has ``embed`` and ``logits``.
        keep_bytes: Bound on the memory of vectors, in bytes.
        keep_points: The number of examples whose numbers are kept, besides the latest request.
        counts_for: Another geometry, whose ``calls`` also count the calls of this geometry.

    Raises:
        ModelError: The model has no gradients.
    """

    def __init__(
        self,
        model: Model,
        *,
        keep_bytes: int = 128 * 2**20,
        keep_points: int = 16_384,
        counts_for: FisherGeometry | None = None,
    ) -> None:
        if not ModelPart(model).differentiable:
            raise ModelError(
                f"{type(model).__name__} has no gradients: it lacks embed() and logits(). The scores 'margin' "
                "and 'entropy' (and 'flips', by queries alone), and the order 'random' need none."
            )
        self._model: Any = model
        self._keep_bytes, self._keep_points = keep_bytes, keep_points
        self._points: OrderedDict[Key, FisherPoint] = OrderedDict()
        self._residuals = array("d")
        self._undefined = 0
        self._batches: OrderedDict[_Batch, None] = OrderedDict()
        self._kept: dict[Key, tuple[_Batch, int]] = {}
        self._bytes = 0
        self._calls = 0
        self._counts_for = counts_for

    @property
    def model(self) -> DifferentiableModel:
        """Return the model, with its ``embed`` and ``logits``."""
        model: DifferentiableModel = self._model
        return model

    @property
    def calls(self) -> int:
        """Return the number of examples whose gradients this object has computed.

        Gradients computed again after they were dropped from memory do not count.
        """
        return self._calls

    @property
    def residuals(self) -> list[float]:
        """Return the residual of each λmax that was computed by iterations."""
        return self._residuals.tolist()

    @property
    def undefined(self) -> int:
        """Return the number of examples with NaN results, because a logit or a gradient was not finite."""
        return self._undefined

    def at(self, examples: Sequence[Example], *, tokens: Tokens = "text") -> Sequence[FisherPoint]:
        """Return λmax, its eigenvector and the margin at each example; results in memory are not computed again.

        Returns:
            One point for each example; all its numbers are NaN if the model's logits are not finite.

        Raises:
            ModelError: The model's logits have a wrong shape or do not depend on its embeddings, or a single
                example does not fit into memory.
        """
        keys = [_key(example, tokens) for example in examples]
        missing = {key: example for key, example in zip(keys, examples, strict=True) if key not in self._points}
        if missing:
            self._compute(list(missing.values()), tokens)
            self._count(len(missing))
        found = []
        for key in keys:
            self._points.move_to_end(key)
            found.append(self._points[key])
        while len(self._points) > max(self._keep_points, len(missing)):
            self._points.popitem(last=False)
        return found

    def apart(self) -> FisherGeometry:
        """Return a new geometry of the same model, without results in memory, for reproducible numbers.

        The last digits of a gradient depend on the other examples in its batch, and a run's batches depend on its
        store. So numbers that go into a record are computed in an empty geometry.
        """
        return FisherGeometry(self._model, keep_bytes=self._keep_bytes, counts_for=self)

    def shifts(self, candidates: Sequence[Candidate], *, tokens: Tokens = "text") -> list[Shift]:
        """Measure how each perturbed text moves the embedding of its source, and λmax of both.

        Args:
            candidates: Perturbed texts (candidates); their source texts may differ.
            tokens: ``"text"`` for the eigenvector with respect to the text only, ``"all"`` to include special tokens.

        Returns:
            One shift for each candidate; see :func:`robustfim_fisher.shifts.embedding_shifts`.
        """
        from robustfim_fisher.shifts import embedding_shifts

        geometry = self.apart()
        shifts = embedding_shifts(self.model, geometry, candidates, tokens=tokens)
        before, after = (
            [point.lambda_max for point in geometry.at(texts, tokens=tokens)]
            for texts in (
                [candidate.source for candidate in candidates],
                [candidate.example for candidate in candidates],
            )
        )
        pairs = zip(before, after, strict=True)
        return [replace(shift, lambda_max=pair) for shift, pair in zip(shifts, pairs, strict=True)]

    def _compute(self, examples: list[Example], tokens: Tokens) -> list[tuple[_Batch, int]]:
        """Differentiate examples and keep their points; tell of each the batch and the row that hold its vectors."""
        return in_batches(
            examples,
            partial(self._batch, tokens),
            size=ModelPart(self._model).contract.batch_size or DEFAULT_SIZE,
            length=lambda example: len(example.text),
        )

    def _batch(self, tokens: Tokens, examples: list[Example]) -> list[tuple[_Batch, int]]:
        """Differentiate one batch."""
        from array_api_compat import is_torch_array

        from robustfim_fisher.differences import differentiate
        from robustfim_fisher.information import boundary_distance, lambda_max, margin, top_eigenpair

        embedded = self.model.embed(examples)
        # What has its derivatives in closed form has those of all classes at once.
        many = len(self.model.labels) > EXACT_CLASSES and is_torch_array(embedded.embeddings)
        differences = differentiate(self.model, embedded, tokens=tokens, nearest=NEAREST if many else None)
        distances, margins = boundary_distance(differences).tolist(), margin(differences).tolist()
        gradients = _Rows(differences.gradients[:, 0], embedded.mask)
        across: _Rows | list[Any] | None = None
        residuals = [0.0] * len(examples)
        if many:
            pairs = [self._iterated(example, gradients[row], tokens) for row, example in enumerate(examples)]
            values, across, residuals = (list(column) for column in zip(*pairs, strict=True))
        elif differences.gaps.shape[1] == 1:
            values = lambda_max(differences).tolist()
        else:
            found, vectors = top_eigenpair(differences)
            values, across = found.tolist(), _Rows(vectors, embedded.mask)
        batch = _Batch([_key(example, tokens) for example in examples], values, gradients, across)
        for key, example, value, distance, gap, residual in zip(
            batch.keys, examples, values, distances, margins, residuals, strict=True
        ):
            if key not in self._points:  # computed again are vectors alone
                self._undefined += isnan(value)
                if many and not isnan(residual):
                    self._residuals.append(residual)
            if isnan(value):  # One number that is not finite leaves none to be trusted.
                distance = gap = value
            self._points[key] = FisherPoint(value, distance, gap, partial(self._recall, key, example), residual)
        self._keep(batch)
        return [(batch, row) for row in range(len(examples))]

    def _count(self, number: int) -> None:
        self._calls += number
        if self._counts_for is not None:
            self._counts_for._count(number)

    def _iterated(self, example: Example, gradient: Any, tokens: Tokens) -> tuple[float, Any, float]:
        """Return λmax, its eigenvector ``[tokens, dims]`` and the residual, by Lanczos iterations."""
        from robustfim_fisher.information import orient
        from robustfim_fisher.lanczos import lanczos_eigenpair

        embedded = self.model.embed([example])
        pair = lanczos_eigenpair(self.model, embedded, tokens=tokens)
        vector = pair.vector.cpu()[embedded.mask[0].cpu()]
        return pair.value, orient(vector[None], gradient[None])[0], pair.residual

    def _recall(self, key: Key, example: Example) -> Vectors:
        """Return kept vectors, or compute them again."""
        batch, row = self._kept.get(key) or self._compute([example], key[0])[0]
        if batch in self._batches:
            self._batches.move_to_end(batch)
        return batch.vectors(row)

    def _keep(self, batch: _Batch) -> None:
        """Keep a batch's vectors as the most recently used, and drop the oldest beyond the bound."""
        self._batches[batch] = None
        self._kept.update((key, (batch, row)) for row, key in enumerate(batch.keys))
        self._bytes += batch.nbytes
        while self._bytes > self._keep_bytes:
            dropped, _ = self._batches.popitem(last=False)
            self._bytes -= dropped.nbytes
            for key in dropped.keys:
                if key in self._kept and self._kept[key][0] is dropped:
                    del self._kept[key]


class _Rows:
    """Vectors ``[batch, tokens, dims]`` on the CPU without their padding, cut when they are asked for."""

    def __init__(self, vectors: Any, mask: Any) -> None:
        from array_api_compat import to_device

        # The mask takes part where the vectors are, so that padding does not travel.
        self._together = to_device(vectors[mask], "cpu")
        self._ends = [0, *to_device(mask, "cpu").sum(1).cumsum(0).tolist()]

    def __getitem__(self, row: int) -> Any:
        return self._together[self._ends[row] : self._ends[row + 1]]

    @property
    def nbytes(self) -> int:
        """Return the memory of the rows, in bytes."""
        return int(self._together.nbytes)


@dataclass(frozen=True, eq=False)
class _Batch:
    """The vectors of a batch, which are kept and dropped together.

    Attributes:
        keys: Of its examples, ``[batch]``.
        values: λmax, likewise.
        gradients: Those of the margin, likewise, each ``[tokens, dims]``.
        across: The eigenvectors, likewise; None where they are opposite to the gradients.
    """

    keys: Sequence[Key]
    values: Sequence[float]
    gradients: _Rows
    across: _Rows | list[Any] | None

    def vectors(self, row: int) -> Vectors:
        value, gradient = self.values[row], self.gradients[row]
        if isnan(value):  # One number that is not finite leaves none to be trusted.
            return Vectors(gradient * value, gradient * value)
        if value == 0:
            return Vectors(gradient, gradient * 0)
        return Vectors(gradient, None if self.across is None else self.across[row])

    @cached_property
    def nbytes(self) -> int:
        """Return the memory of the batch's vectors, in bytes."""
        across = self.across
        if isinstance(across, _Rows):
            return self.gradients.nbytes + across.nbytes
        return self.gradients.nbytes + sum(int(vector.nbytes) for vector in across or ())


def _key(example: Example, tokens: Tokens) -> Key:
    return tokens, tuple(example.fields.items())
