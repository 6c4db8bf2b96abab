"""The tags that a rule may name: coarse tags (UPOS) and fine tags (Penn Treebank)."""

from __future__ import annotations

from typing import Literal

__all__ = ["COARSE", "FINE", "kind_of"]

COARSE = frozenset(
    (
        *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM"),
        *("PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB"),
    )
)
"""Universal parts of speech, but for X, the rest: an X in a rule is the letter."""

FINE = frozenset(
    (
        *("CC", "CD", "DT", "EX", "FW", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NN", "NNP", "NNPS", "NNS", "PDT", "POS"),
        *("PRP", "PRP$", "RB", "RBR", "RBS", "RP", "TO", "UH", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ"),
        *("WDT", "WP", "WP$", "WRB"),
    )
)
"""Tags of the Penn Treebank for words; its tags for marks, such as ``.``, are the marks themselves."""


def kind_of(tag: str) -> Literal["coarse", "fine", ""]:
    """Return the kind of a tag, or ``""`` if the text is not a tag.

    >>> kind_of("NOUN"), kind_of("NNS"), kind_of("noun")
    ('coarse', 'fine', '')
    """
    return "coarse" if tag in COARSE else "fine" if tag in FINE else ""
