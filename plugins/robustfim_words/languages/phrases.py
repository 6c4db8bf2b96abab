"""Phrases: contractions, abbreviations and openers of sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random

from robustfim_words.languages.language import Language
from robustfim_words.languages.perturbation import Change, Editing
from robustfim_words.text.casing import like

__all__ = ["Abbreviations", "Contractions", "Openers"]


def _pairs(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Read ``long = short`` both ways, ``long > short`` one way."""
    for line in lines:
        one, mark, other = re.split(r" ([=>]) ", line, maxsplit=1)
        yield one, other
        if mark == "=":
            yield other, one


class _Phrases(Editing):
    """Swaps the two sides of a table of phrases; a subclass names it."""

    def _changes(self, spoken: Language, text: str, random: Random) -> Iterator[Change]:
        (table,) = self.needs
        for one, other in _pairs(getattr(spoken.grammar, table)):
            either = re.escape(one).replace("'", "['’]")
            pattern = rf"(?<![\w'’-]){either}(?![\w'’-])"
            for match in re.finditer(pattern, text, re.IGNORECASE):
                if not match.group().isupper() or len(match.group()) < 3:
                    joined = other.endswith(("'", "’")) and text[match.end() : match.end() + 1] == " "
                    yield match.start(), match.end() + joined, like(match.group(), other), f"{table}: {one} -> {other}"


class Contractions(_Phrases):
    """Contracts words, or writes a contraction out: *geht es*, *geht's*; *cela*, *ça*."""

    needs = ("contractions",)


class Abbreviations(_Phrases):
    """Abbreviates words, or writes an abbreviation out: *zum Beispiel*, *z. B.*."""

    needs = ("abbreviations",)


class Openers(Editing):
    """Opens a text with a word without content: *Na ja, das ist …*."""

    needs = ("openers",)

    def _changes(self, spoken: Language, text: str, random: Random) -> Iterator[Change]:
        tokens = spoken.tokens(text)
        if len(tokens) < 3 or text[: tokens[0].start].strip("¿¡ ") or not tokens[0].text[0].isupper():
            return
        first, opens = tokens[0], spoken.grammar.openers
        after = text[first.end : first.end + 1]
        if after not in (" ", "'", "’") and not first.text.endswith(("'", "’")):
            return
        if not _lowered(spoken, first.text) or first.text in opens:
            return
        start = first.start if text[: first.start].strip() else 0
        for opener in random.sample(opens, len(opens)):
            yield start, first.end, f"{opener}, {first.text.lower()}", f"openers: {opener}"


def _lowered(spoken: Language, word: str) -> bool:
    """Whether a word that begins a sentence has a small letter inside it, and is known to."""
    if word.lower() in spoken.grammar.lowered.split():
        return True
    if spoken.grammar.nouns_capital or not spoken.knows(word):
        return False
    return not any(word in names for names in (spoken.first_names, spoken.last_names, *spoken.world.values()))
