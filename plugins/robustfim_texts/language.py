"""Recognise the language of a text by its script and its function words, and the main language of a data set."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from robustfim.example import Example

__all__ = ["LANGUAGES", "language_of", "language_shares", "main_language"]

_WORD = re.compile(r"[^\W\d_]{2,}(?:['’][^\W\d_]+)?")
_FEWEST = 2
"""The number of function words that a text must have to be in another language than most texts."""
_MOST = 0.9
"""The smallest fraction of the texts of a clear language that makes their language the main one."""
_CLEAR = 10
"""The fewest texts of a clear language that are counted one by one."""
_READ = 1000
"""The most examples of a data set that are read."""


def _table() -> Sequence[Sequence[str]]:
    lines = Path(__file__).with_name("languages.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


LANGUAGES: Mapping[str, str] = {code: name for code, name, _ in _table()}
"""The English names of the languages that are recognised, by their ISO 639-1 codes."""


@lru_cache(maxsize=8192)
def language_of(text: str, main: str = "") -> str:
    """Recognise the language of a text.

    Args:
        text: The text.
        main: The code of the language that most texts of the data set have, or "". A text is in another language if it
            has two or more function words of that language, and more than of the main language.

    Returns:
        The ISO 639-1 code of the language with the most function words in the text; ``main`` if no other language is
        clear; "" if the main language is unknown, too, or if most letters are not Latin.

    >>> language_of("Das ist nicht gut"), language_of("Tod allen Juden"), language_of("Tod allen Juden", "de")
    ('de', '', 'de')
    """
    words = frozenset(word.lower().replace("’", "'") for word in _WORD.findall(text))
    letters = [letter for word in words for letter in word if letter.isalpha()]
    latin = sum(letter.isascii() or unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    if latin * 2 < len(letters):
        return ""
    counts = {code: len(known & words) for code, known in _function_words().items()}
    most = max(counts.values())
    if main and (most < _FEWEST or counts.get(main, 0) == most):
        return main
    clear = [code for code, count in counts.items() if count == most > 0]
    return clear[0] if len(clear) == 1 else main


@cache
def _function_words() -> Mapping[str, frozenset[str]]:
    return {code: frozenset(words.split()) for code, _, words in _table()}


def language_shares(examples: Sequence[Example]) -> dict[str, float]:
    """Count the languages of a data set, by at most 1,000 of its examples.

    Returns:
        Maps a language code to its fraction of the texts whose language is clear, the commonest language first; empty
        if no text has a clear language.
    """
    counts = _counts(_texts(examples))
    return {code: count / counts.total() for code, count in counts.most_common()}


def main_language(examples: Sequence[Example], default: str = "") -> str:
    """Return the language of at least 90 % of the texts of a data set that have a clear language.

    Args:
        examples: The data, of which at most 1,000 are read. If fewer than ten texts have a clear language, all texts
            are joined and recognised as one text.
        default: The code to return if the language is not clear.

    Returns:
        The language's code; "" for a data set of several languages.
    """
    texts = _texts(examples)
    counts = _counts(texts)
    if counts.total() < _CLEAR:
        return language_of("\n".join(texts), default)
    code, count = counts.most_common(1)[0]
    return code if count >= _MOST * counts.total() else ""


def _texts(examples: Sequence[Example]) -> list[str]:
    step = max(1, len(examples) // _READ)
    return [text for place in range(0, len(examples), step) for text in examples[place].fields.values()]


def _counts(texts: Iterable[str]) -> Counter[str]:
    return Counter(code for text in texts if (code := language_of(text)))
