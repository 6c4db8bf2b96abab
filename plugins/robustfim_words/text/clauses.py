"""Clauses: finite verbs, statements, the beginning of a clause up to a word, and a text's only sentence."""

from __future__ import annotations

from itertools import pairwise, takewhile

from robustfim_words.text.guard import in_headline
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.tokens import Token, Tokens, sentences

__all__ = ["FINITE", "NOUNS", "clause", "main_clauses", "only_sentence", "stated"]

FINITE = ("VBZ", "VBD", "VBP", "MD")
"""Tags of finite verbs."""
NOUNS = ("NN", "NNS", "NNP", "NNPS", "PRP", "DT", "EX")
"""Tags of nouns and pronouns."""
_ENDS = (*FINITE, ",", ":", "CC", "``", "''")
"""Tags at which the search for the beginning of a clause, from right to left, ends."""
_COMPARED = 4
"""The largest number of words from one "as" to the other: "as much fun as"."""
_EXCLAIMED = 3
"""The largest number of words and marks of an exclamation."""


def only_sentence(tokens: Tokens) -> tuple[int, ...]:
    """Return the index of the token that begins the only sentence of a text; empty if there are several sentences.

    Exclamations of up to three words and marks do not count, unless the text has nothing else.
    """
    starts = [place for place, token in enumerate(tokens) if token.starts]
    lengths = [end - start for start, end in pairwise([*starts, len(tokens)])]
    said = [start for start, length in zip(starts, lengths, strict=True) if length > _EXCLAIMED]
    return tuple(said or starts) if len(said or starts) == 1 else ()


def clause(tokens: Tokens, index: int, first: int = 0) -> list[Token]:
    """Return the tokens of a clause before the token at ``index``, the nearest first.

    Args:
        tokens: The tagged tokens of a text.
        index: Index of a token in the clause.
        first: Index of the first token of the sentence.
    """
    return list(takewhile(lambda token: token.tag not in _ENDS, tokens[first:index][::-1]))


def main_clauses(said: Tokens) -> int:
    """Count the main clauses of a sentence by their finite verbs.

    A verb does not count in a clause inside another one, behind "who" or in "the film I saw", or right behind "and".
    """
    found, inside = 0, False
    for place, token in enumerate(said):
        bare = place > 1 and said[place - 1].small in closed_class("subjects alone") and said[place - 2].tag[:2] == "NN"
        if bare or token.small in closed_class("begins a clause"):
            inside = True
        if token.tag in FINITE:
            found += not inside and said[place - 1].tag != "CC"
            inside = False
    return found


def stated(tokens: Tokens) -> frozenset[int]:
    """Find the words of a text that belong to statements, not to questions, requests or conditions.

    Args:
        tokens: The tagged tokens of a text.

    Returns:
        The indices of all tokens except those of headlines, questions and requests ("Never trust it"), conditions and
        comparisons. A condition or comparison extends from "if" or "than", or from the second "as" of "as much as", to
        the next comma.
    """
    found, headline = set[int](), in_headline(tokens)
    for sentence in sentences(tokens):
        said = [tokens[place] for place in sentence]
        requested = said[0].small in closed_class("begins a request") and len(said) > 1 and said[1].tag == "VB"
        if requested or said[0].tag == "VB" or any(token.text == "?" for token in said[-2:]):
            continue
        supposed, likened = False, -_COMPARED
        for place in sentence:
            small = tokens[place].small
            if small in closed_class("ends a condition"):
                supposed = False
            if small in closed_class("begins a condition") or (small == "as" and place - likened < _COMPARED):
                supposed = True
            likened = place if small == "as" else likened
            if not supposed and place not in headline:
                found.add(place)
    return frozenset(found)
