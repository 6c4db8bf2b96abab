"""Words: perturbations that swap, rename, misspell and rewrite, and the constraints that fit them.

This is the plugin's face, which imports nothing heavy: the classes are loaded when a suite names them.
"""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_constraints", "robustfim_perturbations", "robustfim_resources", "robustfim_tagger"]


@hookimpl
def robustfim_perturbations() -> dict[str, str]:
    """Offer the perturbations."""
    return {
        "abbreviations": "robustfim_words.table_swaps:Abbreviations",
        "accents": "robustfim_words.accents:Accents",
        "adverbs": "robustfim_words.insertions:Adverbs",
        "antonyms": "robustfim_words.synonyms:Antonyms",
        "articles": "robustfim_words.article_errors:Articles",
        "case": "robustfim_words.case:Case",
        "contractions": "robustfim_words.contractions:Contractions",
        "drop_sentence": "robustfim_words.sentences:DropSentence",
        "elongations": "robustfim_words.elongations:Elongations",
        "gender": "robustfim_words.gender_swap:Gender",
        "homoglyphs": "robustfim_words.homoglyphs:Homoglyphs",
        "homophones": "robustfim_words.table_swaps:Homophones",
        "hyphens": "robustfim_words.hyphens:Hyphens",
        "intensifiers": "robustfim_words.insertions:Intensifiers",
        "invisible": "robustfim_words.invisible:Invisible",
        "links": "robustfim_words.sentences:Links",
        "misspellings": "robustfim_words.table_swaps:Misspellings",
        "name_origins": "robustfim_words.name_origins:NameOrigins",
        "nationalities": "robustfim_words.fairness:Nationalities",
        "near_synonyms": "robustfim_words.synonyms:NearSynonyms",
        "negation": "robustfim_words.negation:Negation",
        "negative_sentence": "robustfim_words.sentences:NegativeSentence",
        "neighbours": "robustfim_words.neighbours:Neighbours",
        "neutral_sentence": "robustfim_words.sentences:NeutralSentence",
        "nouns": "robustfim_words.nouns:Nouns",
        "numbers": "robustfim_words.numbers:Numbers",
        "ocr": "robustfim_words.ocr:Ocr",
        "openers": "robustfim_words.insertions:Openers",
        "organisations": "robustfim_words.organisations:Organisations",
        "people": "robustfim_words.people:People",
        "places": "robustfim_words.places:Places",
        "positive_sentence": "robustfim_words.sentences:PositiveSentence",
        "punctuation": "robustfim_words.punctuation:Punctuation",
        "random_words": "robustfim_words.synonyms:RandomWords",
        "regional_spelling": "robustfim_words.table_swaps:RegionalSpelling",
        "religions": "robustfim_words.fairness:Religions",
        "repeated_words": "robustfim_words.repeated_words:RepeatedWords",
        "slang": "robustfim_words.table_swaps:Slang",
        "spaces": "robustfim_words.spaces:Spaces",
        "synonyms": "robustfim_words.synonyms:Synonyms",
        "titles": "robustfim_words.titles:Titles",
        "typos": "robustfim_words.typos:Typos",
        "word_breaks": "robustfim_words.word_breaks:WordBreaks",
    }


@hookimpl
def robustfim_constraints() -> dict[str, str]:
    """Offer the constraints."""
    return {
        "same_part_of_speech": "robustfim_words.same_part_of_speech:SamePartOfSpeech",
        "max_changed": "robustfim_words.limits:MaxChanged",
        "edit_distance": "robustfim_words.limits:EditDistance",
        "stop_words": "robustfim_words.stop_words:StopWords",
        "no_repeated_edit": "robustfim_words.repetition:NoRepeatedEdit",
        "similarity": "robustfim_words.similarity:Similarity",
        "perplexity": "robustfim_words.perplexity:Perplexity",
    }


@hookimpl
def robustfim_tagger() -> str:
    """Offer the parts of speech that the perturbations go by."""
    return "robustfim_words.tagged:WordTagger"


@hookimpl
def robustfim_resources() -> dict[str, tuple[str, str]]:
    """Tell whether the lexicons and the tagger are there."""
    from robustfim_words.resources import resources

    return resources()
