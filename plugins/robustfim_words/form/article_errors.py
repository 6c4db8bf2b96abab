"""Articles: left out, put in, exchanged, or the wrong one, as learners of English write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from robustfim.candidate import Edit
from robustfim.example import Example
from robustfim_words.tagging.resourced import WithTagger
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text import inflection
from robustfim_words.text.articles import indefinite_article
from robustfim_words.text.casing import capitalised, caseless
from robustfim_words.text.guard import fixed
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.options import some_of
from robustfim_words.text.tokens import Token, base_of

__all__ = ["KINDS", "Articles"]

KINDS = ("drop", "wrong", "insert", "exchange")


class Articles(WithTagger):
    """Leaves an article out, puts one in, exchanges it, or writes "a" for "an".

    "the" is put before a bare plural behind a verb or a preposition ("I love the dragons"), in texts with capitals; "a"
    and "the" stand for each other before a singular noun. Articles before names, in quoted titles and of quantities
    ("a few", "a lot") stay.

    Args:
        kinds: ``drop``, ``wrong``, ``insert``, ``exchange``; all by default.

    Raises:
        UsageError: A kind is unknown.
    """

    def __init__(self, *, kinds: list[str] | None = None) -> None:
        self._kinds = some_of("kinds", kinds, KINDS)

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the mistakes that each article allows."""
        for field, text in example.fields.items():
            tokens = tagger().tag(text)
            quoted = fixed(text, tokens)
            for index, token in enumerate(tokens[:-1]):
                small, follower = token.text.lower(), tokens[index + 1]
                if "insert" in self._kinds and not {index, index + 1} & quoted and _bare(text, tokens, index):
                    put = f"the {follower.text}"
                    yield Edit(field, follower.start, follower.end, follower.text, put, "articles: the put in")
                if small not in closed_class("articles") or index in quoted or follower.kind != "word":
                    continue
                if (
                    text[token.end : follower.start] != " "
                    or follower.text.lower() in closed_class("behind an article")
                    or capitalised(follower)
                    or follower.text in closed_class("articles")
                    or _spelled(tokens[index + 1 : index + 3])
                ):
                    continue
                if token.text == "A" and not token.starts:
                    continue
                before = text[token.start : follower.end]
                if "drop" in self._kinds:
                    word = follower.text if token.text.islower() else follower.text[0].upper() + follower.text[1:]
                    yield Edit(field, token.start, follower.end, before, word, f"articles: {small} dropped")
                if "wrong" in self._kinds and small == "an":
                    after = f"{token.text[0]} {follower.text}"
                    yield Edit(field, token.start, follower.end, before, after, "articles: an → a")
                if "exchange" in self._kinds and _singular(tokens, index + 1):
                    other = indefinite_article(follower.text) if small == "the" else "the"
                    after = other.capitalize() if token.text[0].isupper() else other
                    after = f"{after} {follower.text}"
                    yield Edit(field, token.start, follower.end, before, after, f"articles: {small} → {other}")


def _spelled(behind: Sequence[Token]) -> bool:
    """Tell whether two single letters stand behind an "a": a word is spelled out with spaces."""
    return len(behind) > 1 and all(len(token.text) == 1 and token.text.isalpha() for token in behind)


def _bare(text: str, tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a plain noun without an article stands behind a verb or a preposition."""
    token, noun = tokens[index], tokens[index + 1]
    behind = tokens[index + 2] if index + 2 < len(tokens) else None
    verb = token.pos == "VERB" and token.tag in ("VB", "VBP", "VBZ", "VBD")
    leads = verb or token.tag == "IN"
    ends = behind is None or behind.kind == "mark" or behind.tag in ("IN", "CC", "MD", "VBZ", "VBD", "VBP", "WDT", "TO")
    return (
        leads
        and ends
        and noun.kind == "word"
        and text[token.end : noun.start] == " "
        and noun.tag == "NNS"
        and noun.text.islower()
        and not caseless(text)
        and inflection.lemma(noun.text, "NNS") is not None
        and "VERB" not in inflection.parts_of_speech(noun.text)
        and not (behind is not None and behind.text in ("-", "'", "’"))
    )


def _singular(tokens: Sequence[Token], first: int) -> bool:
    """Tell whether a singular noun, with adjectives at most, follows an article."""
    place = first
    while place < len(tokens) and tokens[place].tag == "JJ" and tokens[place].kind == "word":
        place += 1
    if place >= len(tokens) or tokens[place].tag != "NN":
        return False
    behind = tokens[place + 1] if place + 1 < len(tokens) else None
    whole = base_of(tokens[place])[1] == tokens[place].end
    return whole and (behind is None or behind.tag[:2] not in ("NN", "CD", "PO", "JJ"))
