"""Planning: the number of examples that a suite needs, their cost, and the chance of a conclusive result."""

from __future__ import annotations

from robustfim.hookspecs import Commands, hookimpl

__all__ = ["robustfim_commands"]


@hookimpl
def robustfim_commands() -> Commands:
    """Offer ``robustfim plan``."""
    said = "Say how many examples SUITE needs to decide its limits and its margin, and what that costs."
    return {"plan": ("robustfim_plan.plan_command:plan", said, "test")}
