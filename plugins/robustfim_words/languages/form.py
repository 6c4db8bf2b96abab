"""Form: typos on the language's keyboard, missing accents and umlauts, confused articles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from robustfim_words.form.typos import INSIDE, keys_beside, slips
from robustfim_words.languages.language import Language
from robustfim_words.languages.perturbation import Change, Editing
from robustfim_words.text.casing import like, unaccented

__all__ = ["Accents", "Articles", "Typos"]

_LETTERS = 4
"""The smallest number of letters of a word that is misspelled."""
_SLIPS = 3
"""How many times less frequent an unaccented form must be than its accented word to count as a misspelling of it."""


class Typos(Editing):
    """Makes one typing error in a word: a neighbouring key, two letters swapped, a letter dropped or doubled.

    Neighbouring keys are taken from the language's keyboard. The first letter is never changed, and the misspelled
    word is never another frequent word.
    """

    needs = ("keyboard",)

    def _changes(self, spoken: Language, text: str, random: Random) -> Iterator[Change]:
        beside = keys_beside(spoken.grammar.keyboard)
        for token in spoken.tokens(text):
            if len(token.text) >= _LETTERS and token.text.isalpha():
                for kind, slip in slips(token.text, INSIDE, beside, spoken.knows, random):
                    yield token.start, token.end, slip, f"typos: {kind}"


class Accents(Editing):
    """Drops accents and writes umlauts as *ae*, *ss* and so on, as on a foreign keyboard.

    An accent stays if the word without it is another frequent word (*hätte*, *hatte*), unless that form is mostly a
    misspelling of the word.
    """

    def _changes(self, spoken: Language, text: str, random: Random) -> Iterator[Change]:
        spelled = spoken.grammar.spelled
        for token in spoken.tokens(text):
            plain = "".join(spelled.get(letter, letter) for letter in token.text)
            if plain != token.text:
                yield token.start, token.end, unaccented(plain), "accents: spelled"
            bare = unaccented(token.text)
            if not spoken.knows(bare) or spoken.rank(bare) > _SLIPS * spoken.rank(token.text):
                yield token.start, token.end, bare, "accents: dropped"


class Articles(Editing):
    """Confuses articles as learners do: an article of another gender, or none."""

    needs = ("articles",)

    def _changes(self, spoken: Language, text: str, random: Random) -> Iterator[Change]:
        groups = [group.split() for group in spoken.grammar.articles]
        tokens = spoken.tokens(text)
        for token, after in pairwise(tokens):
            own = [group for group in groups if token.text.lower() in group]
            if len(own) != 1 or text[token.end : after.start] != " " or not _governs(spoken, after.text):
                continue
            others = [word for word in own[0] if word != token.text.lower()]
            yield token.start, token.end, like(token.text, random.choice(others)), "articles: other"
            yield token.start, after.end, like(token.text, after.text), "articles: none"


def _governs(spoken: Language, word: str) -> bool:
    """Whether an article's noun or adjective follows, and no pronoun's verb or clause."""
    if spoken.grammar.nouns_capital:
        return word[:1].isupper()
    return word.islower() and word not in spoken.grammar.lowered.split()
