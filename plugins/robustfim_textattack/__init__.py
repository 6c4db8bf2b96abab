"""TextAttack's transformations, constraints and recipes in a suite, and robustfim's models in TextAttack's attacks.

This module imports nothing large. TextAttack, which takes seconds to import, is imported right before a check that
needs it.
"""

from __future__ import annotations

from robustfim.hookspecs import Offers, hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> Offers:
    """Offer TextAttack's transformations, recipes and constraints."""
    from robustfim_textattack.table import CONSTRAINTS, RECIPES, TRANSFORMATIONS

    return {
        "perturbations": {
            **{f"textattack/{name}": f"robustfim_textattack.transformation:{name}" for name in TRANSFORMATIONS},
            **{f"textattack/{name}": f"robustfim_textattack.recipe:{name}" for name in RECIPES},
        },
        "constraints": {f"textattack/{name}": f"robustfim_textattack.constraint:{name}" for name in CONSTRAINTS},
    }
