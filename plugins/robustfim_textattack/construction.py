"""Construction: a component of TextAttack from a suite's options, once everything that it reads is here."""

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
    """Make TextAttack's object.

    Args:
        name: TextAttack's name of the component.
        component: The component.
        options: The suite's options.
        given: The first arguments, which come from robustfim; with them the object is an attack that a recipe builds.

    Raises:
        UsageError: TextAttack is not installed.
        SkipCheck: Something that the component reads is missing; the message has the command that fetches it.
    """
    textattack()
    require(f"textattack/{name}", component.resources(options))
    values = component.values(options)
    arguments = {key: str(value) if isinstance(value, Path) else value for key, value in values.items()}
    cls = class_of(name)
    with offline():
        return (cls.build if given else cls)(*given, **component.given, **arguments)


class Constructed:
    """A part that is made of one component of TextAttack.

    Args:
        options: TextAttack's options.

    Raises:
        SkipCheck: Something that it reads is missing (in ``prepare``).
        UsageError: TextAttack is not installed (in ``prepare``).
    """

    name: ClassVar[str]
    component: ClassVar[Component]

    def __init__(self, **options: Any) -> None:
        self._options = options
        self._made: Any = None

    def resources(self) -> dict[str, str]:
        """Name TextAttack's version."""
        return {"textattack": importlib.metadata.version("textattack")}

    def prepare(self, context: Context) -> None:
        """Make TextAttack's object."""
        self._made = construct(self.name, self.component, self._options)
