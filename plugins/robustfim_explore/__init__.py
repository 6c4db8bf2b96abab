"""``robustfim explore``: serve the report's page with the model behind it.

People can edit texts, review failures and try changes on the page. ``robustfim review`` is the same review on the
terminal. ``robustfim perturb`` shows the candidates of a perturbation.
"""

from __future__ import annotations

from robustfim.hookspecs import Commands, Described, hookimpl

__all__ = ["robustfim_commands", "robustfim_studies"]


@hookimpl
def robustfim_commands() -> Commands:
    """Offer ``robustfim explore``, ``robustfim perturb`` and ``robustfim review``."""
    return {
        "perturb": (
            "robustfim_explore.perturb_command:perturb",
            "Show a random sample of what a perturbation makes of texts.",
            "look",
        ),
        "explore": ("robustfim_explore.command:command", "Serve a run's page with its model behind it.", "look"),
        "review": (
            "robustfim_explore.review:review",
            "Look at a random sample of a run's failures, and say which are valid.",
            "look",
        ),
    }


@hookimpl
def robustfim_studies() -> Described:
    """Offer ``robustfim study adversaries``."""
    text = "Compare people, adversaries by the score, and both together."
    return {"adversaries": ("robustfim_explore.study_command:command", text)}
