"""Word swaps: a noun, verb, adjective or adverb is swapped for another word, in the same form."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from random import Random

from robustfim.candidate import Edit
from robustfim_texts import some_of
from robustfim_words.persons.names import in_name
from robustfim_words.tagging.resourced import Editing, WithTagger
from robustfim_words.tagging.tagger import check_pipeline
from robustfim_words.text import inflection
from robustfim_words.text.articles import swap
from robustfim_words.text.guard import fixed
from robustfim_words.text.lexicon import LEXICONS, closed_class, listed, read_table
from robustfim_words.text.tokens import Tokens, token_at

__all__ = ["POS", "TAGS", "Entry", "WordSwaps", "antonyms", "better", "substitutes"]

Entry = tuple[str, str]
"""A lemma and its part of speech: noun, verb, adjective or adverb."""

POS = {"noun": "NOUN", "verb": "VERB", "adjective": "ADJ", "adverb": "ADV"}
"""The parts of speech of the lexicons, and their UPOS."""

_PART = "part of speech: " + "|".join(POS)
_ENDING = 6
"""The largest number of letters of an adjective that takes "-er" rather than "more": "smart"."""
TAGS = {
    **dict.fromkeys(("NN", "NNS"), "noun"),
    **dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"), "verb"),
    **dict.fromkeys(("JJ", "JJR", "JJS"), "adjective"),
    **dict.fromkeys(("RB", "RBR", "RBS"), "adverb"),
}
"""Fine tags of the open classes, and the part of speech of the lexicons."""


class WordSwaps(WithTagger, Editing):
    """Swaps nouns, verbs, adjectives and adverbs for new words, which a subclass supplies.

    Args:
        name: The perturbation's name, for the origin of the edits.
        pos: Parts of speech to swap; None for all.
        pipeline: A spaCy pipeline, installed or a folder; None for the shipped pipeline.

    Raises:
        UsageError: A part of speech or pipeline is unknown.
    """

    def __init__(self, name: str, pos: list[str] | None, pipeline: Path | str | None) -> None:
        self._name, self._pipeline = name, check_pipeline(pipeline)
        self._pos = frozenset(some_of("pos", pos, POS))

    def _edits(self, field: str, text: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
        """List the swaps of each word."""
        for index in self._places(text, tokens):
            yield from self._swaps(field, text, tokens, index, random)

    def _places(self, text: str, tokens: Tokens) -> Iterator[int]:
        """List the words that may be swapped where they stand."""
        kept = fixed(text, tokens)
        for index, token in enumerate(tokens):
            if token.tag in TAGS and index not in kept and _ordinary(tokens, index):
                yield index

    @abstractmethod
    def _others(self, entry: Entry, random: Random) -> Iterable[str]:
        """List the words, in their dictionary form, that may take the place of a form of an entry."""

    def _swaps(self, field: str, text: str, tokens: Tokens, index: int, random: Random) -> Iterator[Edit]:
        """List the swaps of one word."""
        token = tokens[index]
        word = token.base
        pos = TAGS[token.tag]
        base = inflection.lemma(word, token.tag)
        if pos not in self._pos or base is None:
            return
        degree = pos == "adjective" and token_at(tokens, index - 1).small in closed_class("degrees")
        for other in self._others((base, pos), random):
            form = inflection.inflect(other, token.tag)
            plural_unmarked = token.tag == "NNS" and form == other
            ends = degree and len(other) <= _ENDING
            if form is not None and not plural_unmarked and not ends:
                yield swap(field, text, tokens, index, form, f"{self._name}: {base} → {other}", end=token.base_end)


def _ordinary(tokens: Tokens, index: int) -> bool:
    """Tell whether a word stands for its own: no auxiliary, name, or part of a phrasal verb or a compound."""
    token = tokens[index]
    if token.pos != POS[TAGS[token.tag]] or in_name(tokens, index):
        return False
    follower = token_at(tokens, index + 1)
    if token.pos == "VERB":
        return follower.tag != "RP"
    return not (token.pos == "NOUN" and token.base_end == token.end and follower.tag in ("NN", "NNS"))


@lru_cache(maxsize=8)
def antonyms(path: Path = LEXICONS / "antonyms.tsv") -> Mapping[Entry, tuple[str, ...]]:
    """Read a table of antonyms. Each pair is listed in both directions.

    Args:
        path: A table of word, part of speech and antonym; the shipped table by default.

    Raises:
        UsageError: The table is malformed.
    """
    found: dict[Entry, dict[str, None]] = {}
    for word, pos, other in read_table(path, ("word", _PART, "antonym")):
        found.setdefault((word, pos), {})[other] = None
        found.setdefault((other, pos), {})[word] = None
    return {entry: tuple(others) for entry, others in found.items()}


@lru_cache(maxsize=8)
def better(path: Path) -> frozenset[Entry]:
    """Return the more positive words of a table of antonyms: the first word of each pair.

    Args:
        path: As for :func:`antonyms`.
    """
    return frozenset((word, pos) for word, pos, _ in read_table(path, ("word", _PART, "antonym")))


@lru_cache(maxsize=8)
def substitutes(path: Path = LEXICONS / "synonyms.tsv") -> Mapping[Entry, tuple[str, ...]]:
    """Read a table of synonyms, without pairs that the table of antonyms lists as opposites.

    Args:
        path: A table of lemma, part of speech and substitutes, separated by commas; the shipped one by default.

    Raises:
        UsageError: The table is malformed.
    """
    found: dict[Entry, list[str]] = {}
    for base, pos, cell in read_table(path, ("lemma", _PART, "substitutes")):
        barred = {base, *antonyms().get((base, pos), ())}
        found.setdefault((base, pos), []).extend(word for word in listed(cell) if word not in barred)
    return {entry: tuple(dict.fromkeys(words)) for entry, words in found.items()}
