"""Ties: what belongs to one nation, city or organisation only, such as its leader, its landmark or its product."""

from __future__ import annotations

from functools import lru_cache

from robustfim.example import Example
from robustfim_words.text.gazetteer import Gazetteer
from robustfim_words.text.lexicon import LEXICONS, listed, read_table
from robustfim_words.text.tokens import Tagged

__all__ = ["owners"]


def owners(example: Example, tokens: Tagged) -> set[str]:
    """List the names that a text has something of: for "Wenger" and "Golden Gate" they are Arsenal and San Francisco.

    Such a name stays, and takes no other name's place.

    Args:
        example: The example.
        tokens: The tokens of each field.
    """
    found = set[str]()
    for field, text in example.fields.items():
        for index, token in enumerate(tokens[field]):
            match = _ties().match(tokens[field], index)
            written = text[token.start : match.end] if match else ""
            for tie, names in match.entry.items() if match else ():
                cased = written[0].isupper() or text.islower() or tie.islower()
                if cased and tie.isupper() <= written.isupper():
                    found |= names
    return found


@lru_cache(maxsize=1)
def _ties() -> Gazetteer[dict[str, set[str]]]:
    ties: dict[str, dict[str, set[str]]] = {}
    for name, its in read_table(LEXICONS / "ties.tsv", ("name", "ties")):
        for tie in listed(its):
            ties.setdefault(tie.casefold(), {}).setdefault(tie, set()).add(name)
    return Gazetteer(ties.items())
