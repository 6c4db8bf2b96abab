"""TextAttack both ways: its transformations, constraints and recipes in a suite, and robustfim's parts in its attacks.

This is the plugin's face, which imports nothing heavy: TextAttack itself takes seconds and is imported when a check
that needs it is about to run.
"""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_offers", "robustfim_resources"]


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer TextAttack's transformations, recipes and constraints."""
    from robustfim_textattack.table import CONSTRAINTS, RECIPES, TRANSFORMATIONS

    return {
        "perturbations": {
            **{f"textattack/{name}": f"robustfim_textattack.transformation:{name}" for name in TRANSFORMATIONS},
            **{f"textattack/{name}": f"robustfim_textattack.recipe:{name}" for name in RECIPES},
        },
        "constraints": {f"textattack/{name}": f"robustfim_textattack.constraint:{name}" for name in CONSTRAINTS},
    }


@hookimpl
def robustfim_resources() -> dict[str, tuple[str, str]]:
    """Tell whether TextAttack is installed, and which of its downloads are here."""
    from robustfim_textattack.inventory import resources

    return resources()
