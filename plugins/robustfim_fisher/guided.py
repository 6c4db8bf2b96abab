"""The guided order: candidates in the order in which they should flip the label."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from robustfim.candidate import Candidate
from robustfim.errors import UsageError
from robustfim.parts import ModelPart
from robustfim.roles import Context, Model

if TYPE_CHECKING:
    from robustfim_fisher.surrogate import Surrogate

__all__ = ["Guided"]


class Guided:
    """Candidates by their first-order effect on the margin, as in HotFlip (Ebrahimi et al. 2018).

    With g the gradient of the margin (top logit minus runner-up) of the source, one row a token, and e, e′
    the embeddings of source and candidate, the effect is −Σ_t g_t · (e′_t − e_t): how far the margin should
    fall. No candidate costs a pass through the model, only the lookup of its embeddings. How tokens of
    source and candidate are paired where their numbers differ: :mod:`robustfim_fisher.moves`.

    Args:
        tokens: ``text`` leaves special tokens such as [CLS] out of the sum, ``all`` takes them in.
        gradients: By default as many as the model asks for by its contract, 1 where it says nothing. 1 takes
            g at the source, which the scores have computed already. More take the mean of so many on the way to where
            the source's candidates together push it (:mod:`robustfim_fisher.trapezoid`): each costs a forward and a
            backward pass an example, for an order that allows for words that act on each other.
        surrogate: Another model with the same labels, whose gradients are taken in place of the model's: for a model
            that has none. They cost the model nothing. Where the two disagree about a text, the surrogate's gradient
            is followed the other way.

    Raises:
        UsageError: ``gradients`` is below 1, or the surrogate has none.
    """

    def __init__(
        self, tokens: Literal["text", "all"] = "text", gradients: int | None = None, surrogate: Model | None = None
    ) -> None:
        if gradients is not None and gradients < 1:
            raise UsageError(f"gradients: {gradients} is below 1")
        self.tokens: Literal["text", "all"] = tokens
        self._gradients = gradients
        self._given = surrogate
        if surrogate is not None and not callable(getattr(surrogate, "embed", None)):
            raise UsageError(
                f"surrogate: {type(surrogate).__name__} gives predictions only; a surrogate is a model with gradients, "
                "such as reference/cnn"
            )

    @cached_property
    def _surrogate(self) -> Surrogate | None:
        """The surrogate's gradients, for which PyTorch is imported on first use."""
        if self._given is None:
            return None
        from robustfim_fisher.surrogate import Surrogate

        return Surrogate(self._given)

    def resources(self) -> dict[str, str]:
        """Name what decides its numbers beside its options: the surrogate's weights."""
        return {} if self._given is None else {"surrogate": str(self._given.fingerprint)}

    def effects(self, candidates: Sequence[Candidate], context: Context) -> Sequence[float]:
        """Estimate how far each candidate lowers the margin of its source.

        Returns:
            One number a candidate, in logits, larger for those to try first. 0 for a step in embedding
            space, for an unchanged text, and where the source's gradient is not finite.
        """
        rows = [row for row, candidate in enumerate(candidates) if candidate.step is None and not candidate.unchanged]
        found = [0.0] * len(candidates)
        if rows:
            texts = [candidates[row] for row in rows]
            surrogate = self._surrogate
            if surrogate is None:
                effects = self._of(texts, context)
            else:
                signs = surrogate.signs([each.source for each in texts], context)
                effects = [
                    effect * signs.get(each.source.id, 0.0)
                    for each, effect in zip(texts, self._of(texts, surrogate), strict=True)
                ]
            for row, effect in zip(rows, effects, strict=True):
                found[row] = effect
        return found

    def _of(self, candidates: Sequence[Candidate], context: Context | Surrogate) -> Sequence[float]:
        geometry = context.geometry  # Refuses a model without gradients before PyTorch is imported.
        gradients = self._number(context.model)
        if gradients > 1:
            from robustfim_fisher.trapezoid import trapezoid_effects

            return trapezoid_effects(context, candidates, gradients=gradients, tokens=self.tokens)
        from robustfim_fisher.effects import first_order_effects

        return first_order_effects(context.model, geometry, candidates, tokens=self.tokens)

    def _number(self, model: Any) -> int:
        return int(self._gradients or ModelPart(model).contract.gradients)
