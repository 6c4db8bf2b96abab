"""Offers: the names that plugins offer to suites, each with its class."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from robustfim.blame import imported
from robustfim.errors import PluginLoadError, did_you_mean, shown
from robustfim.members import ROLES, check_members

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

__all__ = [
    "COMMAND_SECTIONS",
    "KINDS",
    "SERVICES",
    "Offer",
    "Offered",
    "State",
    "check_offers",
    "command_targets",
    "import_class",
    "offered_now",
    "option_targets",
    "resource_states",
]

Offered: TypeAlias = Mapping[str, tuple[str, Any]]
"""What plugins give under a name: the plugin, and what it gives."""
State: TypeAlias = Literal["ok", "note", "problem"]
"""The state of a resource."""

SERVICES = ("attribution", "geometry", "tagger")
"""The services, each provided by one plugin for all others."""

KINDS = {kind: role.word for kind, role in ROLES.items() if kind not in SERVICES}
"""The kinds of offers that a suite can name, by the keys of ``robustfim_offers``, with the word for one offer."""

COMMAND_SECTIONS = ("test", "look", "mend", "study", "set up")
"""The sections of commands in the help, by what users want to do."""


@dataclass(frozen=True)
class Offer:
    """A class that a plugin offers to suites under a name.

    Attributes:
        kind: A key of ``KINDS``, or one of ``SERVICES``.
        name: The name that suites use.
        owner: The plugin that offers the name.
        target: The class, or its place as ``"package.module:Class"``.
        shared: Whether other plugins offer the name as well; a suite must then put the plugin's name before it.
    """

    kind: str
    name: str
    owner: str
    target: str | type[Any]
    shared: bool = False

    @cached_property
    def cls(self) -> type[Any]:
        """The class, imported and checked on first use.

        Raises:
            PluginError: The class cannot be imported, is not a class, or has a member that its role does not allow.
        """
        cls = import_class(self.target, self.owner)
        check_members(self.kind, cls, self.owner)
        return cls

    @property
    def summary(self) -> str:
        """The first line of the class's docstring."""
        return (inspect.getdoc(self.cls) or "").partition("\n")[0]

    @property
    def options(self) -> Mapping[str, FieldInfo]:
        """The options of the class, by name."""
        from robustfim.plugin.options import options_model

        return options_model(self.cls, self.owner).model_fields


def import_class(target: object, owner: str) -> type[Any]:
    """Import the class that ``"package.module:Class"`` names; return a class unchanged.

    Raises:
        PluginError: The name cannot be imported, or is not the name of a class.
    """
    found = imported(target, f"plugin {owner!r}") if isinstance(target, str) else target
    if not inspect.isclass(found):
        raise PluginLoadError(f"plugin {owner!r}: {target!r} is not a class.")
    return found


def check_offers(answer: object, owner: str) -> Mapping[str, Mapping[str, Any]]:
    """Check the form of the mapping in which a plugin offers classes; nothing is imported.

    Args:
        answer: The result of the plugin's ``robustfim_offers``.
        owner: The name of the plugin, for the message.

    Raises:
        PluginError: The answer is not a mapping of mappings, or a kind or a service does not exist.
    """
    where = f"plugin {owner!r}: robustfim_offers"
    if not isinstance(answer, Mapping):
        raise PluginLoadError(
            f"{where} must return {{'models': {{'name': 'package.module:Class'}}, …}}, not {answer!r}."
        )
    known = (*KINDS, "services")
    for kind, offered in answer.items():
        if kind not in known:
            raise PluginLoadError(f"{where}: there is no kind {shown(kind)}.{_way_out(kind, known)}")
        if not isinstance(offered, Mapping):
            raise PluginLoadError(f"{where}: {kind!r} must be a dict of names, not {offered!r}.")
    for name in answer.get("services", ()):
        if name not in SERVICES:
            raise PluginLoadError(f"{where}: there is no service {shown(name)}.{_way_out(name, SERVICES)}")
    return answer


def _way_out(word: object, known: tuple[str, ...]) -> str:
    """The nearest of the known words; all of them where none is near."""
    return did_you_mean(str(word), known) or f" There are {', '.join(known)}."


def offered_now(hook: str) -> str:
    """Explain how to offer something for which earlier versions had a hook.

    Returns:
        A sentence with a blank before it; "" if there never was a hook of this name.
    """
    kind = hook.removeprefix("robustfim_")
    if kind in KINDS:
        return f" Offer it in robustfim_offers, which returns {{{kind!r}: {{'name': 'package.module:Class'}}}}."
    if kind in SERVICES:
        return f" Offer it in robustfim_offers, which returns {{'services': {{{kind!r}: 'package.module:Class'}}}}."
    return ""


def command_targets(offered: Offered, word: str) -> dict[str, tuple[str, str, str, str]]:
    """Check the commands that plugins offer.

    Returns:
        Command name to plugin, ``"package.module:command"``, one line of help, and help section or "".

    Raises:
        PluginError: An offer is malformed.
    """
    commands = {}
    for name, (owner, target) in offered.items():
        match target:
            case (str(place), str(text)):
                commands[name] = (owner, place, text, "")
            case (str(place), str(text), str(section)) if section in COMMAND_SECTIONS:
                commands[name] = (owner, place, text, section)
            case _:
                sections = ", ".join(map(repr, COMMAND_SECTIONS))
                raise PluginLoadError(
                    f"plugin {owner!r}: the {word} {name!r} must be ('package.module:command', 'help'), and may say "
                    f"what one wants of it as a third ({sections}), not {target!r}."
                )
    return commands


def option_targets(offered: Offered) -> dict[str, tuple[str, str, str]]:
    """Check the options that plugins offer.

    Returns:
        Option to plugin, name of the report and help text.

    Raises:
        PluginError: An offer is malformed, or the option is not written as ``--name``.
    """
    options = {}
    for option, (owner, target) in offered.items():
        match target:
            case (str(report), str(text)) if re.fullmatch(r"--[a-z][a-z0-9-]+", str(option)):
                options[option] = (owner, report, text)
            case _:
                raise PluginLoadError(
                    f"plugin {owner!r}: robustfim_options must return {{'--option': ('report', 'help')}}, "
                    f"not {{{option!r}: {target!r}}}."
                )
    return options


def resource_states(
    offered: Offered,
) -> dict[str, tuple[State, str]]:
    """Check the resources that plugins report.

    Returns:
        Resource name to state and one sentence.

    Raises:
        PluginError: A report is malformed.
    """
    resources: dict[str, tuple[State, str]] = {}
    for name, (owner, target) in offered.items():
        match target:
            case ("ok" | "note" | "problem" as state, str(text)):
                resources[name] = (state, text)
            case _:
                raise PluginLoadError(
                    f"plugin {owner!r}: the resource {name!r} must be ('ok' or 'note' or 'problem', 'a sentence'), "
                    f"not {target!r}."
                )
    return resources
