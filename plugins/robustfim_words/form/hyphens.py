"""Hyphens: replaced by a blank, or dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim_words.tagging.resourced import Editing
from robustfim_words.text.guard import fixed
from robustfim_words.text.inflection import is_word
from robustfim_words.text.tokens import Token

__all__ = ["Hyphens"]

_COMPOUND = re.compile(r"[^\W\d_]{2,}(?:-[^\W\d_]{2,})+\Z")


class Hyphens(Editing):
    """Writes a compound without its hyphen: "well made" for "well-made", "nonviolent" for "non-violent".

    Names ("Rojas-Wright"), compounds of words outside the English dictionary ("pao-pao") and words in a quoted title
    are not changed.
    """

    contract = Contract(carries=True)

    def _edits(self, field: str, text: str, tokens: Sequence[Token], random: Random) -> Iterator[Edit]:
        """List the compound's other notations: apart, or, where the dictionary has it, as one word."""
        titles = fixed(text, tokens)
        for index, token in enumerate(tokens):
            word = token.text
            if index in titles or not _COMPOUND.match(word) or (word != word.lower() and not token.starts):
                continue
            if text[token.start - 1 : token.start] == "-" or text[token.end : token.end + 1] == "-":
                continue
            if any(part[0].isupper() for part in word.split("-")[1:]):
                continue
            closed = is_word(word.replace("-", ""))
            if not closed and not any(map(is_word, word.split("-"))):
                continue
            after = word.replace("-", "" if closed else " ")
            yield Edit(field, token.start, token.end, word, after, f"hyphens: {'closed' if closed else 'apart'}")
