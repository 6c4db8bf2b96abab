"""Perturbations that disguise a text from a guard, a moderator or a tagger, while people still understand it.

This module imports nothing large. A class is loaded when a suite names it.
"""

from __future__ import annotations

from robustfim.hookspecs import Offers, hookimpl

__all__ = ["robustfim_first_suite", "robustfim_offers"]


@hookimpl
def robustfim_offers() -> Offers:
    """Offer the perturbations and searches of this plugin."""
    return {
        "perturbations": {
            "alphabets": "robustfim_evasion.symbols:Alphabets",
            "bidi": "robustfim_evasion.bidi:Bidi",
            "emoji": "robustfim_evasion.symbols:Emoji",
            "encodings": "robustfim_evasion.symbols:Encodings",
            "harmless_prefix": "robustfim_evasion.harmless:HarmlessPrefix",
            "harmless_suffix": "robustfim_evasion.harmless:HarmlessSuffix",
            "entity_forms": "robustfim_evasion.entities:EntityForms",
            "haystack": "robustfim_evasion.wrapping:Haystack",
            "leetspeak": "robustfim_evasion.words:Leetspeak",
            "letter_spacing": "robustfim_evasion.words:LetterSpacing",
            "look_alikes": "robustfim_evasion.look_alikes:LookAlikes",
            "markup": "robustfim_evasion.wrapping:Markup",
            "quoting": "robustfim_evasion.wrapping:Quoting",
            "repeated_tokens": "robustfim_evasion.layout:RepeatedTokens",
            "role_play": "robustfim_evasion.wrapping:RolePlay",
            "sounds": "robustfim_evasion.words:Sounds",
            "split_lines": "robustfim_evasion.layout:SplitLines",
            "storms": "robustfim_evasion.layout:Storms",
            "tag_characters": "robustfim_evasion.symbols:TagCharacters",
        },
        "searches": {"beam": "robustfim_evasion.search:Beam", "greedy": "robustfim_evasion.search:Greedy"},
    }


@hookimpl
def robustfim_first_suite() -> dict[str, object]:
    """Return checks for a new suite: disguises that also occur innocently; for taggers, notations of entities."""
    return {
        "checks": {
            "emoji": {"perturb": {"use": "emoji", "kinds": ["end"], "candidates": 1}, "marks": ["form"]},
            "entity_forms": {"perturb": {"use": "entity_forms", "candidates": 5}, "marks": ["spans"]},
        }
    }
