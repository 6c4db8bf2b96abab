"""Semantically equivalent adversarial rules (SEARs, Ribeiro, Singh and Guestrin 2018): mined, reviewed and applied.

This module imports nothing heavy. A class is loaded when a suite or a command names it.
"""

from __future__ import annotations

from robustfim.hookspecs import Commands, Described, Offers, hookimpl

__all__ = ["robustfim_commands", "robustfim_first_suite", "robustfim_offers", "robustfim_studies"]


@hookimpl
def robustfim_offers() -> Offers:
    """Name this plugin's paraphrasers, its perturbations by rules and paraphrases, and its constraint.

    A paraphraser also scores pairs of texts that it did not make, ``score(texts, candidates)``. Rules are filtered by
    this score: for a text whose meaning a rule changes, the score must be below the paraphraser's ``tau``.
    """
    return {
        "paraphrasers": {
            "back-translation": "robustfim_sears.paraphrase.back_translation:BackTranslation",
            "masked-lm": "robustfim_sears.paraphrase.masked_words:MaskedWords",
            "perturbations": "robustfim_sears.paraphrase.perturbed:Perturbed",
            "phrases": "robustfim_sears.paraphrase.phrases:Phrases",
        },
        "perturbations": {
            "paraphrase": "robustfim_sears.paraphrase.perturbation:Paraphrased",
            "rules": "robustfim_sears.rule.perturbation:Rules",
        },
        "constraints": {"equivalent": "robustfim_sears.paraphrase.equivalent:Equivalent"},
    }


@hookimpl
def robustfim_commands() -> Commands:
    """Offer ``robustfim mine`` and ``robustfim augment``."""
    return {
        "augment": (
            "robustfim_sears.remedy.command:command",
            "Write training data with what rules make of it.",
            "mend",
        ),
        "mine": (
            "robustfim_sears.mining.command:command",
            "Mine rules that change labels and keep the meaning.",
            "mend",
        ),
    }


@hookimpl
def robustfim_studies() -> Described:
    """Offer ``robustfim study rules``, ``seas``, ``sears`` and ``tau``."""
    return {
        "rules": ("robustfim_sears.remedy.rules_command:command", "Compare two files of rules on the same data."),
        "seas": ("robustfim_sears.mining.seas_command:command", "List the best adversary of each text."),
        "sears": ("robustfim_sears.remedy.study_command:command", "Train on what rules make, and see what that mends."),
        "tau": ("robustfim_sears.mining.tau_command:command", "Learn the threshold of a score from people's ratings."),
    }


@hookimpl
def robustfim_first_suite() -> dict[str, object]:
    """Add the shipped rules."""
    return {"checks": {"rules": {"perturb": {"use": "rules", "candidates": 6}, "marks": ["lexical"]}}}
