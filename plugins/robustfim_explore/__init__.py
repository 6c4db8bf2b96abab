"""``robustfim explore``: the report's page with the model behind it, to edit texts, review failures and try changes.

``robustfim review``: the same review on the terminal.
"""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_commands"]


@hookimpl
def robustfim_commands() -> dict[str, tuple[str, str, str]]:
    """Offer ``robustfim explore`` and ``robustfim review``."""
    return {
        "explore": ("robustfim_explore.command:command", "Serve a run's page with its model behind it.", "look"),
        "review": (
            "robustfim_explore.review:review",
            "Look at a random sample of a run's failures, and say which are valid.",
            "look",
        ),
    }
