"""A count of the TextAttack components whose resources are on this machine."""

from __future__ import annotations

import importlib.util

from robustfim_textattack.table import CONSTRAINTS, RECIPES, TRANSFORMATIONS

__all__ = ["resources"]


def resources() -> dict[str, tuple[str, str]]:
    """Look for TextAttack and the resources of its components. Nothing is imported or fetched.

    Returns:
        A mapping from ``textattack`` to a state and a sentence that explains the state.
    """
    if importlib.util.find_spec("textattack") is None:
        return {"textattack": ("note", "not installed: pip install 'robustfim[textattack]'")}
    every = [*TRANSFORMATIONS.values(), *CONSTRAINTS.values(), *RECIPES.values()]
    usable = sum(all(need.present for need in component.resources({})) for component in every)
    sentence = f"{usable} of its {len(every)} components have what they need; a check with another is skipped."
    return {"textattack": ("ok" if usable == len(every) else "note", sentence)}
