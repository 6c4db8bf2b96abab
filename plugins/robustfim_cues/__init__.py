"""Superficial cues: how far single words give the answer away, and whether a model lives on them."""

from __future__ import annotations

from robustfim import hookimpl

__all__ = [
    "robustfim_commands",
    "robustfim_data",
    "robustfim_expectations",
    "robustfim_models",
    "robustfim_perturbations",
    "robustfim_scorers",
]


@hookimpl
def robustfim_data() -> dict[str, str]:
    """Offer ``copa`` and ``pairs``."""
    return {"copa": "robustfim_cues.copa:Copa", "pairs": "robustfim_cues.pairs:Pairs"}


@hookimpl
def robustfim_models() -> dict[str, str]:
    """Offer a bag of words that chooses between two alternatives."""
    return {"cues/bag-of-words": "robustfim_cues.bag_of_words:BagOfWords"}


@hookimpl
def robustfim_scorers() -> dict[str, str]:
    """Offer ``cue``."""
    return {"cue": "robustfim_cues.scorer:CueScore"}


@hookimpl
def robustfim_perturbations() -> dict[str, str]:
    """Offer the mirrored instance, and alternatives without their cues or with swapped ones."""
    return {
        "cue_removal": "robustfim_cues.alterations:CueRemoval",
        "cue_swap": "robustfim_cues.alterations:CueSwap",
        "mirror": "robustfim_cues.mirror:Mirror",
    }


@hookimpl
def robustfim_expectations() -> dict[str, str]:
    """Offer ``both_right``, for an instance and its mirror."""
    return {"both_right": "robustfim_cues.mirror:BothRight"}


@hookimpl
def robustfim_commands() -> dict[str, tuple[str, str]]:
    """Offer ``robustfim cues``."""
    return {"cues": ("robustfim_cues.command:command", "Measure the superficial cues of labelled data.")}
