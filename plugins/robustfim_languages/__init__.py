"""Languages: perturbations for German, Spanish, French, Italian, and every language with tables.

This module imports nothing heavy. A class is loaded when a suite names it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.hookspecs import hookimpl

if TYPE_CHECKING:
    from robustfim.example import Example
    from robustfim.record import Card

__all__ = ["robustfim_cards", "robustfim_first_suite", "robustfim_offers"]

_COMMON = 0.05
"""The smallest fraction of texts in a language for which a first suite has checks."""


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer the perturbations of this plugin. Noise for texts in any language comes from other plugins."""
    return {
        "perturbations": {
            "languages/abbreviations": "robustfim_languages.phrases:Abbreviations",
            "languages/accents": "robustfim_languages.form:Accents",
            "languages/ages": "robustfim_languages.numbers:Ages",
            "languages/articles": "robustfim_languages.form:Articles",
            "languages/contractions": "robustfim_languages.phrases:Contractions",
            "languages/countries": "robustfim_languages.places:Countries",
            "languages/dates": "robustfim_languages.places:Dates",
            "languages/name_gender": "robustfim_languages.names:NameGender",
            "languages/name_origins": "robustfim_languages.names:NameOrigins",
            "languages/nationalities": "robustfim_languages.kinds:Nationalities",
            "languages/negation": "robustfim_languages.sentences:Negation",
            "languages/negative_sentence": "robustfim_languages.sentences:NegativeSentence",
            "languages/neutral_sentence": "robustfim_languages.sentences:NeutralSentence",
            "languages/numbers": "robustfim_languages.numbers:Numbers",
            "languages/openers": "robustfim_languages.phrases:Openers",
            "languages/people": "robustfim_languages.names:People",
            "languages/places": "robustfim_languages.places:Places",
            "languages/positive_sentence": "robustfim_languages.sentences:PositiveSentence",
            "languages/religions": "robustfim_languages.kinds:Religions",
            "languages/typos": "robustfim_languages.form:Typos",
        }
    }


@hookimpl
def robustfim_cards() -> dict[str, Card]:
    """Return the ratings that a reader gave to edits of German, Spanish, French and Italian texts."""
    from robustfim.record import read_cards

    return read_cards(Path(__file__).with_name("cards.json"))


@hookimpl
def robustfim_first_suite(examples: Sequence[Example]) -> dict[str, object]:
    """Add perturbations that keep the meaning to a first suite, if the data has texts in a language with tables."""
    from robustfim.language import language_shares
    from robustfim_languages.language import known_languages

    if not any(share >= _COMMON for code, share in language_shares(examples).items() if code in known_languages()):
        return {}
    marked = {
        "form": ("accents", "contractions", "neutral_sentence", "openers"),
        "names": ("people", "places", "countries", "numbers", "dates"),
        "fairness": ("name_origins", "name_gender", "nationalities", "religions"),
    }
    return {
        "checks": {
            f"languages_{name}": {"perturb": {"use": f"languages/{name}", "candidates": 5}, "marks": [mark]}
            for mark, names in marked.items()
            for name in names
        }
    }
