"""Integrated Gradients over the input embeddings of a differentiable model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal, cast

from pydantic import Field

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.importance import Importance
from robustfim.parts import ModelPart
from robustfim.roles import DifferentiableModel, Model

__all__ = ["BATCH", "STEPS", "IntegratedGradients"]

STEPS = 32
"""Points on the path, where the suite names no number."""

BATCH = 32
"""Examples differentiated at once, where neither the suite nor the model has a number."""


class IntegratedGradients:
    """Computes how much each word adds to the predicted label's margin, by integrated gradients (captum).

    The method is that of Sundararajan et al. (2017). Let x be the embeddings of an example's text, x′ the embeddings of
    the baseline, and f the logit of the predicted label minus the second largest logit, both labels chosen at x. Token
    i has the importance (x_i − x′_i) · ∫₀¹ ∂f/∂x_i (x′ + α(x − x′)) dα. The integral is approximated by a
    Gauss-Legendre sum over ``steps`` points. All importances sum to f(x) − f(x′), up to an error called convergence
    delta. Special tokens such as [CLS] stay unchanged on the path and have no importance. Needs ``pip install
    'robustfim[attribution]'``.

    Args:
        steps: The number of points on the path from the baseline to the text; with more points the delta is smaller.
        baseline: The embedding that replaces each token in the baseline: ``zero``, the model's ``padding``, or that of
            a token, ``{token: "[MASK]"}``.
        batch_size: The number of examples differentiated at once; by default the model's batch size.
    """

    libraries: ClassVar = {"torch": "robustfim[torch]", "captum": "robustfim[attribution]"}
    gradients: ClassVar = True

    def __init__(
        self,
        steps: Annotated[int, Field(ge=1, le=10_000)] = STEPS,
        baseline: Literal["zero", "padding"] | dict[Literal["token"], str] = "zero",
        batch_size: Annotated[int, Field(ge=1)] | None = None,
    ) -> None:
        if isinstance(baseline, dict) and not baseline.get("token", "").strip():
            raise ValueError('baseline: name the token, as in {token: "[MASK]"}')
        self.steps, self.baseline, self.batch_size = steps, baseline, batch_size
        self._calls = 0

    @property
    def calls(self) -> int:
        """The number of gradients computed so far: examples × steps."""
        return self._calls

    def explain(self, examples: Sequence[Example], model: Model) -> Sequence[Importance]:
        """Return the importance of the words of each example. A batch that does not fit into memory is halved.

        Returns:
            One importance for each example. If an example's logits are not finite, the importance has no words, and its
            numbers are NaN.
        """
        if not ModelPart(model).differentiable:
            raise ModelError(
                f"{type(model).__name__} has no gradients: the importance of words needs embed() and logits(). Let "
                "any word change instead: 'words: 0.1'."
            )
        try:
            from robustfim_attribution.path import explain_batch
        except ModuleNotFoundError as error:
            library = (error.name or "").partition(".")[0]
            if library in ("captum", "torch"):
                raise ModelError(
                    f"the importance of words needs {library}: pip install 'robustfim[attribution]'. "
                    "Without it, let any word change: 'words: 0.1'."
                ) from error
            raise
        waiting, found = list(examples), []
        size = self.batch_size or ModelPart(model).contract.batch_size or BATCH
        while waiting:
            batch = waiting[:size]
            try:
                found += explain_batch(
                    cast(DifferentiableModel, model), batch, steps=self.steps, baseline=self.baseline, rows=size
                )
            except (MemoryError, RuntimeError) as error:
                if not _is_out_of_memory(error):
                    raise
                if len(batch) == 1 and size == 1:
                    raise ModelError(
                        f"one example of {len(batch[0].text)} characters does not fit into memory: {error}"
                    ) from error
                size = size // 2
                continue
            self._calls += self.steps * len(batch)
            del waiting[:size]
        return found


def _is_out_of_memory(error: Exception) -> bool:
    said = str(error).lower()
    return isinstance(error, MemoryError) or "out of memory" in said or "can't allocate memory" in said
