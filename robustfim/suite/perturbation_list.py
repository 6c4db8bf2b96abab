"""Several perturbations in a suite: a list of names stands for one perturbation that combines them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from robustfim.errors import shown

__all__ = ["composed"]


def composed(value: Any, shared: Collection[str]) -> Any:
    """Convert a list of perturbations ``[a, b]``, also under ``use``, to ``{use: composed, of: [a, b]}``.

    Args:
        value: The value of ``perturb`` in a suite.
        shared: The keys that every perturbation takes.

    Returns:
        The mapping; a value that names one perturbation is unchanged.

    Raises:
        ValueError: A key that belongs to a single perturbation is given with a list, or the other way round.
    """
    if isinstance(value, list):
        value = {"use": value}
    if not isinstance(value, dict) or not isinstance(value.get("use"), list):
        return value
    if own := [name for name in value if name not in shared]:
        raise ValueError(
            f"{shown(own[0])} is an option of one perturbation of the list: write the option beside that "
            f"perturbation, {{use: NAME, {own[0]}: …}}"
        )
    keys = [name for each in value["use"] if isinstance(each, dict) for name in each if name in shared]
    if inner := [name for name in keys if name != "use"]:
        raise ValueError(
            f"{inner[0]!r} holds for all perturbations of the list: write the key beside the list, {{use: "
            f"[NAME, NAME], {inner[0]}: …}}"
        )
    return {**value, "use": "composed", "of": value["use"]}
