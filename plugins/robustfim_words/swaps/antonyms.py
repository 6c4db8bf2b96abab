"""Antonyms: evaluative words are swapped for their opposites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from random import Random

from robustfim.candidate import Edit
from robustfim_words.swaps.turning import Turning, judging
from robustfim_words.swaps.word_swaps import TAGS, Entry, WordSwaps, antonyms, better
from robustfim_words.text import inflection
from robustfim_words.text.clauses import FINITE
from robustfim_words.text.denials import denies
from robustfim_words.text.joined import joined
from robustfim_words.text.lexicon import LEXICONS, closed_class
from robustfim_words.text.text_kind import judged
from robustfim_words.text.tokens import Token, base_of, token_at
from robustfim_words.text.tone import denied, leaning

__all__ = ["Antonyms"]

_BEFORE_BASE = ("MD", "TO", "RB", "VBP", "VBD", "VBZ", "")
"""Tags of words before the base form of a verb that is no request."""
_REACH = 4
"""The number of words before a word among which a negation certainly applies to it."""
_LEANS = 1.0
"""How far the words that stay in a sentence may lean to its side, in natural logarithms of odds: "a hip ride, it is a
lively adventure". Of 184 sentences of films and reviews, this refuses 4."""


class Antonyms(Turning, WordSwaps):
    """Swaps evaluative words of a text for their opposites: "good" for "bad", "love" for "hate".

    If the label of a text stands for praise ("positive"), words of praise are swapped; if the label stands for blame
    ("negative", "hateful"), words of blame are swapped. The gold labels of the data and their names decide which labels
    stand for praise or blame. A negated word of praise counts as blame, and the reverse. A text without a gold label
    must consist mostly of praise or of blame, as reviews do.

    All words of a sentence that speak for the label are swapped together ("an enthralling, entertaining feature"). A
    sentence is not changed if a sentence beside it, or the rest of it, would contradict it, because it speaks for the
    label, too.
    Words are not swapped in questions, conditions, wishes, habits, comparisons ("as good as") and opinions of other
    people, or if they describe something that the text does not judge ("their cruel fate"). The new word takes the form
    of the old word, and the article before it agrees, as with ``synonyms``.

    One swapped word does not reverse a whole text. A check therefore requires that the probability of the gold label
    does not rise (``directional``, ``direction: down``, ``watch: gold``). With ``whole``, only texts of one sentence
    change. The text then says the contrary, and a check requires that the probability falls, ``by: 0.05``.

    Args:
        source: A table of word, part of speech (noun, verb, adjective, adverb) and antonym, the better word first; the
            shipped table by default.
        pos: Parts of speech to swap; all by default.
        whole: Whether only texts of one sentence change, and only if the edit reverses all praise or blame in them.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: A lexicon, part of speech or pipeline is unknown or malformed.
    """

    def __init__(
        self,
        *,
        source: Path | None = None,
        pos: list[str] | None = None,
        whole: bool = False,
        pipeline: Path | str | None = None,
    ) -> None:
        Turning.__init__(self, whole)
        WordSwaps.__init__(self, "antonyms", pos, pipeline)
        path = source or LEXICONS / "antonyms.tsv"
        self._antonyms, self._better = antonyms(path), better(path)

    def _turned(
        self, field: str, text: str, tokens: Sequence[Token], sentence: range, side: bool, random: Random
    ) -> Iterator[Edit]:
        """List one edit, which swaps all words of a sentence that speak for the side."""
        turned = denied(tokens)
        edits = [
            edit
            for index in self._places(text, tokens)
            if index in sentence and _plain(tokens, index, index in turned)
            if self._praises(tokens[index]) == (side != (index in turned))
            for edit in self._swaps(field, text, tokens, index, random)
        ]
        said = tokens[sentence.start : sentence.stop]
        rest = [token for token in said if not any(edit.start <= token.start < edit.end for edit in edits)]
        if edits and leaning(rest) * (1 if side else -1) <= _LEANS:
            yield joined(text, edits)

    def _others(self, entry: Entry, random: Random) -> Iterable[str]:
        """List the antonym that the table names first."""
        return self._antonyms.get(entry, ())[:1]

    def _praises(self, token: Token) -> bool:
        """Tell whether a word is the better one of its pair."""
        word, _ = base_of(token)
        return (inflection.lemma(word, token.tag), TAGS[token.tag]) in self._better


def _plain(tokens: Sequence[Token], index: int, turned: bool) -> bool:
    """Tell whether a word judges by itself: compared with nothing, denied nearby or not at all, no known thing's."""
    before = [token.text.lower() for token in tokens[max(0, index - _REACH) : index]]
    after = token_at(tokens, index + 1)
    beside = {*before[-1:], *([] if after is None else [after.small])}
    if beside & closed_class("behind a degree") or (turned and not any(map(denies, before))):
        return False
    if tokens[index].tag == "JJ" and not closed_class("known").isdisjoint(before[-1:]):
        behind = takewhile(lambda token: token.pos in ("ADJ", "NOUN", "NUM", "ADV"), tokens[index + 1 :])
        return any(token.text.lower() in judged() for token in behind)
    if after is not None and after.tag == "TO" and tokens[index].small in closed_class("of no opposite before to"):
        return False
    if tokens[index].tag == "VB" and index and tokens[index - 1].tag not in _BEFORE_BASE:
        return False  # "and trust me"
    return tokens[index].tag not in FINITE or judging(tokens, index)
