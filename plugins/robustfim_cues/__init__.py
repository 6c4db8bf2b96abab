"""Superficial cues: how far single words give the answer away, and whether a model relies on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustfim.hookspecs import Commands, Described, Offers, hookimpl

if TYPE_CHECKING:
    from robustfim.collect import Collection
    from robustfim.exhibit import Section
    from robustfim.record import Record
    from robustfim.roles import Context

__all__ = [
    "robustfim_commands",
    "robustfim_offers",
    "robustfim_sections",
    "robustfim_studies",
    "robustfim_terminal_summary",
]


@hookimpl
def robustfim_offers() -> Offers:
    """Name this plugin's data sources, model, and scores and perturbations of cues (words that betray a label)."""
    return {
        "data": {"copa": "robustfim_cues.copa.data:Copa", "pairs": "robustfim_cues.choices.pairs:Pairs"},
        "models": {"cues/bag-of-words": "robustfim_cues.models.bag_of_words:BagOfWords"},
        "scorers": {"cue": "robustfim_cues.models.scorer:CueScore"},
        "perturbations": {
            "cue_removal": "robustfim_cues.copa.alterations:CueRemoval",
            "cue_swap": "robustfim_cues.copa.alterations:CueSwap",
            "mirror": "robustfim_cues.copa.mirror:Mirror",
        },
        "expectations": {
            "both_right": "robustfim_cues.copa.mirror:BothRight",
        },
        "reducers": {"hard_as_easy": "robustfim_cues.models.hard_as_easy:HardAsEasy"},
        "trainers": {"cues/bag-of-words": "robustfim_cues.models.trainer:BagOfWordsTrainer"},
    }


@hookimpl
def robustfim_commands() -> Commands:
    """Offer ``robustfim cues``."""
    return {"cues": ("robustfim_cues.commands.cues:command", "Measure the superficial cues of labelled data.", "study")}


@hookimpl
def robustfim_studies() -> Described:
    """Offer ``robustfim study cues``."""
    return {"cues": ("robustfim_cues.study.command:command", "Compare training on original and on balanced instances.")}


@hookimpl
def robustfim_sections(collection: Collection, context: Context) -> list[Section]:
    """Add sections on cues (words that betray the label) to the record of a run."""
    from robustfim_cues.commands.sections import cue_sections

    return cue_sections(collection, context)


@hookimpl
def robustfim_terminal_summary(record: Record) -> list[str]:
    """Return lines that count, for checks of mirrored pairs, the pairs with both, one or no instance solved."""
    from robustfim_cues.copa.consistency import lines

    return list(lines(record))
