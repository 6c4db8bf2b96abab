"""Words: perturbations that swap, rename, misspell and rewrite, and the constraints that fit them.

English has classes of its own; those of ``languages`` fit German, Spanish, French, Italian, and every language with
tables. This module imports nothing heavy. A class is loaded when a suite names it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.hookspecs import Described, Offers, hookimpl

if TYPE_CHECKING:
    from robustfim.example import Example
    from robustfim.record import Card

__all__ = ["robustfim_cards", "robustfim_first_suite", "robustfim_offers", "robustfim_resources"]

_COMMON = 0.05
"""The smallest fraction of texts in a language for which a first suite has checks."""


@hookimpl
def robustfim_offers() -> Offers:
    """Offer the perturbations, the constraints, and the tagger that gives them parts of speech."""
    return {
        "perturbations": {
            "abbreviations": "robustfim_words.swaps.table_swaps:Abbreviations",
            "accents": "robustfim_words.form.kinds:Accents",
            "adverbs": "robustfim_words.swaps.insertions:Adverbs",
            "ages": "robustfim_words.persons.ages:Ages",
            "antonyms": "robustfim_words.swaps.antonyms:Antonyms",
            "articles": "robustfim_words.form.article_errors:Articles",
            "case": "robustfim_words.form.kinds:Case",
            "contractions": "robustfim_words.swaps.contractions:Contractions",
            "drop_sentence": "robustfim_words.swaps.drop_sentence:DropSentence",
            "elongations": "robustfim_words.form.words:Elongations",
            "gender": "robustfim_words.persons.gender_swap:Gender",
            "homoglyphs": "robustfim_words.form.slips:Homoglyphs",
            "homophones": "robustfim_words.swaps.table_swaps:Homophones",
            "hyphens": "robustfim_words.form.words:Hyphens",
            "identities": "robustfim_words.things.identities:Identities",
            "intensifiers": "robustfim_words.swaps.insertions:Intensifiers",
            "invisible": "robustfim_words.form.slips:Invisible",
            "languages/abbreviations": "robustfim_words.languages.phrases:Abbreviations",
            "languages/accents": "robustfim_words.languages.form:Accents",
            "languages/ages": "robustfim_words.persons.ages:AgesInLanguage",
            "languages/articles": "robustfim_words.languages.form:Articles",
            "languages/contractions": "robustfim_words.languages.phrases:Contractions",
            "languages/countries": "robustfim_words.languages.places:Countries",
            "languages/dates": "robustfim_words.languages.places:Dates",
            "languages/name_gender": "robustfim_words.languages.names:NameGender",
            "languages/name_origins": "robustfim_words.languages.names:NameOrigins",
            "languages/nationalities": "robustfim_words.languages.kinds:Nationalities",
            "languages/negation": "robustfim_words.languages.sentences:Negation",
            "languages/negative_sentence": "robustfim_words.languages.sentences:NegativeSentence",
            "languages/neutral_sentence": "robustfim_words.languages.sentences:NeutralSentence",
            "languages/numbers": "robustfim_words.things.numbers:NumbersInLanguage",
            "languages/openers": "robustfim_words.languages.phrases:Openers",
            "languages/people": "robustfim_words.languages.names:People",
            "languages/places": "robustfim_words.languages.places:Places",
            "languages/positive_sentence": "robustfim_words.languages.sentences:PositiveSentence",
            "languages/religions": "robustfim_words.languages.kinds:Religions",
            "languages/typos": "robustfim_words.languages.form:Typos",
            "links": "robustfim_words.swaps.sentences:Links",
            "misspellings": "robustfim_words.swaps.table_swaps:Misspellings",
            "name_origins": "robustfim_words.persons.people:NameOrigins",
            "nationalities": "robustfim_words.things.fairness:Nationalities",
            "near_synonyms": "robustfim_words.swaps.synonyms:NearSynonyms",
            "negation": "robustfim_words.swaps.negation:Negation",
            "negative_sentence": "robustfim_words.swaps.sentences:NegativeSentence",
            "neighbours": "robustfim_words.swaps.neighbours:Neighbours",
            "neutral_pronouns": "robustfim_words.persons.neutral_pronouns:NeutralPronouns",
            "neutral_sentence": "robustfim_words.swaps.sentences:NeutralSentence",
            "nouns": "robustfim_words.things.nouns:Nouns",
            "numbers": "robustfim_words.things.numbers:Numbers",
            "ocr": "robustfim_words.form.slips:Ocr",
            "openers": "robustfim_words.swaps.insertions:Openers",
            "organisations": "robustfim_words.things.organisations:Organisations",
            "people": "robustfim_words.persons.people:People",
            "places": "robustfim_words.things.places:Places",
            "positive_sentence": "robustfim_words.swaps.sentences:PositiveSentence",
            "punctuation": "robustfim_words.form.punctuation:Punctuation",
            "random_words": "robustfim_words.swaps.synonyms:RandomWords",
            "regional_spelling": "robustfim_words.swaps.table_swaps:RegionalSpelling",
            "religions": "robustfim_words.things.fairness:Religions",
            "repeated_words": "robustfim_words.form.words:RepeatedWords",
            "slang": "robustfim_words.swaps.table_swaps:Slang",
            "spaces": "robustfim_words.form.kinds:Spaces",
            "synonyms": "robustfim_words.swaps.synonyms:Synonyms",
            "titles": "robustfim_words.persons.titles:Titles",
            "typos": "robustfim_words.form.typos:Typos",
            "word_breaks": "robustfim_words.form.word_breaks:WordBreaks",
        },
        "constraints": {
            "edit_distance": "robustfim_words.constraints.limits:EditDistance",
            "max_changed": "robustfim_words.constraints.limits:MaxChanged",
            "no_repeated_edit": "robustfim_words.constraints.limits:NoRepeatedEdit",
            "same_part_of_speech": "robustfim_words.constraints.same_part_of_speech:SamePartOfSpeech",
            "stop_words": "robustfim_words.constraints.limits:StopWords",
        },
        "services": {"tagger": "robustfim_words.tagging.tagged:WordTagger"},
    }


@hookimpl
def robustfim_cards() -> dict[str, Card]:
    """Return each perturbation's card: the ratings that readers gave to its edits."""
    from robustfim.record import read_cards

    folder = Path(__file__).parent
    return read_cards(folder / "cards.json") | read_cards(folder / "languages" / "cards.json")


@hookimpl
def robustfim_resources() -> Described:
    """Report whether the tagger is installed."""
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
