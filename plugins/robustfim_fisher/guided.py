"""The guided order: candidates most likely to change the label come first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from pydantic import PositiveInt

from robustfim.candidate import Candidate
from robustfim.errors import UsageError
from robustfim.parts import ModelPart
from robustfim.roles import Context, Model

if TYPE_CHECKING:
    from robustfim_fisher.surrogate import Surrogate

__all__ = ["Guided"]


class Guided:
    """Orders candidates by their first-order effect on the margin, as in HotFlip (Ebrahimi et al. 2018).

    Let g be the gradient of the source's margin (top logit minus runner-up), with one row for each token, and let e and
    e′ be the embeddings of source and candidate. The effect is −Σ_t g_t · (e′_t − e_t), the predicted fall of the
    margin. A candidate costs no pass through the model, only a lookup of embeddings. :mod:`robustfim_fisher.moves`
    defines how tokens are paired if source and candidate have different numbers of tokens.

    Args:
        tokens: ``text`` leaves special tokens such as [CLS] out of the sum, ``all`` takes them in.
        gradients: The number of gradients for each source; by default the number in the model's contract, else 1. With
            1, g is the gradient at the source, which the scores have already computed. With more, g is a mean of
            gradients along the path on which all candidates together move the source
            (:mod:`robustfim_fisher.trapezoid`). The order then reflects interactions of words. Each further gradient
            costs a forward and a backward pass for each example.
        surrogate: Another model with the same labels, for a model without gradients. The surrogate's gradients are
            used, without any call of the model. If the two disagree about a text, the sign of the surrogate's gradient
            is reversed.

    Raises:
        UsageError: The surrogate has no gradients.
    """

    def __init__(
        self,
        tokens: Literal["text", "all"] = "text",
        gradients: PositiveInt | None = None,
        surrogate: Model | None = None,
    ) -> None:
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
        """Identify the weights of the surrogate, which decide the order beside the options."""
        return {} if self._given is None else {"surrogate": str(self._given.fingerprint)}

    def effects(self, candidates: Sequence[Candidate], context: Context) -> Sequence[float]:
        """Estimate how far each perturbed text lowers its source's margin (top logit minus runner-up).

        Returns:
            One number for each candidate, in logits; candidates with large numbers are tried first. 0 for a step in
            embedding space, for an unchanged text, and if the source's gradient is not finite.
        """
        rows = [row for row, candidate in enumerate(candidates) if candidate.step is None and not candidate.unchanged]
        found = [0.0] * len(candidates)
        if rows:
            texts = [candidates[row] for row in rows]
            surrogate = self._surrogate
            if surrogate is None:
                effects = self._of(texts, context)
            else:
                signs = surrogate.signs([text.source for text in texts], context)
                effects = [
                    effect * signs.get(text.source.id, 0.0)
                    for text, effect in zip(texts, self._of(texts, surrogate), strict=True)
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
