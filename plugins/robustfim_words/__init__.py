"""Words: perturbations that swap, rename, misspell and rewrite, and the constraints that fit them.

This is the plugin's face, which imports nothing heavy: the classes are loaded when a suite names them.
"""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_constraints", "robustfim_perturbations", "robustfim_resources"]


@hookimpl
def robustfim_perturbations() -> dict[str, str]:
    """Offer the perturbations."""
    return {
        "synonyms": "robustfim_words.synonyms:Synonyms",
        "nouns": "robustfim_words.nouns:Nouns",
        "people": "robustfim_words.people:People",
        "places": "robustfim_words.places:Places",
        "organisations": "robustfim_words.organisations:Organisations",
        "numbers": "robustfim_words.numbers:Numbers",
        "contractions": "robustfim_words.contractions:Contractions",
        "typos": "robustfim_words.typos:Typos",
        "punctuation": "robustfim_words.punctuation:Punctuation",
        "case": "robustfim_words.case:Case",
        "rules": "robustfim_words.rewriting:Rules",
    }


@hookimpl
def robustfim_constraints() -> dict[str, str]:
    """Offer the constraints."""
    return {
        "same_part_of_speech": "robustfim_words.same_part_of_speech:SamePartOfSpeech",
        "max_changed": "robustfim_words.limits:MaxChanged",
        "edit_distance": "robustfim_words.limits:EditDistance",
        "stop_words": "robustfim_words.stop_words:StopWords",
    }


@hookimpl
def robustfim_resources() -> dict[str, tuple[str, str]]:
    """Tell whether the lexicons and the tagger are there."""
    from robustfim_words.resources import resources

    return resources()
