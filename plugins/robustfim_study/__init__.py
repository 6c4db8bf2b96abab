"""The papers' experiments as commands: which score predicts failures, and what λmax shows about a model."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_commands"]


@hookimpl
def robustfim_commands() -> dict[str, tuple[str, str, str]]:
    """Offer ``robustfim study``."""
    return {
        "study": ("robustfim_study.command:command", "Measure what predicts failures on your model and data.", "study"),
    }
