"""An offer: one name that a plugin offers, and the class behind it."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from robustfim.blame import blame
from robustfim.errors import PluginLoadError
from robustfim.members import ROLES, check_members

__all__ = ["COMMAND_SECTIONS", "KINDS", "Offer", "command_targets", "import_class", "option_targets", "resource_states"]

KINDS = {kind: role.word for kind, role in ROLES.items() if kind not in ("attribution", "geometry", "tagger")}
"""The offering hooks, without their prefix, and the word for one of what each offers."""

COMMAND_SECTIONS = ("test", "look", "mend", "study", "set up")
"""What one may want of a command: by it the help puts commands together."""


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
        """The class, imported and checked on first use.

        Raises:
            PluginError: It cannot be imported, is no class, or has a member that its role does not allow.
        """
        cls = import_class(self.target, self.owner)
        check_members(self.kind, cls, self.owner)
        return cls

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
        with blame(f"plugin {owner!r}: {target!r}", PluginLoadError, did="cannot be imported:"):
            found = getattr(importlib.import_module(module_name), attribute)
    if not inspect.isclass(found):
        raise PluginLoadError(f"plugin {owner!r}: {target!r} is not a class.")
    return found


def command_targets(offered: Mapping[str, tuple[str, Any]], word: str) -> dict[str, tuple[str, str, str, str]]:
    """Check what plugins offer as commands.

    Args:
        offered: Name to the plugin, and what it offers.
        word: What one is called, for the message.

    Returns:
        Name to the plugin, ``"package.module:command"``, one line of help, and what one wants of it, or "".

    Raises:
        PluginError: Something else was offered.
    """
    found = {}
    for name, (owner, target) in offered.items():
        match target:
            case (str(place), str(text)):
                found[name] = (owner, place, text, "")
            case (str(place), str(text), str(section)) if section in COMMAND_SECTIONS:
                found[name] = (owner, place, text, section)
            case _:
                sections = ", ".join(map(repr, COMMAND_SECTIONS))
                raise PluginLoadError(
                    f"plugin {owner!r}: the {word} {name!r} must be ('package.module:command', 'help'), and may say "
                    f"what one wants of it as a third ({sections}), not {target!r}."
                )
    return found


def option_targets(offered: Mapping[str, tuple[str, Any]]) -> dict[str, tuple[str, str, str]]:
    """Check what plugins offer as options.

    Args:
        offered: Option to the plugin, and what it offers.

    Returns:
        Option to the plugin, the name of a report and the help.

    Raises:
        PluginError: Something else was offered, or the option is not written as ``--name``.
    """
    found = {}
    for option, (owner, target) in offered.items():
        match target:
            case (str(report), str(text)) if re.fullmatch(r"--[a-z][a-z0-9-]+", str(option)):
                found[option] = (owner, report, text)
            case _:
                raise PluginLoadError(
                    f"plugin {owner!r}: robustfim_options must return {{'--option': ('report', 'help')}}, "
                    f"not {{{option!r}: {target!r}}}."
                )
    return found


def resource_states(
    offered: Mapping[str, tuple[str, Any]],
) -> dict[str, tuple[Literal["ok", "note", "problem"], str]]:
    """Check what plugins tell of their resources.

    Args:
        offered: Name to the plugin, and what it tells.

    Returns:
        Name to the state and one sentence.

    Raises:
        PluginError: Something else was told.
    """
    found: dict[str, tuple[Literal["ok", "note", "problem"], str]] = {}
    for name, (owner, target) in offered.items():
        match target:
            case ("ok" | "note" | "problem" as state, str(text)):
                found[name] = (state, text)
            case _:
                raise PluginLoadError(
                    f"plugin {owner!r}: the resource {name!r} must be ('ok' or 'note' or 'problem', 'a sentence'), "
                    f"not {target!r}."
                )
    return found
