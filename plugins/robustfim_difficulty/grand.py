"""GraNd: the norm of the gradient that one training step on an example would follow."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import Any, ClassVar

from robustfim.contract import ScoreContract
from robustfim.errors import DataError, did_you_mean
from robustfim.example import Example
from robustfim.parts import ModelPart
from robustfim.roles import Context, DifferentiableModel
from robustfim_difficulty.traced import differentiable, require_modules, traced

__all__ = ["GradientNorm"]


class GradientNorm:
    """GraNd: ‖∇θ ℓ(x, y)‖₂, the norm of the gradient of the cross-entropy in the parameters (Paul et al. 2021).

    The gradient is taken in the parameters after the input embedding, of the model under test. The paper includes the
    embedding, and averages several models early in training. Each example costs a forward and a backward pass, which
    the run counts as a step. The score needs a differentiable model made of torch modules, and gold labels; NaN for an
    example without a gold label.
    """

    libraries: ClassVar = {"torch": "robustfim[torch]"}
    contract = ScoreContract(hardest="highest")

    def score(self, examples: Sequence[Example], context: Context) -> Sequence[float]:
        """Return for each example the norm of the loss's gradient in the model's parameters.

        Returns:
            One norm for each example, in the order of ``examples``; NaN without a gold label.

        Raises:
            DataError: A gold label is not among the model's labels.
            ModelError: The model gives no embeddings, or uses no torch modules.
        """
        model = differentiable(context, "grand")
        labels = ModelPart(model).labels
        labelled = [example for example in examples if example.label is not None]
        for example in labelled:
            if example.label not in labels:
                near = did_you_mean(str(example.label), labels)
                raise DataError(f"the model has no label {example.label!r}, which an example has.{near}")
        context.count_steps(3 * len(labelled))  # a backward pass costs two forward passes
        norms = {}
        parameters: list[Any] = []
        if labelled:
            import torch

            with torch.no_grad(), traced() as calls:
                embedded = model.embed(labelled[:1])
                calls.clear()
                model.logits(embedded.embeddings, embedded)
            require_modules(calls, "grand")
            parameters = list(
                {id(parameter): parameter for call in calls for parameter in call[0].parameters()}.values()
            )
        before = [parameter.requires_grad for parameter in parameters]
        try:
            for parameter in parameters:
                parameter.requires_grad_(True)
            for example in labelled:
                norms[example.id] = _norm(model, example, labels.index(str(example.label)), parameters)
        finally:
            for parameter, wanted in zip(parameters, before, strict=True):
                parameter.requires_grad_(wanted)
        return [norms.get(example.id, nan) for example in examples]


def _norm(model: DifferentiableModel, example: Example, gold: int, parameters: Sequence[Any]) -> float:
    """‖∇θ ℓ‖ of one example; parameters that it does not reach have no part in it."""
    import torch

    with torch.enable_grad():
        embedded = model.embed([example])
        loss = torch.nn.functional.cross_entropy(
            model.logits(embedded.embeddings.detach(), embedded), torch.tensor([gold], device=embedded.mask.device)
        )
        gradients = torch.autograd.grad(loss, list(parameters), allow_unused=True)
    return float(sum(float(gradient.double().square().sum()) for gradient in gradients if gradient is not None) ** 0.5)
