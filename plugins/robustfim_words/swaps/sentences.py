"""Sentences: a sentence is added at the end or the beginning of a text."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import ClassVar

from robustfim.candidate import Candidate, Edit
from robustfim.contract import Contract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_texts import one_of
from robustfim_words.swaps.turning import RAISES, Sided
from robustfim_words.tagging.resourced import Proposing
from robustfim_words.text.casing import caseless
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.text_kind import KINDS, judged, personal, register
from robustfim_words.text.tokens import tokenise

__all__ = ["Links", "NegativeSentence", "NeutralSentence", "PositiveSentence"]

_STOPPED = re.compile(r"[.!?…][\s\"'”’»)\]]*\Z")
_FACE = re.compile(r"(?:[:;=8xX^][-'^_~]?[\^()DPp~/|*\]\[3]|\^_?\^|\^[_.]\S|<3|[*~])\Z")
"""Signs that end a text like a full stop: a face, a heart."""
_ENDS = ("end", "start")
_SPACED = re.compile(r"\s[.!?]\s*\Z")
"""The end of a text whose marks are tokens of their own."""


def _attached(field: str, text: str, addition: str, at: str, origin: str, *, stop: bool = True) -> Edit:
    """Attach a sentence, parted by a blank, and by a full stop where the text has no mark at its end."""
    if at == "start":
        return Edit(field, 0, 0, "", f"{addition} ", origin)
    end = len(text.rstrip())
    mark = "" if not stop or _STOPPED.search(text[:end]) or _FACE.search(text[:end]) else "."
    if stop and _SPACED.search(text):
        addition = f"{addition[:-1]} {addition[-1]}"
    return Edit(field, end, end, "", f"{mark} {addition}", origin)


class _AddedSentence(Proposing):
    """Adds a sentence of a table; a subclass says which fit.

    Args:
        at: ``end`` or ``start``.
        source: A table of sentence and tone, all of which fit every text; None for the shipped ones.
    """

    _tone: ClassVar[str]

    def __init__(self, at: str, source: Path | None) -> None:
        self._at = one_of("at", at, _ENDS)
        self._own: list[str] = []
        if source is not None:
            columns = ("sentence", "tone: positive|negative|neutral")
            self._own = [sentence for sentence, its in read_table(source, columns) if its == self._tone]
            if not self._own:
                raise UsageError(f"source: {str(source)!r} has no {self._tone} sentence")

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a sentence and field, in random order."""
        for field, text in example.fields.items():
            fitting = self._fitting(example, text) if _goes_on(text) else []
            for sentence in random.sample(fitting, len(fitting)):
                if sentence.casefold() not in text.casefold():
                    written = sentence.lower() if caseless(text) else sentence
                    edit = _attached(field, text, written, self._at, f"{self._tone}_sentence: {sentence}")
                    yield Candidate(example, (edit,))

    @abstractmethod
    def _fitting(self, example: Example, text: str) -> Sequence[str]:
        """List the sentences that fit a text."""


class _Opinion(Sided, _AddedSentence):
    """Adds praise or blame: the writer's on the side of a text's label, somebody else's on the other.

    Args:
        at: ``end`` or ``start``.
        source: A table of sentence and tone, or None.
        label: The label that stands for the tone, which makes every text fit; or None.
    """

    def __init__(self, *, at: str = "end", source: Path | None = None, label: str | None = None) -> None:
        super().__init__(at, source)
        self._label = label
        expects = RAISES if label is None else {"use": "directional", "direction": "up", "label": label}
        self.contract = Contract(keeps="nothing", expects=expects)

    def _fitting(self, example: Example, text: str) -> Sequence[str]:
        gold = example.gold[0] if len(example.gold) == 1 else None
        same = gold == self._label if self._label and gold else self._side(example) is (self._tone == "positive")
        if not (same or self._label) or text.rstrip()[-1] == "?":
            return []
        return self._own or _opinions(self._tone, text, "writer" if same else "other")


class PositiveSentence(_Opinion):
    """Adds a sentence of praise to a text whose label stands for praise: "I loved every minute.".

    Praise cannot speak against a label of praise. A check therefore requires that the label's probability does not fall
    (``directional``, ``direction: up``, ``watch: gold``). robustfim finds the label in the data: its texts have clearly
    more words of praise than texts of other labels. If you name the ``label``, every text gets a sentence, and the
    check watches the probability of this label. In texts of other labels, the sentence is somebody else's opinion ("My
    sister loved it.").

    Args:
        at: ``end`` or ``start`` of the text.
        source: A table of sentence and tone (positive, negative, neutral); the shipped one by default.
        label: The label that stands for praise, as the model and the data call it.

    Raises:
        UsageError: ``at`` is unknown, or the table is malformed or has no sentence of this tone.
    """

    _tone = "positive"


class NegativeSentence(_Opinion):
    """Adds a sentence of blame to a text whose label stands for blame: "I hated every minute.".

    Blame cannot speak against a label of blame. A check therefore requires that the label's probability does not fall
    (``directional``, ``direction: up``, ``watch: gold``). robustfim finds the label in the data: its texts have clearly
    more words of blame than texts of other labels. If you name the ``label``, every text gets a sentence, and the check
    watches the probability of this label. In texts of other labels, the sentence is somebody else's opinion ("My sister
    hated it.").

    Args:
        at: ``end`` or ``start`` of the text.
        source: A table of sentence and tone (positive, negative, neutral); the shipped one by default.
        label: The label that stands for blame, as the model and the data call it.

    Raises:
        UsageError: ``at`` is unknown, or the table is malformed or has no sentence of this tone.
    """

    _tone = "negative"


class NeutralSentence(_AddedSentence):
    """Adds a sentence without an opinion: "I saw it on a Tuesday." The label must not change.

    There are separate sentences for reviews, news, questions and messages. A review without "I" or "my" gets none with
    them, such as "Now in cinemas.". A text of another kind gets a sentence that fits any text ("More on this later.").
    No sentence is added to headings, lists and addresses.

    Args:
        at: ``end`` or ``start`` of the text.
        source: A table of sentence and tone (positive, negative, neutral) for texts of every kind. By default the
            shipped sentences are used, which differ by the kind of the text.
        texts: The kind of the texts (review, news, question, message); ``auto`` recognises the kind of each text by its
            words.

    Raises:
        UsageError: ``at`` or the kind is unknown, or the table is malformed or has no sentence of this tone.
    """

    _tone = "neutral"

    def __init__(self, *, at: str = "end", source: Path | None = None, texts: str = "auto") -> None:
        super().__init__(at, source)
        self._texts = one_of("texts", texts, ("auto", *KINDS))
        columns = ("sentence", "kind: news|question|message|closed|any")
        self._rows = read_table(LEXICONS / "reports.tsv", columns)

    def _fitting(self, example: Example, text: str) -> Sequence[str]:
        if self._own:
            return self._own
        kind = register(text) if self._texts == "auto" else self._texts
        if kind == "review":
            return _opinions(self._tone, text, "writer")
        return [sentence for sentence, its in self._rows if its == kind]


def _opinions(tone: str, text: str, who: str) -> list[str]:
    """List the sentences that fit a review: of shows if it judges no other thing, of the writer if it speaks of one."""
    columns = ("sentence", "tone: positive|negative|neutral", "of: any|show", "who: writer|other")
    kinds = {judged().get(token.small) for token in tokenise(text)}
    show = "other" not in kinds and ("show" in kinds or register(text) == "review")
    rows = [row for row in read_table(LEXICONS / "opinions.tsv", columns) if row[1] == tone and row[3] == who]
    said = [sentence for sentence, _, of, _ in rows if show or of == "any"]
    return [sentence for sentence in said if personal(text) or who == "other" or not personal(sentence)]


def _goes_on(text: str) -> bool:
    """Tell whether a sentence may follow a text: none follows a colon, a comma, a dash or an address."""
    bare = text.rstrip()
    if (tokens := tokenise(bare)) and tokens[-1].kind == "fixed":
        return False
    ended = bare[-1:].isalnum() or bare[-1:] in ">\"'”’»)]" or _STOPPED.search(bare) or _FACE.search(bare)
    return bool(bare and ended)


class Links(Proposing):
    """Appends an address or a handle, as CheckList's "add random URLs and handles" (Ribeiro et al. 2020).

    Args:
        at: ``end`` or ``start`` of the text.
        source: A list of addresses and handles, one a line; the shipped one by default.

    Raises:
        UsageError: ``at`` is unknown, or the list cannot be read.
    """

    any_language = True

    def __init__(self, *, at: str = "end", source: Path | None = None) -> None:
        self._at = one_of("at", at, _ENDS)
        self._links = [link for (link,) in read_table(source or LEXICONS / "links.txt", ("link",))]

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a link and field, in random order."""
        for link in random.sample(self._links, len(self._links)):
            for field, text in example.fields.items():
                if text.strip():
                    edit = _attached(field, text, link, self._at, f"links: {link}", stop=False)
                    yield Candidate(example, (edit,))
