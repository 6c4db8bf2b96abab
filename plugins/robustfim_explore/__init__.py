"""``robustfim explore``: the report's page with the model behind it, to edit texts, review failures and try changes."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_commands"]


@hookimpl
def robustfim_commands() -> dict[str, tuple[str, str, str]]:
    """Offer ``robustfim explore``."""
    return {"explore": ("robustfim_explore.command:command", "Serve a run's page with its model behind it.", "look")}
