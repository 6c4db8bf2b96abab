"""Judges: what the number of a judge of changed texts can be promised to mean, learnt from people's answers.

This is the plugin's face, which imports nothing heavy: the classes are loaded when a suite names them.
"""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_commands", "robustfim_offers"]


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer the constraint that lets through what reads well."""
    return {"constraints": {"reads_well": "robustfim_judges.reads_well:ReadsWell"}}


@hookimpl
def robustfim_commands() -> dict[str, tuple[str, str, str]]:
    """Offer ``robustfim review --learn``."""
    return {
        "review --learn": (
            "robustfim_judges.learn:command",
            "Learn from people's answers which number of a judge lets valid pairs through.",
            "look",
        )
    }
