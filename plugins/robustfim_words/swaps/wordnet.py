"""WordNet: synonyms of a word's commonest sense, through NLTK."""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from typing import Any

from robustfim.errors import UsageError
from robustfim_words.swaps.word_swaps import Entry, antonyms

__all__ = ["WordNet"]

_POS = {"noun": "n", "verb": "v", "adjective": "a", "adverb": "r"}
_SENSES = 1
_FETCH = "python -m nltk.downloader wordnet"


class WordNet:
    """Looks up synonyms in WordNet 3 (Miller 1995; Fellbaum 1998).

    Raises:
        UsageError: NLTK or its WordNet data is not installed. The message has the command that installs it.
    """

    def __init__(self) -> None:
        if importlib.util.find_spec("nltk") is None:
            raise UsageError("from: wordnet needs NLTK: pip install 'robustfim[wordnet]'")
        self._corpus = _corpus()

    @property
    def version(self) -> str:
        """The version of WordNet, read from its files."""
        return f"WordNet {self._corpus.get_version()}"

    def get(self, entry: Entry, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """List the synonyms of an entry's first sense, commonest first; antonyms and names are left out.

        Args:
            entry: A lemma and its part of speech.
            default: The value for an entry without synonyms.
        """
        base, pos = entry
        found = _synonyms(self._corpus, base, _POS[pos])
        opposites = antonyms().get(entry, ())
        return tuple(word for word in found if word not in opposites) or default


def _corpus() -> Any:
    """Load NLTK's WordNet."""
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
def _synonyms(corpus: Any, base: str, pos: str) -> tuple[str, ...]:
    """List the other lemmas of a word's first sense that are in use: seen in WordNet's tagged texts."""
    found: dict[str, int] = {}
    for synset in corpus.synsets(base.replace(" ", "_"), pos=pos)[:_SENSES]:
        for lemma in synset.lemmas():
            name = lemma.name().replace("_", " ")
            if name != base and name.isalpha() and name.islower() and lemma.count():
                found.setdefault(name, lemma.count())
    return tuple(sorted(found, key=lambda name: (-found[name], name)))
