"""Sentences: one is added at the end or the beginning, or dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.text.casing import caseless
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.options import one_of
from robustfim_words.text.tokens import tokenise

__all__ = ["DropSentence", "Links", "NegativeSentence", "NeutralSentence", "PositiveSentence"]

_STOPPED = re.compile(r"[.!?…:;][\"'”’»)\]]*\Z")
_ENDS = ("end", "start")


def _attached(field: str, text: str, addition: str, at: str, origin: str, *, stop: bool = True) -> Edit:
    """Attach a sentence, parted by a blank, and by a full stop where the text has no mark at its end."""
    if at == "start":
        return Edit(field, 0, 0, "", f"{addition} ", origin)
    end = len(text.rstrip())
    mark = "" if not stop or _STOPPED.search(text[:end]) else "."
    return Edit(field, end, end, "", f"{mark} {addition}", origin)


class _AddedSentence:
    """Adds a sentence of one tone.

    Args:
        tone: ``positive``, ``negative`` or ``neutral``.
        at: ``end`` or ``start``.
        source: A table of sentence and tone.
    """

    def __init__(self, tone: str, at: str, source: Path | None) -> None:
        self._name, self._at = f"{tone}_sentence", one_of("at", at, _ENDS)
        columns = ("sentence", "tone: positive|negative|neutral")
        table = read_table(source or LEXICONS / "opinions.tsv", columns)
        self._sentences = [sentence for sentence, its_tone in table if its_tone == tone]
        if not self._sentences:
            raise UsageError(f"source: {str(source)!r} has no {tone} sentence")

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a sentence and field, in random order.

        Args:
            example: The source example.
            random: Draws the order.
        """
        for sentence in random.sample(self._sentences, len(self._sentences)):
            for field, text in example.fields.items():
                if text.strip() and sentence.casefold() not in text.casefold():
                    written = sentence.lower() if caseless(text) else sentence
                    edit = _attached(field, text, written, self._at, f"{self._name}: {sentence}")
                    yield Candidate(example, (edit,))


class PositiveSentence(_AddedSentence):
    """Adds a sentence of praise, such as "I loved every minute".

    For ``expect: {use: directional, label: positive}``: the probability of the positive label must not fall.

    Args:
        at: ``end`` or ``start`` of the text.
        source: A table of sentence and tone (positive, negative, neutral); the shipped one by default.

    Raises:
        UsageError: ``at`` is unknown, or the table is malformed or has no such sentence.
    """

    keeps_label = False

    def __init__(self, *, at: str = "end", source: Path | None = None) -> None:
        super().__init__("positive", at, source)


class NegativeSentence(_AddedSentence):
    """Adds a sentence of blame, such as "I hated every minute".

    For ``expect: {use: directional, label: negative}``: the probability of the negative label must not fall.

    Args:
        at: ``end`` or ``start`` of the text.
        source: A table of sentence and tone (positive, negative, neutral); the shipped one by default.

    Raises:
        UsageError: ``at`` is unknown, or the table is malformed or has no such sentence.
    """

    keeps_label = False

    def __init__(self, *, at: str = "end", source: Path | None = None) -> None:
        super().__init__("negative", at, source)


class NeutralSentence(_AddedSentence):
    """Adds a sentence that says nothing of the matter: "I saw it on a Tuesday." The label must not change.

    Args:
        at: ``end`` or ``start`` of the text.
        source: A table of sentence and tone (positive, negative, neutral); the shipped one by default.

    Raises:
        UsageError: ``at`` is unknown, or the table is malformed or has no such sentence.
    """

    def __init__(self, *, at: str = "end", source: Path | None = None) -> None:
        super().__init__("neutral", at, source)


class Links:
    """Appends an address or a handle, as CheckList's "add random URLs and handles" (Ribeiro et al. 2020).

    Args:
        at: ``end`` or ``start`` of the text.
        source: A list of addresses and handles, one a line; the shipped one by default.

    Raises:
        UsageError: ``at`` is unknown, or the list cannot be read.
    """

    def __init__(self, *, at: str = "end", source: Path | None = None) -> None:
        self._at = one_of("at", at, _ENDS)
        self._links = [link for (link,) in read_table(source or LEXICONS / "links.txt", ("link",))]

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a link and field, in random order.

        Args:
            example: The source example.
            random: Draws the order.
        """
        for link in random.sample(self._links, len(self._links)):
            for field, text in example.fields.items():
                if text.strip():
                    edit = _attached(field, text, link, self._at, f"links: {link}", stop=False)
                    yield Candidate(example, (edit,))


class DropSentence:
    """Drops one sentence of a text that has several.

    What is left must carry the verdict alone: with ``least: 3``, two sentences or more stay. A dropped sentence may
    have been the one that decides, so a limit should leave room.

    Args:
        least: The smallest number of sentences of a text that loses one, at least 2.

    Raises:
        UsageError: ``least`` is below 2.
    """

    keeps_label = False

    def __init__(self, *, least: int = 3) -> None:
        if least < 2:
            raise UsageError(f"least: {least} is below 2")
        self._least = least

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a sentence, in random order.

        Args:
            example: The source example.
            random: Draws the order.
        """
        for field, text in example.fields.items():
            starts = [_opened(text, token.start) for token in tokenise(text) if token.starts]
            if len(starts) < self._least or len(set(starts)) < len(starts):
                continue
            ends = [*starts[1:], len(text)]
            for place in random.sample(range(len(starts)), len(starts)):
                start, end = starts[place], ends[place]
                if place == len(starts) - 1:
                    start = len(text[:start].rstrip())
                yield Candidate(example, (Edit(field, start, end, text[start:end], "", f"drop_sentence: {place + 1}"),))


def _opened(text: str, start: int) -> int:
    """Take in the quotation marks and brackets that open a sentence."""
    while start and text[start - 1] in "\"'“‘«([":
        start -= 1
    return start
