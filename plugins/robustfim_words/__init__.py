"""Words: perturbations that swap, rename, misspell and rewrite, and the constraints that fit them.

This module imports nothing heavy. A class is loaded when a suite names it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.hookspecs import hookimpl

if TYPE_CHECKING:
    from robustfim.record import Card

__all__ = ["robustfim_cards", "robustfim_first_suite", "robustfim_offers", "robustfim_resources"]


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer the perturbations, the constraints, and the tagger that gives them parts of speech."""
    return {
        "perturbations": {
            "abbreviations": "robustfim_words.swaps.table_swaps:Abbreviations",
            "accents": "robustfim_words.form.accents:Accents",
            "adverbs": "robustfim_words.swaps.insertions:Adverbs",
            "ages": "robustfim_words.persons.ages:Ages",
            "antonyms": "robustfim_words.swaps.antonyms:Antonyms",
            "articles": "robustfim_words.form.article_errors:Articles",
            "case": "robustfim_words.form.case:Case",
            "contractions": "robustfim_words.swaps.contractions:Contractions",
            "drop_sentence": "robustfim_words.swaps.drop_sentence:DropSentence",
            "elongations": "robustfim_words.form.elongations:Elongations",
            "gender": "robustfim_words.persons.gender_swap:Gender",
            "homoglyphs": "robustfim_words.form.look_alikes:Homoglyphs",
            "homophones": "robustfim_words.swaps.table_swaps:Homophones",
            "hyphens": "robustfim_words.form.hyphens:Hyphens",
            "identities": "robustfim_words.things.identities:Identities",
            "intensifiers": "robustfim_words.swaps.insertions:Intensifiers",
            "invisible": "robustfim_words.form.invisible:Invisible",
            "links": "robustfim_words.swaps.sentences:Links",
            "misspellings": "robustfim_words.swaps.table_swaps:Misspellings",
            "name_origins": "robustfim_words.persons.name_origins:NameOrigins",
            "nationalities": "robustfim_words.things.fairness:Nationalities",
            "near_synonyms": "robustfim_words.swaps.synonyms:NearSynonyms",
            "negation": "robustfim_words.swaps.negation:Negation",
            "negative_sentence": "robustfim_words.swaps.sentences:NegativeSentence",
            "neighbours": "robustfim_words.swaps.neighbours:Neighbours",
            "neutral_pronouns": "robustfim_words.persons.neutral_pronouns:NeutralPronouns",
            "neutral_sentence": "robustfim_words.swaps.sentences:NeutralSentence",
            "nouns": "robustfim_words.things.nouns:Nouns",
            "numbers": "robustfim_words.things.numbers:Numbers",
            "ocr": "robustfim_words.form.look_alikes:Ocr",
            "openers": "robustfim_words.swaps.insertions:Openers",
            "organisations": "robustfim_words.things.organisations:Organisations",
            "people": "robustfim_words.persons.people:People",
            "places": "robustfim_words.things.places:Places",
            "positive_sentence": "robustfim_words.swaps.sentences:PositiveSentence",
            "punctuation": "robustfim_words.form.punctuation:Punctuation",
            "random_words": "robustfim_words.swaps.synonyms:RandomWords",
            "regional_spelling": "robustfim_words.swaps.table_swaps:RegionalSpelling",
            "religions": "robustfim_words.things.fairness:Religions",
            "repeated_words": "robustfim_words.form.repeated_words:RepeatedWords",
            "slang": "robustfim_words.swaps.table_swaps:Slang",
            "spaces": "robustfim_words.form.spaces:Spaces",
            "synonyms": "robustfim_words.swaps.synonyms:Synonyms",
            "titles": "robustfim_words.persons.titles:Titles",
            "typos": "robustfim_words.form.typos:Typos",
            "word_breaks": "robustfim_words.form.word_breaks:WordBreaks",
        },
        "constraints": {
            "same_part_of_speech": "robustfim_words.constraints.same_part_of_speech:SamePartOfSpeech",
            "max_changed": "robustfim_words.constraints.limits:MaxChanged",
            "edit_distance": "robustfim_words.constraints.limits:EditDistance",
            "stop_words": "robustfim_words.constraints.limits:StopWords",
            "no_repeated_edit": "robustfim_words.constraints.limits:NoRepeatedEdit",
        },
        "services": {"tagger": "robustfim_words.tagging.tagged:WordTagger"},
    }


@hookimpl
def robustfim_cards() -> dict[str, Card]:
    """Return the ratings that readers gave to edits of words, names, numbers and sentences."""
    from robustfim.record import read_cards

    return read_cards(Path(__file__).with_name("cards.json"))


@hookimpl
def robustfim_resources() -> dict[str, tuple[str, str]]:
    """Report whether the lexicons and the tagger are installed."""
    from robustfim_words.resources import resources

    return resources()


@hookimpl
def robustfim_first_suite() -> dict[str, object]:
    """Add the perturbations that keep the meaning and need no options to a first suite, the quickest first."""
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
        }
    }
