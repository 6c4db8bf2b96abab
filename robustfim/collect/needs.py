"""Check whether a score can be computed for a model, before any row is read."""

from __future__ import annotations

from robustfim.errors import ModelError
from robustfim.parts import ModelPart, ScorerPart
from robustfim.plugin.manager import PluginManager
from robustfim.predict.context import NO_GEOMETRY
from robustfim.roles import Model

__all__ = ["unmet_need"]


def unmet_need(scorer: ScorerPart, model: Model, manager: PluginManager) -> str:
    """Return why a difficulty score cannot be computed for a model; empty if no reason is known."""
    if not scorer.contract.gradients:
        return ""
    geometry = manager.shared("geometry")
    if geometry is None:
        return NO_GEOMETRY
    if not ModelPart(model).differentiable:  # the geometry says so itself, and which scores need no gradients
        try:
            geometry(model)
        except ModelError as error:
            return str(error)
    return ""
