"""An offer: one name that a plugin offers, and the class behind it."""

from __future__ import annotations

import importlib
import inspect
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from robustfim.errors import PluginError

__all__ = ["KINDS", "Offer", "import_class"]

KINDS = {
    "models": "model",
    "data": "data source",
    "scorers": "score",
    "perturbations": "perturbation",
    "constraints": "constraint",
    "orders": "order",
    "expectations": "expectation",
    "checks": "source of checks",
    "reports": "report",
}
"""The offering hooks, without their prefix, and the word for one of what each offers."""


@dataclass(frozen=True)
class Offer:
    """One name a plugin offers.

    Attributes:
        kind: A key of ``KINDS``.
        name: The name suites use.
        owner: The plugin that offers it.
        target: ``"package.module:Class"`` or the class.
    """

    kind: str
    name: str
    owner: str
    target: str | type[Any]

    @cached_property
    def cls(self) -> type[Any]:
        """The class, imported on first use.

        Raises:
            PluginError: It cannot be imported, or is no class.
        """
        return import_class(self.target, self.owner)

    @property
    def summary(self) -> str:
        """The first line of the class's docstring."""
        return (inspect.getdoc(self.cls) or "").partition("\n")[0]


def import_class(target: object, owner: str) -> type[Any]:
    """Import ``"package.module:Class"``; a class stands for itself.

    Args:
        target: The text or the class.
        owner: The plugin that offers it, for the message.

    Returns:
        The class.

    Raises:
        PluginError: It cannot be imported, or is no class.
    """
    found = target
    if isinstance(target, str):
        module_name, _, attribute = target.partition(":")
        try:
            found = getattr(importlib.import_module(module_name), attribute)
        except Exception as error:  # a plugin's body may raise anything on import
            raise PluginError(
                f"plugin {owner!r}: {target!r} cannot be imported: {type(error).__name__}: {error}"
            ) from error
    if not inspect.isclass(found):
        raise PluginError(f"plugin {owner!r}: {target!r} is not a class.")
    return found
