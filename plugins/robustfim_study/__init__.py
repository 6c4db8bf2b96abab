"""The papers' experiments as commands: which score predicts failures, and what λmax shows about a model."""

from __future__ import annotations

from robustfim.hookspecs import Commands, hookimpl

__all__ = ["robustfim_commands"]


@hookimpl
def robustfim_commands() -> Commands:
    """Offer ``robustfim study``."""
    return {
        "study": ("robustfim_study.command:command", "Measure what predicts failures on your model and data.", "study"),
    }
