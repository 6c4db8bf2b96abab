"""Antonyms: evaluative words are swapped for their opposites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile
from pathlib import Path
from random import Random

from robustfim.candidate import Edit
from robustfim_words.swaps.turning import Turning, judging
from robustfim_words.swaps.word_swaps import TAGS, Entry, WordSwaps, antonyms, better
from robustfim_words.text import inflection
from robustfim_words.text.clauses import FINITE
from robustfim_words.text.joined import joined
from robustfim_words.text.lexicon import LEXICONS, closed_class
from robustfim_words.text.text_kind import judged
from robustfim_words.text.tokens import Token, Tokens, token_at
from robustfim_words.text.tone import denied

__all__ = ["Antonyms"]


class Antonyms(Turning, WordSwaps):
    """Swaps evaluative words of a text for their opposites: "good" for "bad", "love" for "hate".

    If the label of a text stands for praise ("positive"), words of praise are swapped; if the label stands for blame
    ("negative", "hateful"), words of blame are swapped. The gold labels of the data and their names decide which labels
    stand for praise or blame. A text without a gold label must have only praise or only blame.

    All words of a sentence, or of a short text, that speak for the label are swapped together ("an enthralling,
    entertaining feature"). A sentence stays if the rest of the text would contradict it, because it judges, too, or is
    long. Most long reviews therefore stay as they are.

    Words are not swapped in questions, conditions, wishes, habits, negated sentences, comparisons ("as good as") and
    opinions of other people, or if they describe something that the text does not judge ("their cruel fate"). The new
    word takes the form of the old word, and the article before it agrees, as with ``synonyms``.

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
        self, field: str, text: str, tokens: Tokens, sentence: range, side: bool, random: Random
    ) -> Iterator[Edit]:
        """List one edit, which swaps all words of a sentence that speak for the side, each for a word of its own."""
        tokens = [self._read_as(tokens, index) for index in range(len(tokens))]
        said = tokens[sentence.start : sentence.stop]
        if denied(said) or any(token.small in closed_class("supposing") for token in said):
            return
        edits = [
            edit
            for index in self._places(text, tokens)
            if index in sentence and self._praises(tokens[index]) is side and _plain(tokens, index, sentence)
            for edit in self._swaps(field, text, tokens, index, random)
        ]
        rest = [token for token in said if not any(edit.start <= token.start < edit.end for edit in edits)]
        apart = len({edit.after.lower() for edit in edits}) == len({edit.before.lower() for edit in edits}) > 0
        if apart and not _parted(said, rest):
            yield joined(text, edits)

    def _read_as(self, tokens: Tokens, index: int) -> Token:
        """Take a participle of the table that has no object for an adjective: "an engaging film", "it is gripping"."""
        token, after = tokens[index], token_at(tokens, index + 1)
        alone = after.tag not in ("PRP", "PRP$", "DT")
        if token.tag in ("VBG", "VBN", "NN") and alone and token.small.endswith(("ing", "ed")):
            known = (token.small, "adjective") in self._antonyms
            return token._replace(tag="JJ", pos="ADJ") if known else token
        return token

    def _others(self, entry: Entry, random: Random) -> Iterable[str]:
        """List the antonym that the table names first."""
        return self._antonyms.get(entry, ())[:1]

    def _praises(self, token: Token) -> bool:
        """Tell whether a word is the better one of its pair."""
        return (inflection.lemma(token.base, token.tag), TAGS[token.tag]) in self._better


def _parted(said: Tokens, rest: Tokens) -> bool:
    """Tell whether "and" joins an adjective that is swapped to one that stays.

    Such adjectives praise or blame together (Hatzivassiloglou and McKeown 1997, Predicting the semantic orientation of
    adjectives).
    """
    plain = [token for token in said if token.pos != "ADV"]
    return any(
        joint.small == "and" and one.pos == other.pos == "ADJ" and (one in rest) != (other in rest)
        for one, joint, other in zip(plain, plain[1:], plain[2:], strict=False)
    )


def _plain(tokens: Tokens, index: int, sentence: range) -> bool:
    """Tell whether a word judges by itself: in no comparison, consequence or fixed phrase, of no known thing."""
    token, after = tokens[index], token_at(tokens, index + 1)
    before = tokens[index - 1].small if index > sentence.start else ""
    phrases = {f"{before}_{token.small}", f"{token.small}_{after.small}"}
    if {before, after.small} & closed_class("behind a degree") or phrases & closed_class("fixed phrases"):
        return False
    complement = token.pos == "ADJ" or token.small in closed_class("of no opposite before to")
    if before == "too" or (after.small == "to" and complement):
        return False
    if before in closed_class("with a consequence") and any(it.tag in FINITE for it in tokens[index : sentence.stop]):
        return False
    if token.tag == "JJ" and before in closed_class("known") and tokens[index - 1].tag != "RB":
        nouns = takewhile(lambda token: token.pos in ("ADJ", "NOUN", "NUM", "ADV"), tokens[index + 1 :])
        return any(noun.small in judged() for noun in nouns)
    return token.tag != "VB" and (token.tag not in FINITE or judging(tokens, index))
