"""Sentences: a sentence is added at the end or the beginning of a text."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Set
from pathlib import Path
from random import Random
from typing import ClassVar

from robustfim.candidate import Candidate, Edit
from robustfim.contract import Contract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_texts import one_of
from robustfim_words.swaps.turning import RAISES, Sided
from robustfim_words.tagging.resourced import Proposing, WithTagger
from robustfim_words.text.casing import caseless
from robustfim_words.text.clauses import FINITE, NOUNS, stated
from robustfim_words.text.guard import in_headline
from robustfim_words.text.lexicon import LEXICONS, closed_class, read_table
from robustfim_words.text.stop_words import stop_words
from robustfim_words.text.text_kind import KINDS, judged, likeliest, personal, register, text_kind
from robustfim_words.text.tokens import Tokens, sentence_bounds, tokenise
from robustfim_words.text.tone import sides

__all__ = ["Links", "NegativeSentence", "NeutralSentence", "PositiveSentence"]

_STOPPED = re.compile(r"[.!?…][\s\"'”’»)\]]*\Z")
_FACE = re.compile(r"(?:[:;=8xX^][-'^_~]?[\^()DPp~/|*\]\[3]|\^_?\^|\^[_.]\S|<3|[*~])\Z")
"""Signs that end a text like a full stop: a face, a heart."""
_ENDS = ("end", "start")
_CHOSEN = {"review": "credits", "news": "news", "question": "wondering", "message": "remark"}
"""The sort of sentences that a text of a kind gets if a suite names the kind and no other sort fits."""
_LONG = 30
"""The smallest number of words and marks of a text that has room for more than one remark."""
_SENTENCE = 4
"""The smallest number of words and marks of a sentence."""
_JUDGED = 2
"""The number of words of praise or blame that a letter does not have."""
_NEAR = 40
"""The number of words and marks in which no word of a sentence beside them may stand."""
_STEM = 5
"""The number of letters by which words count as one."""
_SEEN = re.compile(
    r"\b(?:i|we)\b(?:\W+\w+){0,2}\W+(?:saw|watched|rented|caught|went|bought|viewed|remember|sat)\b"
    r"|\b(?:ago|yesterday|theat(?:er|re)s?|first (?:saw|time|came)|last (?:night|week\w*|month|year))\b"
    r"|\b(?:childhood|a (?:kid|child))\b"
    r"|\bon (?:tv|dvd|video|cable|vhs|hbo)\b",
    re.IGNORECASE,
)
"""Words by which a writer says when or where something was seen."""
_SPACED = re.compile(r"\s[.!?]\s*\Z")
"""The end of a text whose marks are tokens of their own."""


def _attached(field: str, text: str, addition: str, at: str, origin: str, *, stop: bool = True) -> Edit:
    """Attach a sentence, parted by a blank, and by a full stop where the text has no mark at its end."""
    if stop and _SPACED.search(text):
        addition = f"{addition[:-1]} {addition[-1]}"
    if at == "start":
        return Edit(field, 0, 0, "", f"{addition} ", origin)
    end = len(text.rstrip())
    mark = "" if not stop or _STOPPED.search(text[:end]) or _FACE.search(text[:end]) else "."
    return Edit(field, end, end, "", f"{mark} {addition}", origin)


class _AddedSentence(Proposing):
    """Adds a sentence of a table; a subclass says which fit.

    Args:
        at: ``end`` or ``start``.
        source: A table of sentence and tone, all of which fit every text; None for the shipped ones.
    """

    _tone: ClassVar[str]
    _places: ClassVar[tuple[str, ...]] = _ENDS

    def __init__(self, at: str, source: Path | None) -> None:
        self._at = one_of("at", at, self._places)
        self._own: list[str] = []
        if source is not None:
            columns = ("sentence", "tone: positive|negative|neutral")
            self._own = [sentence for sentence, its in read_table(source, columns) if its == self._tone]
            if not self._own:
                raise UsageError(f"source: {str(source)!r} has no {self._tone} sentence")

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a sentence and field, in random order."""
        for field, tokens in self._read(example).items():
            text = example.fields[field]
            fitting = [*self._fitting(example, text, tokens)] if _goes_on(text) else []
            for sentence, at in random.sample(fitting, len(fitting)):
                near = tokens[:_NEAR] if at == "start" else tokens[-_NEAR:]
                if _stems(tokenise(sentence)).isdisjoint(_stems(near)):
                    written = sentence.lower() if caseless(text) else sentence
                    yield Candidate(
                        example, (_attached(field, text, written, at, f"{self._tone}_sentence: {sentence}"),)
                    )

    @abstractmethod
    def _fitting(self, example: Example, text: str, tokens: Tokens) -> Iterable[tuple[str, str]]:
        """List the sentences that fit a text, each with the place where it stands."""


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

    def _fitting(self, example: Example, text: str, tokens: Tokens) -> Iterable[tuple[str, str]]:
        gold = example.gold[0] if len(example.gold) == 1 else None
        same = gold == self._label if self._label and gold else self._side(example) is (self._tone == "positive")
        if not (same or self._label) or text.rstrip()[-1] == "?" or _signed(text, tokens):
            return ()
        fitting = self._own or _opinions(self._tone, text, tokens, "writer" if same else "other")
        return ((sentence, self._at) for sentence in fitting)


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


class NeutralSentence(WithTagger, _AddedSentence):
    """Adds a sentence without an opinion: "I watched this last night." The label must not change.

    There are separate sentences for reviews, news, questions and messages, and each stands where writers put it: a
    review may begin with "I don't usually write reviews.", and a report may end with "No further details were given.".
    A review without "I" or "my" gets a sentence such as "Now in cinemas.". A short text of another kind gets a
    sentence that fits any assertion ("Just saying."). No sentence is added to headings, lists, requests and addresses.

    Args:
        at: ``end`` or ``start`` of the text; ``auto`` puts each sentence where it fits, and those of ``source`` at the
            end.
        source: A table of sentence and tone (positive, negative, neutral) for texts of every kind. By default the
            shipped sentences are used, which differ by the kind of the text.
        texts: The kind of the texts (review, news, question, message); ``auto`` recognises the kind of each text by its
            words.

    Raises:
        UsageError: ``at`` or the kind is unknown, or the table is malformed or has no sentence of this tone.
    """

    _tone = "neutral"
    _places = ("auto", *_ENDS)

    def __init__(self, *, at: str = "auto", source: Path | None = None, texts: str = "auto") -> None:
        super().__init__(at, source)
        self._texts = one_of("texts", texts, ("auto", *KINDS))
        columns = ("sentence", "at: end|start", "fits")
        self._rows = read_table(LEXICONS / "neutral.tsv", columns)

    def _fitting(self, example: Example, text: str, tokens: Tokens) -> Iterable[tuple[str, str]]:
        if self._own:
            return [(sentence, "end" if self._at == "auto" else self._at) for sentence in self._own]
        sorts = {*_sorts(text, tokens, register(text) if self._texts == "auto" else self._texts)}
        sorts = sorts or {_CHOSEN.get(self._texts, "")}
        places = {*(_ENDS if self._at == "auto" else (self._at,))}
        if tokens[0].kind != "word" or 0 in in_headline(tokens):
            places -= {"start"}
        noun = "movie" if re.search(r"(?i)\bmovie", text) and not re.search(r"(?i)\bfilm", text) else "film"
        return [(said.replace("film", noun), at) for said, at, sort in self._rows if sort in sorts and at in places]


def _signed(text: str, tokens: Tokens) -> bool:
    """Tell whether a text of several sentences ends in a date, a list of names, or without a mark."""
    last = tokens[slice(*sentence_bounds(tokens, len(tokens) - 1))]
    words = [token.text for token in last if token.kind == "word" and not token.text.isupper()]
    unstopped = text.rstrip()[-1].isalnum() or not any(map(str.islower, words or ["a"]))
    return len(last) < len(tokens) and unstopped and not caseless(text)


def _stems(tokens: Tokens) -> set[str]:
    """List the beginnings of the words with a meaning of their own."""
    words = (token.small for token in tokens if token.kind == "word")
    return {word[:_STEM] for word in words if word not in stop_words() and word not in judged()}


def _sorts(text: str, tokens: Tokens, kind: str) -> Iterator[str]:
    """List the sorts of neutral sentences that fit a text of a kind."""
    said = tokens[slice(*sentence_bounds(tokens, len(tokens) - 1))]
    asserted = stated(tokens)
    verbs = [place for place in range(len(tokens) - len(said), len(tokens)) if tokens[place].tag in FINITE]
    states = len(said) >= _SENTENCE and not asserted.isdisjoint(verbs)
    told = states and any(tokens[place].tag in ("VBD", "VBZ") for place in verbs)
    small, long = {token.small for token in tokens}, len(tokens) >= _LONG
    if kind == "review":
        if personal(text):
            yield from _of_reviewer(text, small) if long else ()
            yield from ("opinion",) if states and sides(said) else ()
        elif _shown(text):
            yield from ("credits",) if len(tokens) > 2 * _LONG else ("credits", "opening")
    elif kind == "news":
        tallied = closed_class("of games and markets") | closed_class("of writer and reader")
        sourced = any(token.small in closed_class("names its source") for token in said)
        if told and (sourced or small.isdisjoint(tallied)) and re.search(r"[^.][.][\"'”’)]*\s*\Z", text):
            yield "news"
    elif kind == "question":
        if "please" not in small:
            yield "wondering"
        if text_kind(text) == "question" or personal(text):
            yield "asking"
    elif kind == "closed":
        yield kind
    elif kind == "message" and text_kind(text) == "message" and _to_somebody(small, tokens):
        if states:
            yield "letter"
    elif kind == "message" and long and small.isdisjoint(judged()):
        yield "post"
    elif kind == "message" and long:
        yield from _of_reviewer(text, small)
    elif not long and (states or (not verbs and len(tokens) - len(said) in asserted and _STOPPED.search(text))):
        own = next((token.small for token in said if token.tag in (*NOUNS, "")), "") in closed_class("of the writer")
        yield "credits" if text.islower() and likeliest(text) == "review" else "own" if own else "remark"
        if sides(said) and small.isdisjoint({"will", *closed_class("of the writer")}):
            yield "opinion"


def _to_somebody(small: Set[str], tokens: Tokens) -> bool:
    """Tell whether a message is a letter: it has words of letters, or speaks to somebody and judges nothing."""
    spoken = not small.isdisjoint(("you", "your", "we", "our")) and len(sides(tokens)) < _JUDGED
    return spoken or not small.isdisjoint(closed_class("of a letter"))


def _of_reviewer(text: str, small: Set[str]) -> Iterator[str]:
    """List the sorts of sentences with which somebody may begin or end a long review."""
    if "show" in {judged().get(word) for word in small} and _shown(text) and not _SEEN.search(text):
        yield "seen"
    if "review" not in small:
        yield "reviewer"


def _shown(text: str) -> bool:
    """Tell whether a review may be of a film or another show: it judges no other thing."""
    kinds = {judged().get(token.small) for token in tokenise(text)}
    return "other" not in kinds and ("show" in kinds or register(text) == "review")


def _opinions(tone: str, text: str, tokens: Tokens, who: str) -> list[str]:
    """List the sentences that fit a review.

    They are of shows if it judges no other thing, and of "it" if it names one; they are the writer's if it speaks of
    one, and judge with reserve where the text praises this and blames that.
    """
    columns = ("sentence", "tone: positive|negative", "of: any|show", "who: writer|other")
    show, mixed = _shown(text), len({*sides(tokens).values()}) > 1
    things = {token.small for token in tokens if judged().get(token.small) in ("show", "other")}
    barred = {*closed_class("without reserve")} if mixed else set()
    barred |= {"it", "this"} if personal(text) and not (show or things) else set()
    rows = [row for row in read_table(LEXICONS / "opinions.tsv", columns) if (row[1], row[3]) == (tone, who)]
    said = [sentence for sentence, _, of, _ in rows if show or of == "any"]
    said = [each for each in said if barred.isdisjoint(token.small for token in tokenise(each))]
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
