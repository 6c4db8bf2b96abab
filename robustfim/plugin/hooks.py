"""Calls of hooks, whose errors name the plugin that raised them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pluggy

from robustfim.blame import told
from robustfim.errors import PluginError, RobustfimError

__all__ = ["BUILT_IN", "Hooks"]

BUILT_IN = "robustfim."
"""The prefix of the names of built-in plugins."""


class Hooks:
    """Calls hooks by name: ``hooks.robustfim_configure(config=…)``."""

    def __init__(self, relay: pluggy.HookRelay) -> None:
        self._relay = relay

    def __getattr__(self, name: str) -> Callable[..., Any]:
        caller: pluggy.HookCaller = getattr(self._relay, name)

        def call(**arguments: Any) -> Any:
            try:
                return caller(**arguments)
            except (RobustfimError, KeyboardInterrupt, GeneratorExit):
                raise
            except BaseException as error:  # a plugin's hook may raise anything
                owner = _owner(error, caller)
                if owner is None or owner.startswith(BUILT_IN):
                    raise
                raise PluginError(f"plugin {owner!r}: {name} raised {told(error)}") from error

        return call


def _owner(error: BaseException, caller: pluggy.HookCaller) -> str | None:
    """The plugin whose hook implementation is the first on the error's way."""
    owners = {
        getattr(implementation.function, "__code__", None): implementation.plugin_name
        for implementation in caller.get_hookimpls()
    }
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code in owners:
            return owners[step.tb_frame.f_code]
        step = step.tb_next
    return None
