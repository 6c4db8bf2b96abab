"""For plugin authors: ``robustfim plugin new`` writes the folder of a plugin, with an example and tests that pass."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_commands"]


@hookimpl
def robustfim_commands() -> dict[str, tuple[str, str, str]]:
    """Offer ``robustfim plugin``."""
    return {"plugin": ("robustfim_author.plugin_command:plugin", "Make a plugin of your own.", "set up")}
