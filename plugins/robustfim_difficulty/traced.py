"""Traces the modules of a network while it computes logits, by torch's hooks."""

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
    """Record every module called inside the block, in the order in which the calls end."""
    from torch.nn.modules.module import register_module_forward_hook

    calls: list[Call] = []
    handle = register_module_forward_hook(lambda module, inputs, output: calls.append((module, inputs, output)))
    try:
        yield calls
    finally:
        handle.remove()


def differentiable(context: Context, score: str) -> DifferentiableModel:
    """Return the run's model.

    Raises:
        ModelError: The model gives no embeddings.
    """
    model = context.model
    if not isinstance(model, DifferentiableModel):
        raise ModelError(f"{score} needs a model with embeddings; {type(model).__name__} gives predictions only.")
    return model


def require_modules(calls: Sequence[Call], score: str) -> None:
    """Refuse a model that computes without torch's modules.

    Raises:
        ModelError: No module was called.
    """
    if not calls:
        raise ModelError(f"{score} looks into torch modules, and the model called none.")
