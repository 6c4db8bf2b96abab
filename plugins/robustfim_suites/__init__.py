"""Released test suites as checks, and other tools' result files as run records."""

from __future__ import annotations

from robustfim.hookspecs import Commands, Offers, hookimpl

__all__ = ["robustfim_commands", "robustfim_offers"]


@hookimpl
def robustfim_offers() -> Offers:
    """Name this plugin's source of released tests, and the formats of released suites and other tools' results."""
    return {
        "checks": {"released": "robustfim_suites.released:ReleasedTests"},
        "suite_formats": {
            "advglue": "robustfim_suites.suites:AdversarialGlue",
            "anli": "robustfim_suites.suites:AdversarialNli",
            "contrast": "robustfim_suites.suites:ContrastSets",
            "contrast_boolq": "robustfim_suites.suites:ContrastBoolq",
            "counterfactual": "robustfim_suites.suites:CounterfactualReviews",
            "counterfactual_nli": "robustfim_suites.suites:CounterfactualNli",
            "deepeval": "robustfim_suites.scores:DeepEvalScores",
            "hans": "robustfim_suites.suites:Hans",
            "hatecheck": "robustfim_suites.suites:HateCheck",
            "inspect": "robustfim_suites.scores:InspectScores",
            "langtest": "robustfim_suites.result_files:LangTestResults",
            "lm_eval": "robustfim_suites.scores:LmEvalScores",
            "paws": "robustfim_suites.suites:Paws",
            "promptfoo": "robustfim_suites.scores:PromptfooScores",
            "scores": "robustfim_suites.scores:PlainScores",
            "textattack": "robustfim_suites.result_files:TextAttackResults",
        },
    }


@hookimpl
def robustfim_commands() -> Commands:
    """Offer ``robustfim import``."""
    help_text = "Make a suite of a released test suite, or a record of another tool's results."
    return {"import": ("robustfim_suites.command:command", help_text, "set up")}
