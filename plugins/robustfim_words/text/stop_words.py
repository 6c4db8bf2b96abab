"""Stop words: the small words that carry grammar, and the constraint that keeps them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from robustfim.candidate import Candidate
from robustfim.contract import ConstraintContract
from robustfim.errors import UsageError
from robustfim_words.text.tokens import tokenise

__all__ = ["STOP_WORDS", "StopWords", "read_stop_words"]

STOP_WORDS = Path(__file__).parents[1] / "stop_words.txt"
"""The shipped list: articles, pronouns, auxiliaries, conjunctions, prepositions, negations, particles."""

_PARTS = ("n't", "'s", "'re", "'ve", "'ll", "'d", "'m")


class StopWords:
    """Rejects edits of stop words. An article that only follows the word behind it ("an hour") is no such edit.

    Args:
        path: A list of stop words, one a line; the shipped one of English function words by default.

    Raises:
        UsageError: The list cannot be read or is empty.
    """

    contract = ConstraintContract(per_edit=True)

    def __init__(self, *, path: Path | None = None) -> None:
        self._words = read_stop_words(path or STOP_WORDS)

    def reject(self, candidate: Candidate) -> str | None:
        """Reject if a word that an edit takes away, or changes, is a stop word or a contraction of one."""
        for edit in candidate.edits:
            before = [token.text.lower() for token in tokenise(edit.before) if token.kind == "word"]
            after = [token.text.lower() for token in tokenise(edit.after) if token.kind == "word"]
            if before and after and before[0] in ("a", "an") and after[0] in ("a", "an"):
                before, after = before[1:], after[1:]
            if any(self._stops(word) for word in before if before.count(word) > after.count(word)):
                return "stop word"
        return None

    def _stops(self, word: str) -> bool:
        """Tell whether a word, or what a contraction leans on, is a stop word."""
        straight = word.replace("’", "'")
        bases = (straight.removesuffix(part) for part in _PARTS)
        return straight in self._words or any(base != straight and base in self._words for base in bases)


@lru_cache(maxsize=8)
def read_stop_words(path: Path) -> frozenset[str]:
    """Read a list of words.

    Args:
        path: A UTF-8 file, one word a line, ``#`` at the beginning of comments.

    Returns:
        The words in small letters.

    Raises:
        UsageError: The file cannot be read, or holds no word.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"stop words {str(path)!r} cannot be read: {error}") from error
    words = frozenset(line.strip().lower() for line in lines if line.strip() and not line.startswith("#"))
    if not words:
        raise UsageError(f"stop words {str(path)!r}: no word in it")
    return words
