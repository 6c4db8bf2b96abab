"""Words: perturbations that swap, rename, misspell and rewrite, and the constraints that fit them.

English has classes of its own; those of ``languages`` fit German, Spanish, French, Italian, and every language with
tables. This module imports nothing heavy. A class is loaded when a suite names it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.hookspecs import hookimpl

if TYPE_CHECKING:
    from robustfim.example import Example
    from robustfim.record import Card

__all__ = ["robustfim_cards", "robustfim_first_suite", "robustfim_offers", "robustfim_resources"]

_COMMON = 0.05
"""The smallest fraction of texts in a language for which a first suite has checks."""

_PERTURBATIONS = {
    "form.accents": "Accents",
    "form.article_errors": "Articles",
    "form.case": "Case",
    "form.elongations": "Elongations",
    "form.hyphens": "Hyphens",
    "form.invisible": "Invisible",
    "form.look_alikes": "Homoglyphs Ocr",
    "form.punctuation": "Punctuation",
    "form.repeated_words": "RepeatedWords",
    "form.spaces": "Spaces",
    "form.typos": "Typos",
    "form.word_breaks": "WordBreaks",
    "languages.form": "Accents Articles Typos",
    "languages.kinds": "Nationalities Religions",
    "languages.names": "NameGender NameOrigins People",
    "languages.numbers": "Ages Numbers",
    "languages.phrases": "Abbreviations Contractions Openers",
    "languages.places": "Countries Dates Places",
    "languages.sentences": "Negation NegativeSentence NeutralSentence PositiveSentence",
    "persons.ages": "Ages",
    "persons.gender_swap": "Gender",
    "persons.name_origins": "NameOrigins",
    "persons.neutral_pronouns": "NeutralPronouns",
    "persons.people": "People",
    "persons.titles": "Titles",
    "swaps.antonyms": "Antonyms",
    "swaps.contractions": "Contractions",
    "swaps.drop_sentence": "DropSentence",
    "swaps.insertions": "Adverbs Intensifiers Openers",
    "swaps.negation": "Negation",
    "swaps.neighbours": "Neighbours",
    "swaps.sentences": "Links NegativeSentence NeutralSentence PositiveSentence",
    "swaps.synonyms": "NearSynonyms RandomWords Synonyms",
    "swaps.table_swaps": "Abbreviations Homophones Misspellings RegionalSpelling Slang",
    "things.fairness": "Nationalities Religions",
    "things.identities": "Identities",
    "things.nouns": "Nouns",
    "things.numbers": "Numbers",
    "things.organisations": "Organisations",
    "things.places": "Places",
}
"""The classes of each module. ``RepeatedWords`` is offered as ``repeated_words``."""
_CONSTRAINTS = {
    "constraints.same_part_of_speech": "SamePartOfSpeech",
    "constraints.limits": "MaxChanged EditDistance StopWords NoRepeatedEdit",
}


def _offered(modules: dict[str, str]) -> dict[str, str]:
    """Name each class as suites do, those of ``languages`` behind ``languages/``."""
    return {
        ("languages/" if module.startswith("languages") else "")
        + re.sub(r"(?<!\A)([A-Z])", r"_\1", name).lower(): f"robustfim_words.{module}:{name}"
        for module, names in modules.items()
        for name in names.split()
    }


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer the perturbations, the constraints, and the tagger that gives them parts of speech."""
    return {
        "perturbations": _offered(_PERTURBATIONS),
        "constraints": _offered(_CONSTRAINTS),
        "services": {"tagger": "robustfim_words.tagging.tagged:WordTagger"},
    }


@hookimpl
def robustfim_cards() -> dict[str, Card]:
    """Return each perturbation's card: the ratings that readers gave to its edits."""
    from robustfim.record import read_cards

    folder = Path(__file__).parent
    return read_cards(folder / "cards.json") | read_cards(folder / "languages" / "cards.json")


@hookimpl
def robustfim_resources() -> dict[str, tuple[str, str]]:
    """Report whether the lexicons and the tagger are installed."""
    from robustfim_words.resources import resources

    return resources()


@hookimpl
def robustfim_first_suite(examples: Sequence[Example]) -> dict[str, object]:
    """Return checks for a new suite: perturbations that keep the meaning and need no options, the quickest first.

    Perturbations for other languages are added if the data has texts in a supported language.
    """
    form, names = {"candidates": 4}, {"candidates": 5}
    plain = ("punctuation", "case", "spaces", "regional_spelling", "contractions", "links", "neutral_sentence")
    fairness = ("gender", "religions", "nationalities", "name_origins", "identities")
    return {
        "checks": {
            "typos": {"perturb": {"use": "typos", "words": 2, "candidates": 8}, "marks": ["form"]},
            **{name: {"perturb": {"use": name, **form}, "marks": ["form"]} for name in plain},
            "word_breaks": {"perturb": {"use": "word_breaks", "words": 1, **form}, "marks": ["form"]},
            "numbers_in_words": {"perturb": {"use": "numbers", "to": "words", **form}, "marks": ["form"]},
            **{
                name: {"perturb": {"use": name, **names}, "marks": ["names"]}
                for name in ("people", "places", "organisations")
            },
            **{name: {"perturb": {"use": name, **names}, "marks": ["lexical"]} for name in ("nouns", "numbers")},
            "synonyms": {
                "perturb": {"use": "synonyms", "words": 0.1, "candidates": 8, "order": "guided"},
                "constrain": ["same_part_of_speech"],
                "marks": ["lexical"],
            },
            **{name: {"perturb": {"use": name, **names}, "marks": ["fairness"]} for name in fairness},
            **_in_other_languages(examples),
        }
    }


def _in_other_languages(examples: Sequence[Example]) -> dict[str, object]:
    from robustfim_texts import language_shares
    from robustfim_words.languages.language import known_languages

    if not any(share >= _COMMON for code, share in language_shares(examples).items() if code in known_languages()):
        return {}
    marked = {
        "form": ("accents", "contractions", "neutral_sentence", "openers"),
        "names": ("people", "places", "countries", "numbers", "dates"),
        "fairness": ("name_origins", "name_gender", "nationalities", "religions"),
    }
    return {
        f"languages_{name}": {"perturb": {"use": f"languages/{name}", "candidates": 5}, "marks": [mark]}
        for mark, names in marked.items()
        for name in names
    }
