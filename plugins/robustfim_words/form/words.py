"""Other notations of single words: hyphens left out, small words typed twice, vowels held."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim_words.persons.names import in_name
from robustfim_words.tagging.resourced import Editing, WithTagger
from robustfim_words.text.denials import denies
from robustfim_words.text.guard import fixed
from robustfim_words.text.inflection import is_word
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.stop_words import stop_words
from robustfim_words.text.text_kind import register
from robustfim_words.text.tokens import Token, Tokens

__all__ = ["Elongations", "Hyphens", "RepeatedWords"]

_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)
_SILENT = re.compile(r"(?<=[^aeiou\W])e\Z", re.IGNORECASE)


class Elongations(WithTagger, Editing):
    """Repeats a vowel of a word that people draw out in speech: "sooo good", "looong".

    The emphasis strengthens a statement and never reverses it. News texts are not changed.
    """

    contract = Contract(carries=True)

    def _edits(self, field: str, text: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
        """List one elongation of each word that is spoken with emphasis."""
        titles = fixed(text, tokens)
        for index, token in enumerate(tokens if register(text) != "news" else ()):
            place = _stressed(token) if index not in titles and not in_name(tokens, index) else None
            if place is None:
                continue
            held = token.text[place] * random.randint(2, 4)
            after = token.text[:place] + held + token.text[place:]
            yield Edit(field, token.start, token.end, token.text, after, f"elongations: {token.small}")


def _stressed(token: Token) -> int | None:
    """Return the place of the vowel to hold; None for a word that nobody holds."""
    word = token.text
    if word.lower() not in closed_class("held long") or token.tag[:2] not in ("JJ", "RB", "UH", ""):
        return None
    match = _VOWEL.search(_SILENT.sub("", word), 1) or _VOWEL.search(word)
    return match.start() if match else None


_COMPOUND = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]{2,})+\Z")


class Hyphens(Editing):
    """Writes a compound without its hyphen: "well made" for "well-made", "nonviolent" for "non-violent".

    Names ("Rojas-Wright"), compounds of words outside the English dictionary ("pao-pao") and words in a quoted title
    are not changed.
    """

    contract = Contract(carries=True)

    def _edits(self, field: str, text: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
        """List the compound's other notations: apart, or, where the dictionary has it, as one word."""
        titles = fixed(text, tokens)
        for index, token in enumerate(tokens):
            word = token.text
            if index in titles or not _COMPOUND.match(word) or (word != word.lower() and not token.starts):
                continue
            if text[token.start - 1 : token.start] == "-":
                continue
            if any(part[0].isupper() for part in word.split("-")[1:]):
                continue
            closed = is_word(word.replace("-", ""))
            if not closed and not any(map(is_word, word.split("-"))):
                continue
            after = word.replace("-", "" if closed else " ")
            yield Edit(field, token.start, token.end, word, after, f"hyphens: {'closed' if closed else 'apart'}")


class RepeatedWords(Editing):
    """Types a function word twice, such as an article or a preposition: "one of the the best".

    Negations ("not not") are never repeated, since that can change the meaning.
    """

    def _edits(self, field: str, text: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
        """List one repetition of each small word."""
        for token in tokens:
            small = token.small
            if small.isalpha() and small in stop_words() and not denies(small):
                again = token.text if token.text.isupper() else small
                after = f"{token.text} {again}"
                yield Edit(field, token.start, token.end, token.text, after, f"repeated_words: {small}")
