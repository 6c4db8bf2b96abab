"""The engine ``ray``: workers on a Ray cluster, or on this machine."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_engines"]


@hookimpl
def robustfim_engines() -> dict[str, str]:
    """Offer Ray."""
    return {"ray": "robustfim_ray.engine:Ray"}
