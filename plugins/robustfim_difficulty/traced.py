"""Record which torch modules a network calls while it computes logits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from robustfim.errors import ModelError
from robustfim.roles import Context, DifferentiableModel

__all__ = ["Call", "differentiable", "require_modules", "traced"]

Call = tuple[Any, tuple[Any, ...], Any]
"""A module, its positional inputs and its output."""


@contextmanager
def traced() -> Iterator[list[Call]]:
    """Record every torch module called inside the ``with`` block, in the order in which the calls end."""
    from torch.nn.modules.module import register_module_forward_hook

    calls: list[Call] = []
    handle = register_module_forward_hook(lambda module, inputs, output: calls.append((module, inputs, output)))
    try:
        yield calls
    finally:
        handle.remove()


def differentiable(context: Context, score: str) -> DifferentiableModel:
    """Return the run's model, which must be differentiable.

    Raises:
        ModelError: The model gives no embeddings.
    """
    model = context.model
    if not isinstance(model, DifferentiableModel):
        raise ModelError(f"{score} needs a model with embeddings; {type(model).__name__} gives predictions only.")
    return model


def require_modules(calls: Sequence[Call], score: str) -> None:
    """Raise an error if a model's recorded calls show that it computes without torch modules.

    Raises:
        ModelError: ``calls`` is empty.
    """
    if not calls:
        raise ModelError(f"{score} needs a model that calls torch modules; this model called no torch module.")
