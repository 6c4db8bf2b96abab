"""Articles: left out, or the wrong one, as learners of English write."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from robustfim.candidate import Edit
from robustfim.example import Example
from robustfim_words.tagging.resourced import WithTables
from robustfim_words.text.casing import capitalised
from robustfim_words.text.guard import fixed
from robustfim_words.text.options import some_of
from robustfim_words.text.tokens import tokenise

__all__ = ["KINDS", "Articles"]

KINDS = ("drop", "wrong")
_ARTICLES = ("a", "an", "the")
_FIXED = frozenset("few little lot bit couple while same only most least first one other".split())  # noqa: SIM905  # words read better as a text


class Articles(WithTables):
    """Leaves an article out, or writes "a" for "an".

    Articles before names, in quoted titles and in fixed phrases ("a few", "the same") stay.

    Args:
        kinds: ``drop``, ``wrong``; both by default.

    Raises:
        UsageError: A kind is unknown.
    """

    def __init__(self, *, kinds: list[str] | None = None) -> None:
        self._kinds = some_of("kinds", kinds, KINDS)

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the mistakes that each article allows.

        Args:
            example: The source example.
            random: Not used: the list is complete.
        """
        for field, text in example.fields.items():
            tokens = tokenise(text)
            quoted = fixed(text, tokens)
            for index, token in enumerate(tokens[:-1]):
                small, follower = token.text.lower(), tokens[index + 1]
                if small not in _ARTICLES or index in quoted or follower.kind != "word":
                    continue
                if (
                    text[token.end : follower.start] != " "
                    or follower.text.lower() in _FIXED
                    or capitalised(follower)
                    or follower.text in _ARTICLES
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
