"""Synonyms: a word gives way to one that means the same, in the same form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from robustfim.candidate import Edit
from robustfim.example import Example
from robustfim_words import inflection
from robustfim_words.articles import swap
from robustfim_words.casing import like
from robustfim_words.idioms import in_idiom
from robustfim_words.lexicon import LEXICONS, read_table
from robustfim_words.names import in_name, in_title
from robustfim_words.options import some_of
from robustfim_words.tagging import check_pipeline, tagger
from robustfim_words.tokens import Token, base_of

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["POS", "Synonyms"]

POS = {"noun": "NOUN", "verb": "VERB", "adjective": "ADJ", "adverb": "ADV"}
"""The parts of speech of the lexicons, and their UPOS."""

_PARTICLES = frozenset(["up", "out", "off", "away", "down", "over", "along", "back"])
_ANTONYMS = LEXICONS / "antonyms.tsv"
_TAGS = {
    "NN": "noun",
    "NNS": "noun",
    "VB": "verb",
    "VBD": "verb",
    "VBG": "verb",
    "VBN": "verb",
    "VBP": "verb",
    "VBZ": "verb",
    "JJ": "adjective",
    "JJR": "adjective",
    "JJS": "adjective",
    "RB": "adverb",
    "RBR": "adverb",
    "RBS": "adverb",
}


class Synonyms:
    """Swaps a noun, verb, adjective or adverb for a synonym.

    The part of speech is the word's in its sentence, by spaCy; the synonym takes the word's fine form (plural,
    past, comparative), its case, and the article before it. Names, auxiliaries, verbs with a particle
    ("give up"), the first noun of two ("phone book"), idioms and words in a quoted title stay. Without spaCy only words
    with a single reading in lemminflect's dictionary are swapped (see
    :class:`robustfim_words.dictionary.DictionaryTagger`).

    Args:
        source: A table of lemma, part of speech (noun, verb, adjective, adverb) and substitutes, separated by
            commas; the shipped one by default.
        pos: Parts of speech to swap; all by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: A lexicon, part of speech or pipeline is unknown or malformed.
    """

    def __init__(
        self,
        *,
        source: Path | None = None,
        pos: list[str] | None = None,
        pipeline: Path | str | None = None,
    ) -> None:
        check_pipeline(pipeline)
        self._pos = frozenset(some_of("pos", pos, POS))
        self._pipeline = pipeline
        self._substitutes = _read(source or LEXICONS / "synonyms.tsv")

    def prepare(self, context: Context) -> None:
        """Tag the run's texts in batches."""
        tagger(self._pipeline).prepare(context)

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the swaps of each word, in the lexicon's order.

        Args:
            example: The source example.
            random: Not used: the list is complete.
        """
        for field, text in example.fields.items():
            tokens = tagger(self._pipeline).tag(text)
            fixed = in_title(text, tokens) | in_idiom(tokens)
            for index, token in enumerate(tokens):
                if token.tag in _TAGS and index not in fixed and _ordinary(tokens, index):
                    yield from self._swaps(field, text, tokens, index)

    def _swaps(self, field: str, text: str, tokens: Sequence[Token], index: int) -> Iterator[Edit]:
        """List the swaps of one word."""
        token = tokens[index]
        word, end = base_of(token)
        pos = _TAGS[token.tag]
        base = inflection.lemma(word, token.tag)
        if pos not in self._pos or base is None:
            return
        for substitute in self._substitutes.get((base, pos), ()):
            form = inflection.inflect(substitute, token.tag)
            plural_unmarked = token.tag == "NNS" and form == substitute
            if form is not None and not plural_unmarked and like(word, form) != word:
                yield swap(field, text, tokens, index, form, f"synonyms: {base} → {substitute}", end=end)


def _ordinary(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a word stands for its own: no auxiliary, name, or part of a phrasal verb or a compound."""
    token = tokens[index]
    if token.pos != POS[_TAGS[token.tag]] or in_name(tokens, index):
        return False
    follower = tokens[index + 1] if index + 1 < len(tokens) else None
    if follower is None:
        return True
    if token.pos == "VERB":
        return follower.tag != "RP" and follower.text.lower() not in _PARTICLES
    return not (token.pos == "NOUN" and base_of(token)[1] == token.end and follower.tag in ("NN", "NNS"))


def _read(path: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    """Read the lexicon, without the pairs that the table of antonyms knows as opposites."""
    part = "part of speech: " + "|".join(POS)
    opposites = {(word, pos, other) for word, pos, other in read_table(_ANTONYMS, ("word", part, "antonym"))}
    substitutes: dict[tuple[str, str], tuple[str, ...]] = {}
    for base, pos, listed in read_table(path, ("lemma", part, "substitutes")):
        words = [
            word
            for word in (cell.strip() for cell in listed.split(","))
            if word not in ("", base) and not {(base, pos, word), (word, pos, base)} & opposites
        ]
        substitutes[base, pos] = tuple(dict.fromkeys((*substitutes.get((base, pos), ()), *words)))
    return substitutes
