"""The engine ``ray``: workers on a Ray cluster or on this machine."""

from __future__ import annotations

from robustfim.hookspecs import Offers, hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> Offers:
    """Offer the engine ``ray``."""
    return {"engines": {"ray": "robustfim_ray.engine:Ray"}}
