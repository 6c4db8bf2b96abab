"""Sentences: one is added at the end or the beginning, or dropped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.tagging.resourced import WithTables
from robustfim_words.text.casing import capitalised, caseless
from robustfim_words.text.guard import in_headline
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.options import one_of
from robustfim_words.text.stop_words import STOP_WORDS, read_stop_words
from robustfim_words.text.text_kind import KINDS, kind_of
from robustfim_words.text.tokens import sentence_bounds, tokenise
from robustfim_words.text.tone import leaning

__all__ = ["Links", "NegativeSentence", "NeutralSentence", "PositiveSentence"]

_STOPPED = re.compile(r"[.!?…][\s\"'”’»)\]]*\Z")
_FACE = re.compile(r"(?:[:;=8xX^][-'^_~]?[\^()DPp~/|*\]\[3]|\^_?\^|\^[_.]\S|<3|[*~])\Z")
"""What ends a text like a full stop: a face, a heart."""
_ENDS = ("end", "start")
_OF_A_SHOW = re.compile(
    r"\b(?:saw|watched|see it|minute|bored|yawning|smiling|money back|throughout|expectations|"
    r"enjoy\w*|beginning to end)\b"
)
"""What only a review of something that is watched can go on with."""
_SHOW = re.compile(
    r"\b(?:film|movie|cinema|watch\w*|scenes?|act(?:or|ress|ing)s?|plots?|director|screen\w*|sequels?|comed\w+|dramas?|"
    r"thrillers?|documentar\w+|episodes?|seasons?|series|shows?|cartoon|musical|sitcom|western|heroine)\b",
    re.IGNORECASE,
)
_EVERYBODY = re.compile(
    r"\b(?:every(?:one|body)|any(?:one|body)|no[ -]?one|nobody|whoever|all of us|(?:whole|entire) family)\b",
    re.IGNORECASE,
)
"""Words for all, against whom no other person's opinion may stand."""
_PERSON = re.compile(r"\b(?:sister|brother|friend|parents|colleague|cousin|neighbour|aunt|uncle)", re.IGNORECASE)
_SCORED = re.compile(r"\b(?:\d+(?:\.\d)? ?(?:/|out of)|stars?\b|rat(?:ed?|es|ing)\b|grade|score)", re.IGNORECASE)
"""Where the writer has counted stars or points, so that no others are counted."""
_NEAR = 100
"""Words beside an added sentence that tell whether it says the same."""
_SURE, _SURE_IF_LONG = 2.5, 4.0
"""How far, in natural logarithms of odds, both those words and all of a text must lean to a side before the writer
says on that side what was thought: of the texts that lean so far, 96 of 100 lean the right way."""
_IT = re.compile(r"\bit\b", re.IGNORECASE)
_OF_WORKS = frozenset(
    """
    see saw seen watch watched rent rented enjoy enjoyed love loved like liked hate hated prefer recommend try buy get
    than unlike
    """.split()  # noqa: SIM905  # words read better as a text
)
"""Words behind which a name is one of a work as a rule."""
_JUDGED = ("movie", "film", "documentary", "show", "series", "restaurant", "hotel", "place", "book", "novel", "album")
"""What is reviewed, and called by the one of these words that the text has most often."""
_SUBJECT = re.compile(rf"\b(?:(?:this|the) (?:\w+ )?({'|'.join(_JUDGED)})|(movie|film))\b", re.IGNORECASE)
_SHOWN = 5
"""How many of these are watched."""
_COMPLAINS = re.compile(
    r"\b(?:not?|never|but|problem\w*|sorry|unfortunately|wrong|late|fail\w*|\w+n['’]t)\b|\?", re.IGNORECASE
)
_FRIENDLY = re.compile(
    r"\b(?:thanks?|thank|great|good|love\w*|nice|glad|happy|wonderful|awesome|best)\b", re.IGNORECASE
)
_FAREWELL = re.compile(
    r"\b(?:thanks|thank you|thx|regards|cheers|sincerely|let (?:me|us) know|talk to you|see you|take care|call me|"
    r"love you|bye|best)\b[^.!?]{0,40}[.!?]*\Z",
    re.IGNORECASE,
)
"""How letters end."""
_BUSINESS = re.compile(
    r"\b(?:attached|can you|could you|data|please|meeting|schedule|forward|let (?:me|us) know|confirm\w*|"
    r"draft|agreement|per your|fyi|asap|"
    r"deal|e-?mail|cc|subject|thread|questions?)\b",
    re.IGNORECASE,
)
"""Words of a letter that asks or arranges something, about which nobody says how happy it makes."""
_SOMEBODY = re.compile(r"\b(?:he|she|him|her|his)\b[^.!?]*[.!?]*\Z", re.IGNORECASE)
"""A last sentence about somebody, of whom "it" cannot be said."""
_FEWEST = 3
"""Words of a last sentence below which it is a signature, behind which nobody goes on."""
_LAST = 4
"""Words at the end among which a date, an address or a telephone number stands behind what is said."""
_BY_PHONE = "Sent from my phone."
"""What may stand behind a signature."""
_TOLD = re.compile(r"\b(?:i|i['’]\w+|im|me|my|mine|you|you['’]\w+|your|u|we|we['’]\w+|us|our)\b", re.IGNORECASE)
_REPORTED = re.compile(r"\b(?:said|says|according to)\b", re.IGNORECASE)
"""Words of what reports."""
_POST = 20
"""Words up to which a text of no known kind is a post, even if it speaks of nobody, and up to which moods are told."""


def _attached(field: str, text: str, addition: str, at: str, origin: str, *, stop: bool = True) -> Edit:
    """Attach a sentence, parted by a blank, and by a full stop where the text has no mark at its end."""
    if at == "start":
        return Edit(field, 0, 0, "", f"{addition} ", origin)
    end = len(text.rstrip())
    mark = "" if not stop or _STOPPED.search(text[:end]) or _FACE.search(text[:end]) else "."
    return Edit(field, end, end, "", f"{mark} {addition}", origin)


class _AddedSentence(WithTables):
    """Adds a sentence of one tone, which fits the kind of the text.

    Args:
        tone: ``positive``, ``negative`` or ``neutral``.
        at: ``end`` or ``start``.
        source: A table of sentence and tone, for every kind of text; None for the shipped ones.
        texts: The kind of the texts, or ``auto``.
    """

    def __init__(self, tone: str, at: str, source: Path | None, texts: str) -> None:
        self._name, self._at = f"{tone}_sentence", one_of("at", at, _ENDS)
        self._texts = one_of("texts", texts, ("auto", *KINDS))
        self._own = source is not None
        if source is not None:
            own = _of_tone(source, tone)
            if not own:
                raise UsageError(f"source: {str(source)!r} has no {tone} sentence")
            self._sentences = dict.fromkeys(("", *KINDS), own)
            return
        self._sentences = {
            "review": _of_tone(LEXICONS / "opinions.tsv", tone),
            "message": _of_tone(LEXICONS / "messages.tsv", tone),
        }
        if tone == "neutral":
            for sentence, kind in read_table(LEXICONS / "reports.tsv", ("sentence", "kind: news|question")):
                self._sentences.setdefault(kind, []).append(sentence)
        else:
            self._others = _of_tone(LEXICONS / "others.tsv", tone)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a sentence and field, in random order.

        Args:
            example: The source example.
            random: Draws the order.
        """
        for field, text in example.fields.items():
            kind = kind_of(text, self._texts)
            if not _goes_on(text) or (not self._own and self._odd(text, kind)):
                continue
            fitting = self._sentences.get(kind, []) if self._own else self._fitting(text, kind)
            for sentence in random.sample(fitting, len(fitting)):
                if sentence.casefold() not in text.casefold():
                    written = sentence.lower() if caseless(text) else sentence
                    edit = _attached(field, text, written, self._at, f"{self._name}: {sentence}")
                    yield Candidate(example, (edit,))

    def _odd(self, text: str, kind: str) -> bool:
        """Tell whether no sentence of the tone fits behind a text: a question, the end of a letter, or irony."""
        if self._name == "neutral_sentence":
            return kind == "news" and not _STOPPED.search(text)
        closed = text.rstrip()[-1] == "?" or _closes(text)
        return closed or _contradicted(text, self._name, kind) or (kind == "review" and _of_somebody(text))

    def _fitting(self, text: str, kind: str) -> list[str]:
        """List the sentences that fit what a text says."""
        sentences = self._sentences.get(kind, [])
        if self._name == "neutral_sentence":
            if (
                kind == ""
                and not _REPORTED.search(text)
                and (_TOLD.search(text) or len(text.split()) <= _POST)
                and not in_headline(tokenise(text))
            ):
                sentences = self._sentences["message"]
            if _closes(text) or (kind == "" and not _STOPPED.search(text)):
                sentences = [sentence for sentence in sentences if sentence == _BY_PHONE]
        elif kind == "review":
            sentences = self._thought(text)
        if self._name != "neutral_sentence":
            sentences = [sentence for sentence in sentences if not _said(text, sentence)]
        if self._at == "end" and _ends_with_another(text):
            sentences = [sentence for sentence in sentences if not _IT.search(sentence)]
        return _named(sentences, text) if kind == "review" else sentences

    def _thought(self, text: str) -> list[str]:
        """List what the writer may add, or else what others thought, which may stand beside any opinion."""
        tokens = tokenise(text)
        beside = tokens[-_NEAR:] if self._at == "end" else tokens[:_NEAR]
        sign = 1 if self._name == "positive_sentence" else -1
        sure = _SURE_IF_LONG if len(tokens) > _NEAR // 2 else _SURE
        if min(leaning(beside) * sign, leaning(tokens) * sign) > sure:
            scored = _SCORED.search(text)
            return [sentence for sentence in self._sentences["review"] if not (scored and "star" in sentence)]
        told = self._texts == "review" or caseless(text) or _judged(text) or _SHOW.search(text)
        if _EVERYBODY.search(text[beside[0].start : beside[-1].end]) or not told:
            return []
        persons = {match.group().casefold() for match in _PERSON.finditer(text)}
        return [sentence for sentence in self._others if persons.isdisjoint(_PERSON.findall(sentence))]


def _ends_with_another(text: str) -> bool:
    """Tell whether the last sentence names another work, which "it" or "the movie" would mean: "I liked Heat"."""
    tokens = tokenise(text)
    first, last = sentence_bounds(tokens, len(tokens) - 1)
    words = [token for token in tokens[first:last] if token.kind != "mark"]
    return not caseless(text) and any(
        one.text.lower() in _OF_WORKS and capitalised(other) and other.text != "I" for one, other in pairwise(words)
    )


def _judged(text: str) -> str:
    """Return what a review calls its subject most often; nothing where it has no word for it."""
    words = Counter((match.group(1) or match.group(2)).casefold() for match in _SUBJECT.finditer(text))
    shown = [word for word in _JUDGED[:_SHOWN] if words[word]]
    return max(shown or _JUDGED, key=words.__getitem__) if words else ""


def _named(sentences: Sequence[str], text: str) -> list[str]:
    """Say "the movie" for "it" where a text has that word, and only what can be said of its subject."""
    judged = _judged(text)
    if not (judged in _JUDGED[:_SHOWN] if judged else caseless(text) or _SHOW.search(text)):
        sentences = [sentence for sentence in sentences if not _OF_A_SHOW.search(sentence)]
    if not judged:
        return list(sentences)
    return [re.sub(r"\bit\b", f"the {judged}", re.sub(r"\AIt\b", f"The {judged}", each)) for each in sentences]


def _said(text: str, sentence: str) -> bool:
    """Tell whether a text has a word of its own of the sentence close to its end, which would say it twice."""
    words = {token.text.casefold() for token in tokenise(sentence)}
    words -= read_stop_words(STOP_WORDS) - {"more"} | {"it"}
    end = [token.text.casefold() for token in tokenise(text)[-_NEAR // 2 :]]
    stems = {word[:6] for word in words if len(word) > 3}
    return any(word[:6] in stems for word in end)


def _contradicted(text: str, name: str, kind: str) -> bool:
    """Tell whether a message would read as irony.

    A good mood needs friendly words and no complaint, a bad one a complaint and no friendly word.
    """
    if kind != "message" or name == "neutral_sentence":
        return False
    friendly, complains = _FRIENDLY.search(text) is not None, _COMPLAINS.search(text) is not None
    fits = complains and not friendly if name == "negative_sentence" else friendly and not complains
    return not fits or len(text.split()) > _POST or _BUSINESS.search(text) is not None


def _goes_on(text: str) -> bool:
    """Tell whether a sentence may follow a text: none follows a colon or a comma, a date, an address or a number."""
    bare = text.rstrip()
    if not bare or not (bare[-1].isalnum() or _STOPPED.search(bare) or _FACE.search(bare) or bare[-1] in "\"'”’»)]"):
        return False
    return not any(
        token.kind == "fixed" or (token.kind == "number" and len(token.text) > 2) for token in tokenise(bare)[-_LAST:]
    )


def _closes(text: str) -> bool:
    """Tell whether a text ends as letters do: with a farewell, or with a signature."""
    bare = text.rstrip()
    if _FAREWELL.search(bare):
        return True
    tokens = tokenise(bare)
    first, _ = sentence_bounds(tokens, len(tokens) - 1)
    words = sum(token.kind == "word" for token in tokens[first:])
    if not caseless(bare) and not _STOPPED.search(bare) and capitalised(tokens[-1]):
        return True  # a signature, or who said it
    return first > 0 and words < _FEWEST and bare[-1] not in ".!?"


def _of_somebody(text: str) -> bool:
    """Tell whether a text ends with somebody of whom "it" cannot be said, and no film or the like before."""
    return _SOMEBODY.search(text.rstrip()) is not None and not _SHOW.search(text)


def _of_tone(path: Path, tone: str) -> list[str]:
    """Read the sentences of a tone from a table."""
    columns = ("sentence", "tone: positive|negative|neutral")
    return [sentence for sentence, its_tone in read_table(path, columns) if its_tone == tone]


class PositiveSentence(_AddedSentence):
    """Adds a sentence of praise to a review, and one of a good mood to a message.

    The writer's ("I loved every minute.") stands behind a text that clearly praises, somebody else's ("My sister
    loved the film.") behind any other.

    For ``expect: {use: directional, label: positive}``: the probability of the positive label must not fall.

    Args:
        at: ``end`` or ``start`` of the text.
        source: A table of sentence and tone (positive, negative, neutral), for texts of every kind; the shipped
            ones, for reviews and messages, by default.
        texts: The kind of the texts (review, news, question, message); ``auto`` tells it from each text's words.

    Raises:
        UsageError: ``at`` or the kind is unknown, or the table is malformed or has no such sentence.
    """

    keeps_label = False

    def __init__(self, *, at: str = "end", source: Path | None = None, texts: str = "auto") -> None:
        super().__init__("positive", at, source, texts)


class NegativeSentence(_AddedSentence):
    """Adds a sentence of blame to a review, and one of a bad mood to a message.

    The writer's ("I hated every minute.") stands behind a text that clearly blames, somebody else's ("My sister
    hated the film.") behind any other.

    For ``expect: {use: directional, label: negative}``: the probability of the negative label must not fall.

    Args:
        at: ``end`` or ``start`` of the text.
        source: A table of sentence and tone (positive, negative, neutral), for texts of every kind; the shipped
            ones, for reviews and messages, by default.
        texts: The kind of the texts (review, news, question, message); ``auto`` tells it from each text's words.

    Raises:
        UsageError: ``at`` or the kind is unknown, or the table is malformed or has no such sentence.
    """

    keeps_label = False

    def __init__(self, *, at: str = "end", source: Path | None = None, texts: str = "auto") -> None:
        super().__init__("negative", at, source, texts)


class NeutralSentence(_AddedSentence):
    """Adds a sentence that says nothing of the matter: "I saw it on a Tuesday." The label must not change.

    News, questions and messages have sentences of their own; a post of no known kind gets one of a message, and behind
    a signature nothing stands but "Sent from my phone."

    Args:
        at: ``end`` or ``start`` of the text.
        source: A table of sentence and tone (positive, negative, neutral), for texts of every kind; the shipped
            ones, for reviews and messages, by default.
        texts: The kind of the texts (review, news, question, message); ``auto`` tells it from each text's words.

    Raises:
        UsageError: ``at`` or the kind is unknown, or the table is malformed or has no such sentence.
    """

    def __init__(self, *, at: str = "end", source: Path | None = None, texts: str = "auto") -> None:
        super().__init__("neutral", at, source, texts)


class Links(WithTables):
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
