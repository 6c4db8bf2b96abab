"""The description of a TextAttack component: a summary, options and resources."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

from robustfim.contract import ConstraintContract
from robustfim_textattack.resources import Resource

__all__ = ["Component", "offered"]


@dataclass(frozen=True)
class Component:
    """A description of a TextAttack transformation, constraint or recipe that does not import TextAttack.

    Attributes:
        does: A few words on the component's effect; they begin with a capital.
        options: The options with their defaults. A type in place of a default marks a required option.
        needs: The resources that must be on this machine, as ``"kind:name"`` (see
            :class:`robustfim_textattack.resources.Resource`). An option's name in braces is replaced by the option's
            value.
        given: Arguments that robustfim sets.
        per_edit: Whether a constraint judges each changed word separately.
    """

    does: str
    options: Mapping[str, Any] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    per_edit: bool = False

    def resources(self, options: Mapping[str, Any]) -> list[Resource]:
        """Return the models and data that the component needs on this machine.

        Args:
            options: The options in the suite; all other options have their defaults.
        """
        values = self.values(options)
        return [each for need in self.needs if (each := Resource.parse(need.format_map(values)))]

    def values(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options in the suite, completed by the defaults."""
        return {**{name: value for name, value in self.options.items() if not _is_type(value)}, **options}

    def summary(self) -> str:
        """Return one line on the component's effect and on the resources that it needs with its default options."""
        needed = ", ".join(dict.fromkeys(resource.shown for resource in self.resources({})))
        return f"{self.does}. Needs {needed}." if needed else f"{self.does}."

    def parameters(self) -> list[inspect.Parameter]:
        """Return the component's options as keyword-only parameters of a signature."""
        models = {name for name in self.options if any(f"hub:{{{name}}}" == need for need in self.needs)}
        return [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=inspect.Parameter.empty if _is_type(default) else default,
                annotation=(Path | str) if name in models else _annotation(default),
            )
            for name, default in self.options.items()
        ]


def offered(base: type[Any], name: str, component: Component) -> type[Any]:
    """Create the class that the plugin offers for a component, with the component's options in its signature.

    Args:
        base: The base class, whose own keyword arguments are options, too. It reads the component from the class
            attributes ``name`` and ``component``. A constraint's class also says whether the constraint judges each
            edit.
        name: TextAttack's name of the component.
        component: The component.
    """
    types = get_type_hints(base.__init__)
    own = [
        parameter.replace(annotation=types[parameter.name])
        for parameter in inspect.signature(base.__init__).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY
    ]
    parameters = [*own, *component.parameters()]

    def __init__(self: Any, **options: Any) -> None:
        base.__init__(self, **options)

    signed: Callable[..., None] = __init__
    signed.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # what inspect.signature reads first
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD), *parameters]
    )
    signed.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    described = (inspect.getdoc(base) or "").partition("\n")[2]
    body = {"__init__": signed, "__doc__": f"{component.summary()}\n{described}", "__module__": base.__module__}
    contract = {"contract": ConstraintContract(per_edit=True)} if component.per_edit else {}
    return type(name, (base,), {**body, **contract, "name": name, "component": component})


def _is_type(default: Any) -> bool:
    """Whether a type stands where a default would, ``list[str]`` included."""
    return isinstance(default, type) or hasattr(default, "__origin__")


def _annotation(default: Any) -> Any:
    if _is_type(default):
        return default
    return Any if default is None else type(default)
