"""For authors of suites and plugins: what plugins offer, the schema of suites, and the folder of a new plugin."""

from __future__ import annotations

from robustfim.hookspecs import Commands, hookimpl

__all__ = ["robustfim_commands"]


@hookimpl
def robustfim_commands() -> Commands:
    """Offer ``robustfim plugin``, ``plugins`` and ``schema``."""
    return {
        "plugin": ("robustfim_author.plugin_command:plugin", "Make a plugin of your own.", "set up"),
        "plugins": (
            "robustfim_author.show:list_plugins",
            "List what every plugin offers.",
            "set up",
        ),
        "schema": ("robustfim_author.show:schema", "Print the JSON Schema of suites, for editors.", "set up"),
    }
