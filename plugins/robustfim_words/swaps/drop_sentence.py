"""Drop a sentence: a text with several loses one that the others do not lean on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.tagging.resourced import WithTables
from robustfim_words.text.casing import capitalised, caseless
from robustfim_words.text.tokens import Token, base_of, sentence_bounds, tokenise

__all__ = ["DropSentence"]

_FEWEST = 4
"""Words of a sentence below which it is an exclamation or a signature, which stays."""


class DropSentence(WithTables):
    """Drops one sentence of a text that has several.

    One that the next sentence leans on ("It …", "But …") stays, and so does one that takes back what stands before it,
    that alone names the person of whom the text goes on to speak, or the thing that it calls "the …" from there on, or
    that is most of the text. What is left must carry the verdict alone: with ``least: 3``, two sentences or more stay.
    A dropped sentence may have been the one that decides, so a limit should leave room.

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
                    or 3 * (end - start) > 2 * len(text)
                    or not _parted(text, start, end)
                    or (follower is not None and _leans(tokens, follower))
                    or _introduces(text, tokens, start, end)
                    or (follower is not None and _bears(tokens, start, end))
                ):
                    continue
                if place == len(starts) - 1:
                    start = len(text[:start].rstrip())
                yield Candidate(example, (Edit(field, start, end, text[start:end], "", f"drop_sentence: {place + 1}"),))


_LEANING = frozenset(
    """
    it he she they this that these those his her its their him them but and or so yet however also then instead
    therefore thus otherwise besides still nevertheless moreover furthermore such another both neither either here
    there which who why because although though likewise similarly too again even not no yes oh well once
    finally next second secondly third thirdly other others meanwhile afterwards later consequently hence
    """.split()  # noqa: SIM905  # words read better as a text
)
"""First words of sentences that lean on the one before."""


_POINTING = frozenset(["these", "those", "such", "another", "latter", "former", "others", "however"])
"""Words anywhere in a sentence that point to the one before."""
_AHEAD = frozenset(["this", "that", "also", "first", "them"])
"""Words that point to it near the beginning."""
_AFTER_FORE = frozenset(["for", "in", "with", "to", "of", "from", "about", "besides", "despite"])
_JOINED = frozenset(
    [
        ("at", "least"),
        ("in", "addition"),
        ("in", "fact"),
        ("as", "a"),
        ("for", "example"),
        ("for", "instance"),
        ("after", "all"),
        ("on", "the"),
        ("in", "other"),
        ("by", "contrast"),
        ("in", "contrast"),
        ("as", "well"),
    ]
)
"""Pairs of first words that join a sentence to the one before."""
_PERSONS = frozenset(["he", "she", "him", "his", "her", "hers"])


_TOPICS = frozenset("film movie show story book plot acting place food time way end thing one rest first world".split())  # noqa: SIM905  # words read better as a text
"""Nouns that have "the" wherever they stand."""
_OWN = _TOPICS | frozenset("is was year week month day morning evening summer weekend site page product review".split())  # noqa: SIM905  # words read better as a text
"""Words behind which "this" need not point to the sentence before."""
_TURNING = frozenset(["well", "actually", "or", "not", "except"])
"""First words of sentences that take back what stands before, so that the opposite may follow."""
_ARTICLES = frozenset(["the", "this", "that", "these", "those"])
_OWNING = frozenset("my your his her its our their whose".split())  # noqa: SIM905  # words read better as a text
_PRONOUNS = (frozenset(["she", "her", "hers"]), frozenset(["he", "him", "his"]))
_AHEAD_OF_IT = 8
"""Words of a sentence among which "how that" points back; later ones have something in it to point to. A question of
no more words asks about what stands before it."""
_POINTED = frozenset(["how", "why", "if", "when", "of", "about", "by", "than", "like", "to"])
"""Words behind which "that" points back as a rule: "I wonder how that came"."""


def _bears(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Tell whether what follows a sentence needs it: for "the kids", "she" or "how that came", or as its turn."""
    words = [token.text.lower().replace("’", "'") for token in tokens]
    first = next(place for place, token in enumerate(tokens) if token.start >= start)
    last = next(place for place, token in enumerate(tokens) if token.start >= end)
    _, behind = sentence_bounds(tokens, last)
    asked = words[behind - 1] == "?" and behind - last <= _AHEAD_OF_IT
    if words[first] in _TURNING or asked:
        return True
    if any(
        one in _POINTED and other in ("that", "this")
        for one, other in pairwise(words[last : min(behind, last + _AHEAD_OF_IT)])
    ):
        return True
    follow = {word.split("'")[0] for word in words[last:behind]}
    before = {word.split("'")[0] for word in words[:first]}
    if any(follow & family and not before & family for family in _PRONOUNS):
        return True
    known = {_stem(word) for word in words[:first]} | _TOPICS
    told = {
        _stem(words[place])
        for place in range(first + 1, last)
        if tokens[place].kind == "word" and len(words[place]) > 3 and _ARTICLES.isdisjoint(words[place - 2 : place])
    }
    told -= known | {_stem(words[place]) for place in range(first, last) if words[place - 1] in _OWNING}
    for place in range(last, len(words)):
        if _stem(words[place]) in told:
            if words[place - 1] in _ARTICLES:
                return True
            told.discard(_stem(words[place]))
    return False


def _stem(word: str) -> str:
    return word.split("'")[0].removesuffix("s")


def _leans(tokens: Sequence[Token], first: Token) -> bool:
    """Tell whether a sentence leans on the one before it."""
    index = next(place for place, token in enumerate(tokens) if token.start == first.start)
    _, end = sentence_bounds(tokens, index)
    words = [token.text.lower().replace("’", "'").split("'")[0] for token in tokens[index:end]]
    ahead = words[:4]
    behind = words[0] in _AFTER_FORE and not {"it", "them", "him", "her"}.isdisjoint(ahead)
    pointing = not _POINTING.isdisjoint(words) or not _AHEAD.isdisjoint(ahead)
    pointing = pointing or any(one == "this" and other not in _OWN for one, other in pairwise(words))
    joined = tuple(ahead[:2]) in _JOINED or "though" in words[-3:] or tokens[index].kind == "number"
    return words[0] in _LEANING or pointing or behind or joined


def _introduces(text: str, tokens: Sequence[Token], start: int, end: int) -> bool:
    """Tell whether a sentence alone names somebody of whom the text goes on to speak as "he" or "her"."""
    behind = [token for token in tokens if token.start >= end]
    if _PERSONS.isdisjoint(token.text.lower() for token in behind):
        return False
    if caseless(text):
        return True
    follow = takewhile(lambda token: not token.starts, behind[1:])
    named = [token for token in tokens if start <= token.start < end and capitalised(token) and not token.starts]
    if any(token.text != "I" for token in named) and not _PERSONS.isdisjoint(
        token.text.lower() for token in (*behind[:1], *follow)
    ):
        return True
    elsewhere = {base_of(token)[0] for token in tokens if not start <= token.start < end}
    return any(base_of(token)[0] not in elsewhere for token in named if token.text != "I")


def _parted(text: str, start: int, end: int) -> bool:
    """Tell whether a sentence ends with a mark, and its brackets and quotation marks close inside it."""
    sentence = text[start:end].strip()
    if len(re.findall(r"[^\W\d_]{2,}", sentence)) < _FEWEST or "?" in sentence[-3:]:
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
