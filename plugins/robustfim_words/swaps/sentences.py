"""Sentences: one is added at the end or the beginning, or dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.tagging.resourced import WithTables
from robustfim_words.text.casing import capitalised, caseless
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.options import one_of
from robustfim_words.text.stop_words import STOP_WORDS, read_stop_words
from robustfim_words.text.text_kind import KINDS, kind_of
from robustfim_words.text.tokens import Token, sentence_bounds, tokenise
from robustfim_words.text.tone import leaning

__all__ = ["DropSentence", "Links", "NegativeSentence", "NeutralSentence", "PositiveSentence"]

_STOPPED = re.compile(r"[.!?…:;][\s\"'”’»)\]]*\Z")
_FACE = re.compile(r"(?:[:;=8xX^][-'^_~]?[\^()DPp~/|*\]\[3]|\^_?\^|\^[_.]\S|<3|[*~])\Z")
"""What ends a text like a full stop: a face, a heart."""
_ENDS = ("end", "start")
_OF_A_SHOW = re.compile(
    r"\b(?:saw|watched|see it|minute|bored|yawning|smiling|money back|throughout|expectations|"
    r"enjoy\w*|beginning to end)\b"
)
"""What only a review of something that is watched can go on with."""
_SHOW = re.compile(
    r"\b(?:films?|movies?|cinema|watch\w*|scenes?|act(?:or|ress|ing)s?|plots?|director|screen\w*|sequels?|comed\w+|dramas?|"
    r"thrillers?|documentar\w+|episodes?|series|shows?)\b",
    re.IGNORECASE,
)
_LIKING = re.compile(
    r"I (?:loved|really enjoyed|thoroughly enjoyed|would (?:not )?recommend|recommend|was delighted|hated|didn't enjoy|"
    r"was disappointed|can't recommend|was bored|was impressed)"
)
"""How sentences begin that say what the writer thinks, which may stand against all that was said before."""
_AGAINST = ("All the same, ", "Even so, ", "Still, ")
_OWN = ("Personally, ", "For my part, ", "In the end, ")
_VERDICT = re.compile(
    r"\b(?:stay away|avoid|worth|waste\w*|warned|skip|recommend\w*|must[- ]see|worst|(?:un)?impressed|thumbs|"
    r"unaffected|"
    r"(?:wouldn['’]t|won['’]t|not|never) (?:\w+ ){0,3}again|new low|"
    r"garbage|crap|rubbish|(?:do not|don['’]t) (?:bother|go|watch|see|rent|buy|waste|miss)|never again|rent it|see it|"
    r"i(?:['’]ve)? (?:\w+ ){0,2}(?:hated?|loved?|enjoy(?:ed)?|disliked?|liked?|regret\w*|bored|disappointed))\b|"
    r"/ ?10\b",
    re.IGNORECASE,
)
"""Where the writer has given a verdict, so that none may stand against it."""
_FAR, _FAR_IN_ALL = 4.0, 3.0
"""How far the words beside a sentence, and all of a longer text, may lean the other way before none is believed."""
_NEAR = 100
"""Words beside an added sentence that tell what it stands against."""
_SURE = 2.5
"""How far a text with a verdict must lean to one side for another verdict on that side."""
_LEANS = 1.0
"""How far a text must lean before its side is taken for known, in natural logarithms of odds."""
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
    r"\b(?:attached|please|meeting|schedule|forward|let (?:me|us) know|confirm\w*|draft|agreement|per your|fyi|asap|"
    r"deal|e-?mail|cc|subject|thread|questions?)\b",
    re.IGNORECASE,
)
"""Words of a letter that asks or arranges something, about which nobody says how happy it makes."""
_SOMEBODY = re.compile(r"\b(?:he|she|him|her|his)\b[^.!?]*[.!?]*\Z", re.IGNORECASE)
"""A last sentence about somebody, of whom "it" cannot be said."""
_FEWEST = 3
"""Words of a last sentence below which it is a signature, behind which nobody goes on."""


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

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a sentence and field, in random order.

        Args:
            example: The source example.
            random: Draws the order.
        """
        for field, text in example.fields.items():
            kind = kind_of(text, self._texts)
            if not _goes_on(text, self._name) or _contradicted(text, self._name, kind):
                continue
            fitting = self._sentences.get(kind, [])
            if not (_SHOW.search(text) or caseless(text)):
                fitting = [sentence for sentence in fitting if not _OF_A_SHOW.search(sentence)]
            for sentence in random.sample(fitting, len(fitting)):
                if not self._own and self._name != "neutral_sentence" and _said(text, sentence):
                    continue
                said = sentence if self._own or kind != "review" else self._after(text, sentence, random)
                if said and sentence.casefold() not in text.casefold():
                    written = said.lower() if caseless(text) else said
                    edit = _attached(field, text, written, self._at, f"{self._name}: {said}")
                    yield Candidate(example, (edit,))

    def _after(self, text: str, sentence: str, random: Random) -> str:
        """Say a sentence so that it fits what the text says: against it, as one's own opinion, or plainly."""
        if self._name == "neutral_sentence":
            return sentence
        tokens = tokenise(text)
        beside = tokens[-_NEAR:] if self._at == "end" else tokens[:_NEAR]
        sign = 1 if self._name == "positive_sentence" else -1
        lean = leaning(beside) * sign
        if len(tokens) > _NEAR // 2 and leaning(tokens) * sign < -_FAR_IN_ALL:
            return ""
        if lean > (_SURE if _VERDICT.search(text) else _LEANS):
            return sentence
        if lean < -_FAR or not _LIKING.match(sentence) or _VERDICT.search(text):
            return ""
        return random.choice(_AGAINST if lean < -_LEANS and self._at == "end" else _OWN) + sentence


def _said(text: str, sentence: str) -> bool:
    """Tell whether a text has a word of its own of the sentence close to its end, which would say it twice."""
    words = {token.text.casefold() for token in tokenise(sentence)} - read_stop_words(STOP_WORDS) - {"it"}
    end = [token.text.casefold() for token in tokenise(text)[-_NEAR // 2 :]]
    stems = {word[:6] for word in words if len(word) > 3}
    return any(word[:6] in stems for word in end)


def _contradicted(text: str, name: str, kind: str) -> bool:
    """Tell whether a message would read as irony.

    Content needs friendly words and no complaint, discontent a complaint and no friendly word.
    """
    if kind != "message" or name == "neutral_sentence":
        return False
    if _BUSINESS.search(text) or _SOMEBODY.search(text):
        return True
    friendly = _FRIENDLY.search(text) is not None
    complains = _COMPLAINS.search(text) is not None
    return friendly or not complains if name == "negative_sentence" else complains or not friendly


def _goes_on(text: str, name: str) -> bool:
    """Tell whether a sentence may follow a text.

    None follows a colon or a comma, no opinion a question, a signature or the end of a letter.
    """
    bare = text.rstrip()
    if not bare or bare[-1] in ":,;(-":
        return False
    if name == "neutral_sentence":
        return True
    if bare[-1] == "?" or _FAREWELL.search(bare):
        return False
    tokens = tokenise(bare)
    if tokens[-1].kind == "fixed":
        return False  # an address
    first, _ = sentence_bounds(tokens, len(tokens) - 1)
    words = sum(token.kind == "word" for token in tokens[first:])
    if not caseless(bare) and not _STOPPED.search(bare) and capitalised(tokens[-1]):
        return False  # a signature, or who said it
    return first == 0 or words >= _FEWEST or bare[-1] in ".!?"


def _of_tone(path: Path, tone: str) -> list[str]:
    """Read the sentences of a tone from a table."""
    columns = ("sentence", "tone: positive|negative|neutral")
    return [sentence for sentence, its_tone in read_table(path, columns) if its_tone == tone]


class PositiveSentence(_AddedSentence):
    """Adds a sentence of praise, such as "I loved every minute", to a review, and one of content to a message.

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
    """Adds a sentence of blame, such as "I hated every minute", to a review, and one of discontent to a message.

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

    News and questions have sentences of their own.

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


class DropSentence(WithTables):
    """Drops one sentence of a text that has several.

    One that the next sentence leans on ("It …", "But …") stays. What is left must carry the verdict alone: with
    ``least: 3``, two sentences or more stay. A dropped sentence may have been the one that decides, so a limit
    should leave room.

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
            tokens = tokenise(text)
            firsts = [token for token in tokens if token.starts]
            starts = [_opened(text, token.start) for token in firsts]
            if len(starts) < self._least or len(set(starts)) < len(starts):
                continue
            ends = [*starts[1:], len(text)]
            for place in random.sample(range(len(starts)), len(starts)):
                start, end = starts[place], ends[place]
                follower = firsts[place + 1] if place + 1 < len(firsts) else None
                before = text[:start].rstrip()[-1:]
                if (
                    before == "?"
                    or not _parted(text, start, end)
                    or (follower is not None and _leans(tokens, follower))
                ):
                    continue
                if place == len(starts) - 1:
                    start = len(text[:start].rstrip())
                yield Candidate(example, (Edit(field, start, end, text[start:end], "", f"drop_sentence: {place + 1}"),))


_LEANING = frozenset(
    """
    it he she they this that these those his her its their him them but and or so yet however also then instead
    therefore thus otherwise besides still nevertheless moreover furthermore such another both neither either here
    there which who because although though likewise similarly too again even not no yes oh well which once
    """.split()  # noqa: SIM905  # words read better as a text
)
"""First words of sentences that lean on the one before."""


def _leans(tokens: Sequence[Token], first: Token) -> bool:
    """Tell whether a sentence leans on the one before it, by its first words."""
    index = next(place for place, token in enumerate(tokens) if token.start == first.start)
    words = [token.text.lower().replace("’", "'").split("'")[0] for token in tokens[index : index + 4]]
    pointing = any(word in ("this", "that", "these", "such", "also", "first", "latter", "former") for word in words)
    return words[0] in _LEANING or pointing or tokens[index].kind == "number"


def _parted(text: str, start: int, end: int) -> bool:
    """Tell whether a sentence ends with a mark, and its brackets and quotation marks close inside it."""
    sentence = text[start:end].strip()
    if len(re.findall(r"[^\W\d_]{2,}", sentence)) < _FEWEST + 1 or "?" in sentence[-3:]:
        return False
    whole = sentence.count("(") == sentence.count(")") and sentence.count('"') % 2 == 0
    return (
        whole
        and re.search(r"[.!?…][\"'”’)\]]*\s*(?:(?:<[^>]*>)\s*)*\Z", sentence) is not None
        and "- " not in sentence[:40]
    )


def _opened(text: str, start: int) -> int:
    """Take in the quotation marks and brackets that open a sentence."""
    while start and text[start - 1] in "\"'“‘«([":
        start -= 1
    return start
