"""Synonyms: a word is swapped for a word of the same meaning, in the same form."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from robustfim.contract import Contract
from robustfim.errors import UsageError
from robustfim_texts import at_least, one_of
from robustfim_words.ranking.edit_ranker import EditRanker, Ranked
from robustfim_words.swaps.word_swaps import Entry, WordSwaps, antonyms, substitutes
from robustfim_words.text.lexicon import LEXICONS

__all__ = ["NearSynonyms", "RandomWords", "Synonyms"]

FROM = ("lexicon", "wordnet")
_WORDNET = {"noun": "n", "verb": "v", "adjective": "a", "adverb": "r"}
"""WordNet's signs of the parts of speech."""
_FETCH = "python -m nltk.downloader wordnet"


class Synonyms(WordSwaps):
    """Swaps a noun, verb, adjective or adverb for a synonym.

    spaCy tags the word in its sentence. The synonym takes the word's form (plural, past, comparative) and case, and the
    article before the word agrees. Names, auxiliaries, verbs with a particle ("give up"), the first noun of two ("phone
    book") and words in a quoted title are not swapped. Without spaCy, only words with one part of speech and one form
    in a dictionary are swapped (see :class:`robustfim_words.tagging.dictionary.DictionaryTagger`).

    Args:
        source: A table of lemma, part of speech (noun, verb, adjective, adverb) and substitutes, separated by
            commas; the shipped one by default.
        from_: The source of the synonyms: ``lexicon`` for the table, or ``wordnet`` for the word's commonest sense in
            WordNet 3 (Miller 1995; Fellbaum 1998), read through NLTK.
        pos: Parts of speech to swap; all by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: A lexicon, part of speech or pipeline is unknown or malformed, or NLTK or its WordNet is missing.
    """

    def __init__(
        self,
        *,
        source: Path | None = None,
        from_: str = "lexicon",
        pos: list[str] | None = None,
        pipeline: Path | str | None = None,
    ) -> None:
        super().__init__("synonyms", pos, pipeline)
        if one_of("from", from_, FROM) == "wordnet" and source is not None:
            raise UsageError(
                "'source' (a table of synonyms) and 'from: wordnet' exclude each other: leave one of the two out"
            )
        self._wordnet = _corpus() if from_ == "wordnet" else None
        self._table = substitutes(*([source] if source is not None else []))

    def resources(self) -> dict[str, str]:
        """Identify the tagger, the tables and WordNet."""
        known = {} if self._wordnet is None else {"wordnet": f"WordNet {self._wordnet.get_version()}"}
        return super().resources() | known

    def _others(self, entry: Entry, random: Random) -> Iterable[str]:
        """List the synonyms, in the lexicon's order."""
        if self._wordnet is None:
            return self._table.get(entry, ())
        return [word for word in _in_wordnet(self._wordnet, *entry) if word not in antonyms().get(entry, ())]


def _corpus() -> Any:
    """Load NLTK's WordNet."""
    if importlib.util.find_spec("nltk") is None:
        raise UsageError("from: wordnet needs NLTK: pip install 'robustfim[wordnet]'")
    from nltk.corpus import wordnet

    try:
        wordnet.ensure_loaded()
    except LookupError:
        raise UsageError(
            f"from: NLTK does not find WordNet. '{_FETCH}' fetches it; "
            "NLTK_DATA names the folder where it is, if that is not NLTK's own."
        ) from None
    return wordnet


@lru_cache(maxsize=20_000)
def _in_wordnet(corpus: Any, base: str, pos: str) -> Sequence[str]:
    """List the other lemmas of a word's first sense that are in use (seen in WordNet's tagged texts), no names."""
    synsets = corpus.synsets(base.replace(" ", "_"), pos=_WORDNET[pos])[:1]
    counts = {lemma.name().replace("_", " "): lemma.count() for synset in synsets for lemma in synset.lemmas()}
    found = [name for name, count in counts.items() if name != base and name.isalpha() and name.islower() and count]
    return sorted(found, key=lambda name: (-counts[name], name))


class NearSynonyms(Ranked, WordSwaps):
    """Swaps a word for a word of similar meaning; the new word fits less often than with ``synonyms``.

    The new word takes the form and case of the old word, and the article before it agrees, as with ``synonyms``.

    Args:
        source: A table of lemma, part of speech (noun, verb, adjective, adverb) and substitutes, separated by
            commas; the shipped one by default.
        pos: Parts of speech to swap; all by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.
        ranker: The folder of the encoder all-MiniLM-L6-v2. If you name it, the edit ranker chooses the most natural of
            at most eight edits of each place.

    Raises:
        UsageError: A lexicon, part of speech or pipeline is unknown or malformed, or ``ranker`` holds another encoder.
    """

    def __init__(
        self,
        *,
        source: Path | None = None,
        pos: list[str] | None = None,
        pipeline: Path | str | None = None,
        ranker: Path | None = None,
    ) -> None:
        super().__init__("near_synonyms", pos, pipeline)
        self._ranker = None if ranker is None else EditRanker(ranker)
        self._table = substitutes(source or LEXICONS / "near_synonyms.tsv")

    def _others(self, entry: Entry, random: Random) -> Iterable[str]:
        """List the near synonyms, in the lexicon's order."""
        return self._table.get(entry, ())


class RandomWords(WordSwaps):
    """Swaps a word for a random word of its part of speech, as a baseline for perturbations that keep the meaning.

    The new words come from the shipped table of synonyms and take the form of the old word, as with ``synonyms``. They
    may change the meaning completely. A model whose output never changes under this perturbation ignores the words.

    Args:
        alternatives: The number of new words offered for each word, drawn at random, at least 1.
        pos: Parts of speech to swap; all by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: A part of speech or pipeline is unknown, or ``alternatives`` is below 1.
    """

    contract = Contract(keeps="nothing", noise=True)

    def __init__(
        self, *, alternatives: int = 2, pos: list[str] | None = None, pipeline: Path | str | None = None
    ) -> None:
        super().__init__("random_words", pos, pipeline)
        self._alternatives = at_least("alternatives", alternatives, 1)
        self._words: dict[str, list[str]] = {}
        for word, its_pos in substitutes():
            if " " not in word:
                self._words.setdefault(its_pos, []).append(word)

    def _others(self, entry: Entry, random: Random) -> Iterable[str]:
        """Draw words of the part of speech."""
        words = self._words[entry[1]]
        return [word for word in random.sample(words, min(self._alternatives, len(words))) if word != entry[0]]
