"""Articles: the errors of learners of English, who drop, add, exchange or confuse articles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from robustfim.candidate import Edit
from robustfim_texts import some_of
from robustfim_words.tagging.resourced import Editing, WithTagger
from robustfim_words.text import inflection
from robustfim_words.text.articles import indefinite_article
from robustfim_words.text.casing import capitalised, caseless, title
from robustfim_words.text.guard import fixed
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.tokens import Tokens, token_at

__all__ = ["KINDS", "Articles"]

KINDS = ("drop", "wrong", "insert", "exchange")


class Articles(WithTagger, Editing):
    """Drops an article, adds one, exchanges "a" and "the", or confuses "a" and "an".

    ``insert`` puts "the" before a plural noun without an article, after a verb or a preposition ("I love the dragons"),
    in texts with capitals. ``exchange`` swaps "a" and "the" before a singular noun. Articles before names, in quoted
    titles and in quantities ("a few", "a lot") are not changed.

    Args:
        kinds: ``drop``, ``wrong``, ``insert``, ``exchange``; all by default.

    Raises:
        UsageError: A kind is unknown.
    """

    def __init__(self, *, kinds: list[str] | None = None) -> None:
        self._kinds = some_of("kinds", kinds, KINDS)

    def _edits(self, field: str, text: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
        """List the mistakes that each article allows."""
        quoted = fixed(text, tokens)
        for index, (token, follower) in enumerate(pairwise(tokens)):
            if "insert" in self._kinds and not {index, index + 1} & quoted and _bare(text, tokens, index):
                put = f"the {follower.text}"
                yield Edit(field, follower.start, follower.end, follower.text, put, "articles: the put in")
            if index in quoted or not _leads(text, tokens, index):
                continue
            before = text[token.start : follower.end]
            for kind, after, what in _mistakes(tokens, index):
                if kind in self._kinds:
                    yield Edit(field, token.start, follower.end, before, after, f"articles: {what}")


def _leads(text: str, tokens: Tokens, index: int) -> bool:
    """Tell whether a token is an article right before a word in small letters, which makes no quantity of it."""
    token, follower = tokens[index], tokens[index + 1]
    return (
        token.small in closed_class("articles")
        and (token.text != "A" or token.starts)
        and text[token.end : follower.start] == " "
        and follower.kind == "word"
        and not capitalised(follower)
        and follower.small not in closed_class("behind an article") | closed_class("articles")
        and not _spelled(tokens[index + 1 : index + 3])
    )


def _mistakes(tokens: Tokens, index: int) -> Iterator[tuple[str, str, str]]:
    """List the mistakes with an article: their kind, what is written then, and what that changes."""
    article, word = tokens[index].text, tokens[index + 1].text
    small = article.lower()
    yield "drop", word if article.islower() else title(word), f"{small} dropped"
    if small == "an":
        yield "wrong", f"{article[0]} {word}", "an → a"
    if _singular(tokens, index + 1):
        other = indefinite_article(word) if small == "the" else "the"
        yield "exchange", f"{title(other) if article[0].isupper() else other} {word}", f"{small} → {other}"


def _spelled(behind: Tokens) -> bool:
    """Tell whether two single letters stand behind an "a": a word is spelled out with spaces."""
    return len(behind) > 1 and all(len(token.text) == 1 and token.text.isalpha() for token in behind)


def _bare(text: str, tokens: Tokens, index: int) -> bool:
    """Tell whether a plain noun without an article stands behind a verb or a preposition."""
    token, noun, behind = tokens[index], tokens[index + 1], tokens[index + 2 : index + 3]
    leads = token.tag == "IN" or (token.pos == "VERB" and token.tag in ("VB", "VBP", "VBZ", "VBD"))
    last = ("IN", "CC", "MD", "VBZ", "VBD", "VBP", "WDT", "TO")
    return (
        leads
        and all(its.text not in ("-", "'", "’") and (its.kind == "mark" or its.tag in last) for its in behind)
        and noun.kind == "word"
        and text[token.end : noun.start] == " "
        and noun.tag == "NNS"
        and noun.text.islower()
        and not caseless(text)
        and "VERB" not in inflection.parts_of_speech(noun.text)
    )


def _singular(tokens: Tokens, first: int) -> bool:
    """Tell whether a singular noun, with adjectives at most, follows an article."""
    place = first
    while token_at(tokens, place).tag == "JJ":
        place += 1
    if token_at(tokens, place).tag != "NN":
        return False
    behind = token_at(tokens, place + 1)
    whole = tokens[place].base_end == tokens[place].end
    return whole and behind.tag[:2] not in ("NN", "CD", "PO", "JJ")
