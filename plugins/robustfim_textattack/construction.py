"""Construction of TextAttack components from a suite's options, after a check for missing resources."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from robustfim_textattack.component import Component
from robustfim_textattack.library import class_of, offline, textattack
from robustfim_textattack.resources import require

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Constructed", "construct"]


def construct(name: str, component: Component, options: Mapping[str, Any], *given: Any) -> Any:
    """Construct a component of TextAttack.

    Args:
        name: TextAttack's name of the component.
        component: The component.
        options: The suite's options.
        given: The first arguments, set by robustfim. If there are any, the component is a recipe, and the result is the
            attack that it builds.

    Raises:
        UsageError: TextAttack is not installed.
        SkipCheck: A resource of the component is missing. The message has the command that fetches it.
    """
    textattack()
    require(f"textattack/{name}", component.resources(options))
    values = component.values(options)
    arguments = {key: str(value) if isinstance(value, Path) else value for key, value in values.items()}
    cls = class_of(name)
    with offline():
        return (cls.build if given else cls)(*given, **component.given, **arguments)


class Constructed:
    """Base of the plugin's classes that use one component of TextAttack.

    Args:
        options: TextAttack's options.

    Raises:
        SkipCheck: A resource of the component is missing (in ``prepare``).
        UsageError: TextAttack is not installed (in ``prepare``).
    """

    name: ClassVar[str]
    component: ClassVar[Component]

    def __init__(self, **options: Any) -> None:
        self._options = options
        self._made: Any = None

    def resources(self) -> dict[str, str]:
        """Return TextAttack's version, for the record."""
        return {"textattack": importlib.metadata.version("textattack")}

    def prepare(self, context: Context) -> None:
        """Construct TextAttack's object."""
        self._made = construct(self.name, self.component, self._options)
