"""Tokens: the words, numbers and marks of a text, each with its place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from robustfim_texts import GUARDED, checksummed, may_guard
from robustfim_words.text.lexicon import closed_class

__all__ = ["NOTHING", "Tagged", "Token", "Tokens", "sentence_bounds", "sentences", "token_at", "tokenise"]

_OPENING = "\"'“‘«([{*_"
_CLOSING = "\"'”’»)]}*_"
_STOPS = ".!?…。！？"
_JOINERS = "\u200c\u200d"
_DASHES = ("-", "–", "—")
_BREAK = re.compile(r"(?:<|&lt;)/?(?:br|p|li|ul|ol|div|h\d|tr|td|hr|blockquote)\b", re.IGNORECASE)
_TITLES = frozenset(["mr", "mrs", "ms", "dr", "jr", "sr", "st", "vs"])
_KINDS: dict[str, Literal["word", "number", "mark", "fixed"]] = {"number": "number", "mark": "mark", "fixed": "fixed"}
_POSSESSIVE = re.compile(r"['’][sS]\Z")


class Token(NamedTuple):
    """A word, a number or a punctuation mark.

    Attributes:
        text: The token as written.
        start: Index of the first character, from 0.
        end: Index after the last character.
        kind: ``"word"`` (inner apostrophes and hyphens belong to it), ``"number"``, ``"mark"``, or ``"fixed"`` for
            addresses, tags and the like, see :mod:`robustfim_texts`.
        starts: Whether the token is the first word or number of a sentence.
        tag: Fine part of speech (Penn Treebank), ``""`` where unknown.
        pos: Coarse part of speech (UPOS), ``""`` where unknown.
        entity: The tag of an entity that the pipeline recognised: ``"B-GPE"`` at the entity's first token, ``"I-GPE"``
            at its other tokens; ``""`` outside of entities.
    """

    text: str
    start: int
    end: int
    kind: Literal["word", "number", "mark", "fixed"]
    starts: bool = False
    tag: str = ""
    pos: str = ""
    entity: str = ""

    @property
    def small(self) -> str:
        """The token in small letters with straight apostrophes."""
        return self.text.lower().replace("’", "'")

    @property
    def base(self) -> str:
        """The token without a possessive ``'s``."""
        return _POSSESSIVE.sub("", self.text)

    @property
    def base_end(self) -> int:
        """The place after the token's last character, without a possessive ``'s``."""
        return self.start + len(self.base)


NOTHING = Token("", 0, 0, "mark")
"""An empty mark, which stands before the first and after the last token of a text."""
Tokens: TypeAlias = Sequence[Token]
"""The tokens of a text, in order."""
Tagged: TypeAlias = Mapping[str, Tokens]
"""The tagged tokens of each field of an example."""


@lru_cache(maxsize=64)
def _pattern(marks: str, numbers: tuple[str, ...], *, guarded: bool) -> re.Pattern[str]:
    """Compile the token pattern: combining marks stay with their base, numbers with check digits are whole."""
    mark = f"[{re.escape(marks)}]" if marks else "(?!)"
    letter = rf"[^\W_]{mark}*"
    run = rf"{letter}(?:[{_JOINERS}]?{letter})*"
    return re.compile(
        rf"(?P<fixed>{'|'.join([*([GUARDED] if guarded else []), *map(re.escape, numbers)]) or '(?!)'})"
        rf"|(?P<initials>(?:[^\W\d_]\.){{2,}})"
        rf"|(?P<number>\d+(?:[.,]\d+)*(?!{letter}))"
        rf"|(?P<word>{run}(?:['’\-‐‑]{run})*)"
        rf"|(?P<mark>\S{mark}*)"
    )


@lru_cache(maxsize=1024)
def tokenise(text: str) -> tuple[Token, ...]:
    """Split a text of any script into tokens.

    A word keeps its inner apostrophes and hyphens (``don't``, ``well-made``) and its combining marks; a number keeps
    its separators (``1,000.5``); initials keep their stops (``U.S.``). Every other character except white space is a
    mark. In scripts without spaces, a run of letters is one token.

    Returns:
        The tokens in order. They do not overlap, and nothing but white space lies between them.

    >>> [token.text for token in tokenise("It's a well-made 2-hour film.")]
    ["It's", 'a', 'well-made', '2', '-', 'hour', 'film', '.']
    """
    marks = "" if text.isascii() else "".join(sorted({c for c in text if unicodedata.category(c)[0] == "M"}))
    tokens: list[Token] = []
    fresh, low, lines = True, text.islower(), "\n" in text
    numbers = tuple(text[start:end] for start, end in checksummed(text))
    for match in _pattern(marks, numbers, guarded=may_guard(text)).finditer(text):
        kind, word, (start, end) = _KINDS.get(match.lastgroup or "", "word"), match.group(), match.span()
        if lines and tokens and "\n" in text[tokens[-1].end : start]:
            fresh = True
        elif fresh and kind in ("word", "number") and tokens and _goes_on(tokens, match, low=low):
            fresh = False
        tokens.append(Token(word, start, end, kind, fresh and kind in ("word", "number")))
        if kind == "fixed":
            fresh = fresh or _BREAK.match(word) is not None
        elif kind != "mark":
            fresh = False
        elif word in _STOPS:
            fresh = not _abbreviated(text, tokens)
        elif word in _DASHES and _dateline(text, tokens):
            fresh = True
        elif word not in _OPENING and word not in _CLOSING:
            fresh = fresh and len(tokens) == 1
    return tuple(tokens)


def _goes_on(tokens: list[Token], match: re.Match[str], *, low: bool) -> bool:
    """Tell whether a word behind a stop goes on with its sentence.

    It does in small letters behind an ellipsis or a bracket, and right at the stop.
    """
    word, small = match.group(), low or not match.group()[0].isupper()
    last = next((place for place in range(len(tokens) - 1, -1, -1) if tokens[place].text not in _CLOSING), 0)
    dots = tokens[last].text == "." and last > 0 and tokens[last - 1].text == "."
    if small and (dots or tokens[last].text == "…" or tokens[-1].text in (")", "]")):
        return True
    if tokens[-1].text != "." or tokens[-1].end < match.start() or len(tokens) < 2:
        return False
    return small or len(word) < 3 or len(tokens[-2].text) < 3 or not tokens[-2].text.islower()


def _dateline(text: str, tokens: list[Token]) -> bool:
    """Tell whether a dash parts a dateline or an agency from what it reports: "LONDON (Reuters) - "."""
    if len(tokens) < 2 or not text[tokens[-2].end : tokens[-1].start].isspace() or tokens[-1].end == len(text):
        return False
    before = tokens[-2]
    agency = before.text == ")" or (before.text.isupper() and len(before.text) > 1)
    return agency and text[tokens[-1].end : tokens[-1].end + 1] in (" ", "-")


def _abbreviated(text: str, tokens: list[Token]) -> bool:
    """Tell whether the stop that ends ``tokens`` belongs to an abbreviation or an initial.

    In tokenised small letters ("mrs . chao", "u . s .") a blank stands before it, too.
    """
    if len(tokens) < 2 or tokens[-1].text != ".":
        return False
    word, gap = tokens[-2].text, text[tokens[-2].end : tokens[-1].start]
    if gap not in ("", " ") or tokens[-2].kind != "word":
        return False
    if gap:
        spaced = text.islower() and len(word) == 1 and word not in ("i", "a")
        return spaced or (text.islower() and word in _TITLES)
    return word.lower() in closed_class("stops within a sentence") or (
        len(word) == 1 and word.isupper() and word != "I"
    )


def sentence_bounds(tokens: Tokens, first: int) -> tuple[int, int]:
    """Find the sentence of a token.

    Args:
        tokens: The tokens of a text.
        first: The index of the token.

    Returns:
        The index of the first token of the sentence, and the index after the last.
    """
    begin = next((place for place in range(first, -1, -1) if tokens[place].starts), 0)
    return begin, next((place for place in range(first + 1, len(tokens)) if tokens[place].starts), len(tokens))


def sentences(tokens: Tokens) -> Iterator[range]:
    """List the sentences of a text; each sentence is the range of its tokens' indices."""
    for first, token in enumerate(tokens):
        if token.starts:
            yield range(first, sentence_bounds(tokens, first)[1])


def token_at(tokens: Tokens, place: int) -> Token:
    """Return the token at an index; before the first and after the last token ``NOTHING``."""
    return tokens[place] if 0 <= place < len(tokens) else NOTHING
