"""The resources of this plugin, the shipped lexicons and the tagger, and a check that they are installed."""

from __future__ import annotations

import json

from robustfim_words.tagging.tagger import SHIPPED, with_spacy
from robustfim_words.text.lexicon import LEXICONS

__all__ = ["TABLES", "resources"]

TABLES = (
    *("abbreviations.tsv", "accents.txt", "adverbs.tsv", "agreement.tsv", "antonyms.tsv"),
    *("census.tsv", "cities.tsv", "classes.tsv", "clues.tsv", "commonness.tsv", "companies.tsv"),
    *("compounds.tsv", "contractions.tsv"),
    *("country_regions.tsv", "denials.tsv", "gender_words.tsv", "gradable.tsv", "homophones.tsv"),
    *("identities.tsv", "intensifiers.tsv", "judged.tsv", "links.txt", "meant_otherwise.tsv"),
    "misspellings.tsv",
    *("names.tsv", "nationalities.tsv", "near_synonyms.tsv", "nouns.tsv", "numbers.tsv", "openers.tsv", "opinions.tsv"),
    *("organisations.tsv", "people.tsv", "places.tsv", "pronouns.tsv", "regional_spelling.tsv"),
    *("religions.tsv", "reports.tsv", "slang.tsv", "synonyms.tsv", "thinned.tsv", "titles.tsv"),
    "types.tsv",
)
"""The files of the folder of lexicons."""

_REPAIR = "install robustfim again."


def resources() -> dict[str, tuple[str, str]]:
    """Check that this plugin's lexicon files and its part-of-speech tagger are installed, without loading them.

    Returns:
        A mapping from ``lexicons`` and ``tagger`` to a state and a sentence that explains the state.
    """
    return {"lexicons": _lexicons(), "tagger": _tagger()}


def _lexicons() -> tuple[str, str]:
    missing = [name for name in TABLES if not _filled(name)]
    if missing:
        return "problem", f"missing or empty: {', '.join(name.partition('.')[0] for name in missing)}; {_REPAIR}"
    return "ok", ", ".join(name.partition(".")[0] for name in TABLES)


def _filled(name: str) -> bool:
    path = LEXICONS / name
    return path.is_file() and path.stat().st_size > 0


def _tagger() -> tuple[str, str]:
    try:
        meta = json.loads((SHIPPED / "meta.json").read_text(encoding="utf-8"))
        named = f"{meta['lang']}_{meta['name']} {meta['version']}"
    except (OSError, ValueError, KeyError) as error:
        return "problem", f"the shipped pipeline cannot be read ({type(error).__name__}); {_REPAIR}"
    missing = [part for part in meta.get("pipeline", ()) if not (SHIPPED / part).is_dir()]
    if missing:
        return "problem", f"the shipped pipeline lacks {', '.join(missing)}; {_REPAIR}"
    if not with_spacy():
        way_out = "without it words are tagged by a dictionary. pip install 'robustfim[spacy]'"
        return "note", f"{named} needs spaCy; {way_out}"
    return "ok", named
