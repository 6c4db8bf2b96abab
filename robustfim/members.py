"""The members of the roles: the attributes that a plugin's object must have, and those that it may have.

Each member, and the default of an optional one, is declared once, by the role's part in :mod:`robustfim.parts`. Every
class that a plugin offers, and every object made of such a class, is checked against these declarations. A misspelled
member is an error, since otherwise it would have no effect.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from robustfim.blame import blame
from robustfim.errors import PluginLoadError, shown
from robustfim.parts import PARTS, Kind, Member, Part

__all__ = ["COMMON", "ROLES", "Role", "Wrapper", "check_members"]

_NEAR = 0.8
"""The ratio of difflib from which on two names count as misspellings of one another."""


@dataclass(frozen=True)
class Role:
    """A role that a plugin's object can play, such as a model, a data source or a perturbation.

    Attributes:
        word: The role's name in messages: ``"data source"``.
        needs: Names of the required attributes and methods. An entry with several names requires one of them.
        members: The meaning of every required or optional attribute and method, by name.
        contract: The class in which an object of this role declares facts about itself (its contract); None without
            one.
    """

    word: str
    needs: tuple[tuple[str, ...], ...]
    members: Mapping[str, Kind] = field(repr=False)
    contract: type[Any] | None = None

    @property
    def optional(self) -> list[str]:
        """Names of the optional members."""
        needed = {name for names in self.needs for name in names}
        return [name for name in self.members if name not in needed]


def _members(part: type[Part]) -> dict[str, Kind]:
    """The members that a part asks for and declares, with their kinds."""
    asked = dict(each.partition(":")[::2] for each in vars(part).get("has", "").split())
    declared = {name: var.kind for name, var in vars(part).items() if isinstance(var, Member)}
    return {**{name: cast(Kind, kind or "method") for name, kind in asked.items()}, **declared}


def _role(part: type[Part]) -> Role:
    agreed = vars(part).get("contract")
    needs = tuple(tuple(each.split("|")) for each in part.needs.split())
    return Role(part.word, needs, _members(part), None if agreed is None else type(agreed.default))


ROLES: Mapping[str, Role] = {kind: _role(part) for kind, part in PARTS.items()}
"""The roles by their key in ``robustfim_offers``; the last three are keys of its ``services``."""

COMMON: Mapping[str, Kind] = _members(Part)
"""The optional members of an object in any role."""


def check_members(kind: str, part: object, owner: str) -> None:
    """Check that a plugin's object has the attributes and methods of its role, none of them misspelled.

    If ``part`` is a class, missing attributes are allowed, since the constructor may set them. A property counts as
    present and is not computed, except an optional one that a wrapper takes from its wrapped object.

    Args:
        kind: The role: a key of :data:`ROLES`, such as ``models``.
        part: The object, or its class.
        owner: The plugin that offers the object, for the message.

    Raises:
        PluginError: An attribute or method is missing, of the wrong kind, or misspelled.
    """
    role = ROLES[kind]
    cls = part if inspect.isclass(part) else type(part)
    present = {name: _bare(inspect.getattr_static(part, name, None)) for name in _public_names(part, cls)}
    where = f"plugin {owner!r}: {cls.__name__}"
    with blame(where, PluginLoadError):
        optional = [] if part is cls else [name for name in (*role.optional, *COMMON) if name not in present]
        answered = {name: getattr(part, name) for name in optional if _has(part, name)}
    for name, value in {**present, **answered}.items():
        expected = role.members.get(name) or COMMON.get(name)
        if expected is not None and not _fits(value, expected, role):
            is_one = "is a method" if callable(value) else f"is {shown(value)}"
            wanted = f"a {role.contract.__name__}" if expected == "contract" and role.contract else _WORDS[expected]
            if expected == "contract" and role.contract is None:
                raise PluginLoadError(f"{where}.contract: a {role.word} has no contract.")
            raise PluginLoadError(f"{where}.{name} {is_one}, and of a {role.word} it must be {wanted}.")
        if expected is None and role.contract is not None and name in role.contract.__dataclass_fields__:
            raise PluginLoadError(
                f"{where}.{name} belongs in its contract: contract = {role.contract.__name__}({name}=…). "
                "What is a class's own begins with an underscore."
            )
        if expected is None and (near := _near(name, value, role, present)):
            raise PluginLoadError(
                f"{where}.{name} is no member of a {role.word}. Did you mean {near!r}? "
                "What is a class's own begins with an underscore."
            )
    if part is cls:
        return
    for names in role.needs:
        if not any(name in present or _has(part, name) for name in names):
            raise PluginLoadError(f"{where} is no {role.word}: it has {_missing(names, role)}.")
    labelled = "labels" in present or _has(part, "labels")
    if kind == "models" and not labelled and not {"answer", "rate", "tag"} & {*present}:
        raise PluginLoadError(f"{where} is no model: it has no 'labels'.")


class Wrapper:
    """A wrapper around a plugin's object, which passes on every attribute that its own class does not define.

    Args:
        wrapped: The wrapped object.
    """

    def __init__(self, wrapped: Any) -> None:
        self.wrapped = wrapped

    def __getattr__(self, name: str) -> Any:
        if name == "wrapped":  # a copy that is not yet filled
            raise AttributeError(name)
        return getattr(self.wrapped, name)


_WORDS: Mapping[Kind, str] = {
    "method": "a method",
    "text": "a text",
    "counts": "a mapping of counts",
    "names": "a series or a mapping",
    "contract": "a Contract",
    "value": "a value",
}


def _public_names(part: object, cls: type[Any]) -> list[str]:
    names = {name for each in cls.__mro__ if each is not object for name in vars(each)}
    if part is not cls:
        names |= set(getattr(part, "__dict__", ()))
    return sorted(name for name in names if not name.startswith("_"))


def _bare(value: object) -> object:
    return value.__func__ if isinstance(value, staticmethod | classmethod) else value


def _computed(value: object) -> bool:
    """Whether a value comes about when it is asked for: a property, a slot."""
    return not callable(value) and hasattr(type(value), "__get__")


def _fits(value: object, kind: Kind, role: Role) -> bool:
    if _computed(value):
        return True
    if kind == "method" or callable(value):
        return kind == "method" and callable(value)
    match kind:
        case "text":
            return value is None or isinstance(value, str)
        case "counts":
            return isinstance(value, Mapping)
        case "names":
            return isinstance(value, Mapping | Sequence) and not isinstance(value, str)
        case "contract":
            return role.contract is not None and isinstance(value, role.contract)
        case _:
            return True


def _near(name: str, value: object, role: Role, found: Mapping[str, object]) -> str | None:
    """The absent member that a name is near to, of the same kind."""
    members = {**role.members, **COMMON}
    absent = {member.replace("_", ""): member for member in members if member not in found}
    near = difflib.get_close_matches(name.casefold().replace("_", ""), absent, n=1, cutoff=_NEAR)
    if not near:
        return None
    name = absent[near[0]]
    return name if members[name] != "value" and _fits(value, members[name], role) else None


def _has(part: object, name: str) -> bool:
    """Whether an object that answers for another has a member."""
    return hasattr(type(part), "__getattr__") and hasattr(part, name)


def _missing(names: Sequence[str], role: Role) -> str:
    methods = role.members[names[0]] == "method"
    if len(names) > 1:
        return f"neither {' nor '.join(map(repr, names))}"
    return f"no {'method ' if methods else ''}{names[0]!r}"
