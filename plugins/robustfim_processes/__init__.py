"""The engine ``processes``: workers on this machine, each a process of its own."""

from __future__ import annotations

from robustfim.hookspecs import Offers, hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> Offers:
    """Offer the engine ``processes``."""
    return {"engines": {"processes": "robustfim_processes.engine:Processes"}}
