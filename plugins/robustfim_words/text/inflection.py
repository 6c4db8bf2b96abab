"""Lemmas and inflected forms of English words, by lemminflect's tables."""

from __future__ import annotations

import gzip
import importlib.util
import sys
from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple

__all__ = ["inflect", "is_word", "lemma", "parts_of_speech"]

_UPOS = {"N": "NOUN", "V": "VERB", "J": "ADJ", "R": "ADV"}


class _Tables(NamedTuple):
    """lemminflect's two singletons."""

    lemmas: Any
    inflections: Any


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    """Load lemminflect's tables when they are first needed, without spaCy: only its face imports that, to hook in.

    The face stands aside while the rooms behind it are imported; whoever imports lemminflect later gets it whole.
    """
    face = sys.modules.get("lemminflect")
    if face is None:
        spec = importlib.util.find_spec("lemminflect")
        shell = ModuleType("lemminflect")
        shell.__path__ = list(spec.submodule_search_locations or ()) if spec else []
        sys.modules["lemminflect"] = shell
    try:
        from lemminflect.core.Inflections import Inflections
        from lemminflect.core.Lemmatizer import Lemmatizer
    finally:
        if face is None:
            sys.modules.pop("lemminflect", None)
    return _Tables(Lemmatizer(), Inflections())


@lru_cache(maxsize=20_000)
def parts_of_speech(word: str) -> dict[str, tuple[str, ...]]:
    """Look up the possible parts of speech of a word and its lemmas for each of them.

    Args:
        word: A word as written. Case matters only where the dictionary distinguishes it.

    Returns:
        A mapping from parts of speech (UPOS: ``NOUN``, ``VERB``, ``ADJ``, ``ADV``, ``AUX``, ``PROPN``) to lemmas; empty
        for an unknown word.
    """
    lemmas, lowered = _tables().lemmas, word.lower()
    # Most words that are asked for are none, and lemminflect copies two tables' entries to say so.
    if lowered not in lemmas._getLemmaDict() and lowered not in lemmas._getOverridesDict():
        return {}
    found: dict[str, tuple[str, ...]] = lemmas.getAllLemmas(lowered, None)
    return found


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    """Read the words alone: that takes a sixth of the time of the whole table, which holds no names."""
    lemmas = _tables().lemmas
    with gzip.open(lemmas.lemma_lu_fn, "rt", encoding="utf-8") as table:
        words = {line.partition(",")[0] for line in table.read().splitlines()}
    return frozenset(words | lemmas._getOverridesDict().keys())


def is_word(word: str) -> bool:
    """Check whether a word in small letters is in the dictionary, and not only as a name."""
    return word.lower() in _words()


@lru_cache(maxsize=20_000)
def lemma(word: str, tag: str, *, rules: bool = True) -> str | None:
    """Find the dictionary form of a word.

    Args:
        word: The word as written.
        tag: The word's fine tag (Penn Treebank), of a noun, verb, adjective or adverb.
        rules: Whether lemminflect's rules are used for words that its tables lack ("acts" as a noun).

    Returns:
        The lemma whose inflected form for ``tag`` is the word; None for tags of other parts of speech, and if no lemma
        fits. An adjective or adverb in its plain form that the tables lack ("gripping", "well-made") is its own lemma,
        unless ``rules`` is False.
    """
    lowered, pos = word.lower(), _UPOS.get(tag[:1], "")
    for base in parts_of_speech(lowered).get(pos, ()):
        forms = _forms(base, tag)
        if lowered in forms and (lowered == forms[0] or lowered != base):
            return base
    if rules and tag in ("JJ", "RB"):
        return lowered
    if not rules or not pos or pos in parts_of_speech(lowered):
        return None
    by_rule: dict[str, tuple[str, ...]] = _tables().lemmas.getAllLemmasOOV(lowered, pos)
    return next((base for base in by_rule.get(pos, ()) if lowered in _forms(base, tag, rules=True)), None)


@lru_cache(maxsize=50_000)
def _forms(base: str, tag: str, *, rules: bool = False) -> tuple[str, ...]:
    """List the forms of a lemma under a tag, by the tables only or also by lemminflect's rules."""
    if tag in ("NN", "VB", "JJ", "RB", "VBP") and base != "be":
        return (base,)
    forms: tuple[str, ...] = _tables().inflections.getInflection(base, tag, rules)
    return forms


def inflect(base: str, tag: str) -> str | None:
    """Inflect a dictionary form.

    Args:
        base: A lemma of one or several words. Of several words, the first is inflected for a verb and in nouns such as
            "point of view", else the last.
        tag: The fine tag (Penn Treebank) of the result.

    Returns:
        The commonest form; None if the word has no comparative or superlative in one word (``JJR`` of "interesting").

    >>> inflect("movie", "NNS"), inflect("turn down", "VBD"), inflect("interesting", "JJR")
    ('movies', 'turned down', None)
    """
    words = base.split(" ")
    place = 0 if tag.startswith("V") or "of" in words[1:2] else -1
    forms = _forms(words[place], tag) or _forms(words[place], tag, rules=tag[0] in "NV")
    if not forms:
        return None
    words[place] = forms[0]
    return " ".join(words)
