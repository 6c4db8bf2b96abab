"""Steps along the top eigenvector of the Fisher information: a perturbation in embedding space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite, nan
from random import Random
from typing import Any, ClassVar, Literal

from robustfim.candidate import Candidate, Step
from robustfim.errors import DataError, PluginError, UsageError
from robustfim.example import Example
from robustfim.parts import GeometryPart
from robustfim.roles import Context

__all__ = ["Eigenvector", "Steps"]


class Steps:
    """Base class of perturbations that move a text's embedding by a step; predicts the labels after the steps."""

    name: ClassVar[str]
    direction: Literal["eigenvector", "boundary normal", "random"] = "eigenvector"
    tokens: Literal["text", "all"]
    _context: Context | None = None

    def prepare(self, context: Context) -> None:
        """Store the run, whose model and geometry are used later."""
        self._context = context

    def predict(self, candidates: Sequence[Candidate]) -> Any:
        """Return the class probabilities of candidates, each a text whose embedding is moved by a step.

        Returns:
            Probabilities, a float64 array ``[candidates, classes]``. If λmax is 0, no direction is defined and the row
            has the probabilities of the source. NaN if a logit or a gradient is not finite.
        """
        context = self._ready()
        for candidate in candidates:
            if candidate.step is None or candidate.step.direction != self.direction:
                raise PluginError(f"the perturbation {self.name!r} was asked to predict the step {candidate.step}")
        from robustfim_fisher.steps import predict_steps

        geometry = GeometryPart(context.geometry).apart
        geometry.at([candidate.source for candidate in candidates], tokens=self.tokens)
        return predict_steps(context.model, geometry, candidates, self.tokens)

    def _ready(self) -> Context:
        """The run; a model without gradients is refused before PyTorch is imported."""
        if self._context is None:
            raise PluginError(f"the perturbation {self.name!r} was used before prepare(context)")
        _ = self._context.geometry
        return self._context


class Eigenvector(Steps):
    """Steps along ± the top eigenvector of the Fisher information, after Datta et al. (2020).

    The text stays. Its embedding x becomes x ± norm · e, where e is the unit vector along which the output distribution
    changes fastest. The sign ``+`` is the direction in which the predicted label loses probability, to first order.

    Norms are Euclidean lengths in embedding space, over all tokens of the example together. Compare them with the score
    ``boundary``, or set ``relative``.

    Args:
        norms: Lengths of the steps, each > 0; or the name of a column of the data with the signed length of one step
            for each example, such as ``eigenvector_step`` of ``robustfim export --steps``.
        signs: ``+`` towards the boundary, ``-`` away from it, or ``both``.
        tokens: ``text`` leaves special tokens such as [CLS] where they are, ``all`` moves them too.
        direction: ``eigenvector``, or ``random`` for a random direction of the same tokens, one for each example, as a
            baseline.
        relative: Whether norms are multiples of the mean Euclidean norm of the example's token embeddings. Reported
            steps are always in units of the embedding.

    Raises:
        UsageError: A norm is not a positive number, or there is none.
    """

    name = "eigenvector"

    def __init__(
        self,
        norms: Sequence[float] | str = (0.25, 0.5, 1.0),
        signs: Literal["both", "+", "-"] = "both",
        tokens: Literal["text", "all"] = "text",
        relative: bool = False,
        direction: Literal["eigenvector", "random"] = "eigenvector",
    ) -> None:
        self.direction = direction
        self.column = norms if isinstance(norms, str) else None
        norms = [] if isinstance(norms, str) else norms
        wrong = [norm for norm in norms if not (isfinite(norm) and norm > 0)]
        if wrong:
            raise UsageError(f"norms: {wrong[0]} is not a positive number; the direction is chosen by 'signs'")
        if not norms and self.column is None:
            raise UsageError("norms: the list is empty; give lengths of steps, such as [0.25, 0.5, 1.0]")
        self.norms = tuple(sorted(set(norms)))
        self.signs = signs
        self.tokens = tokens
        self.relative = relative

    def propose(self, example: Example, random: Random) -> Iterable[Candidate]:
        """Yield the example's steps, the shortest first; of equal length, the step towards the boundary first.

        No gradient is computed here. ``predict`` differentiates a whole batch, and a repeated run finds its predictions
        in the store.
        """
        unit = self._unit(example) if self.relative else 1.0
        if self.column is not None:
            norm = self._own(example)
            if norm:
                yield Candidate(example, step=Step(self.direction, norm * unit))
            return
        factors = {"both": (1, -1), "+": (1,), "-": (-1,)}[self.signs]
        for norm in self.norms:
            for factor in factors:
                yield Candidate(example, step=Step(self.direction, factor * norm * unit))

    def _own(self, example: Example) -> float:
        """Return the signed length that the example's row says; 0 where it says none."""
        told = example.meta.get(str(self.column))
        try:
            norm = float(told or 0.0)
        except (TypeError, ValueError):
            norm = nan
        if not isfinite(norm):
            raise DataError(f"norms: {told!r} in the column {self.column!r} is not the length of a step")
        return norm

    def _unit(self, example: Example) -> float:
        """Return the length of the example's mean token, in the embedding's own units."""
        context = self._ready()
        from robustfim_fisher.steps import mean_token_norm

        return mean_token_norm(context.model, example, self.tokens)
