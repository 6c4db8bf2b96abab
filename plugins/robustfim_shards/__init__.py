"""Split one run over several machines, and merge the answers into one record."""

from __future__ import annotations

from robustfim.hookspecs import Commands, hookimpl

__all__ = ["robustfim_commands"]


@hookimpl
def robustfim_commands() -> Commands:
    """Offer ``robustfim run --shard`` and ``robustfim merge``."""
    return {
        "run --shard": ("robustfim_shards.shard:command", "Ask the model for one part of a run: 2/4.", "test"),
        "merge": ("robustfim_shards.merge:command", "Make one record of the parts of a run.", "test"),
    }
