"""The guided order: candidates in the order in which they should flip the label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from robustfim.candidate import Candidate
from robustfim.roles import Context

__all__ = ["Guided"]


class Guided:
    """Candidates by their first-order effect on the margin, as in HotFlip (Ebrahimi et al. 2018).

    With g the gradient of the margin (top logit minus runner-up) of the source, one row a token, and e, e′
    the embeddings of source and candidate, the effect is −Σ_t g_t · (e′_t − e_t): how far the margin should
    fall. It costs no pass through the model, only the lookup of the candidates' embeddings. How tokens of
    source and candidate are paired where their numbers differ: :mod:`robustfim_fisher.effects`.

    Args:
        tokens: ``text`` leaves special tokens such as [CLS] out of the sum, ``all`` takes them in.
    """

    def __init__(self, tokens: Literal["text", "all"] = "text") -> None:
        self.tokens: Literal["text", "all"] = tokens

    def effects(self, candidates: Sequence[Candidate], context: Context) -> Sequence[float]:
        """Estimate how far each candidate lowers the margin of its source.

        Args:
            candidates: Candidates of one or of several sources.
            context: The run, for its model and geometry.

        Returns:
            One number a candidate, in logits, larger for those to try first. 0 for a step in embedding
            space, for an unchanged text, and where the source's gradient is not finite.

        Raises:
            ModelError: The model has no gradients.
        """
        rows = [row for row, candidate in enumerate(candidates) if candidate.step is None and not candidate.unchanged]
        found = [0.0] * len(candidates)
        if rows:
            geometry = context.geometry
            from robustfim_fisher.effects import first_order_effects

            effects = first_order_effects(
                context.model, geometry, [candidates[row] for row in rows], tokens=self.tokens
            )
            for row, effect in zip(rows, effects, strict=True):
                found[row] = effect
        return found
