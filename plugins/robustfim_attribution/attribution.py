"""The attribution: Integrated Gradients over the input embeddings of a differentiable model."""

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
    """How much each word adds to the margin of the predicted label (Sundararajan et al. 2017), by captum.

    With x the embeddings of an example's text, x′ those of the baseline, and f the logit of the predicted label minus
    that of its runner-up, token i has the importance (x_i − x′_i) · ∫₀¹ ∂f/∂x_i (x′ + α(x − x′)) dα. The integral is
    a Gauss-Legendre sum over ``steps`` points, so that all values sum to f(x) − f(x′), but for the convergence delta.
    The predicted label and the runner-up are those at x. Special tokens such as [CLS] stay as they are on the whole
    path and have no importance. Needs ``pip install 'robustfim[attribution]'``.

    Args:
        steps: Points on the path from the baseline to the text; more of them make the delta smaller.
        baseline: What a text without its words is: ``zero`` embeddings, the model's ``padding``, or, as
            ``{token: "[MASK]"}``, the embedding of a token.
        batch_size: Examples differentiated at once; those of the model by default.
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
        """Points at which the model was differentiated so far: examples × steps."""
        return self._calls

    def explain(self, examples: Sequence[Example], model: Model) -> Sequence[Importance]:
        """Explain examples, halving a batch that does not fit into memory.

        Returns:
            One importance an example; one whose logits are not finite has no words, and NaN for its numbers.
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
