"""Titles: "Mr." gives way to "Dr." before a name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from robustfim.candidate import Edit
from robustfim.example import Example
from robustfim_words.text.articles import swap
from robustfim_words.text.casing import capitalised
from robustfim_words.text.guard import fixed
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import Token, tokenise

__all__ = ["Titles"]


class Titles:
    """Swaps the title before a name for another that fits the same person: "Mrs. Okafor" becomes "Judge Okafor".

    A title that tells a gender gives way to one that tells the same, or none; one that tells none to another such.
    Those in a quoted title ("Inspector Morse") stay.

    Args:
        alternatives: Titles offered for each, drawn at random.
        source: A table of title and gender (female, male, any); the shipped one by default.

    Raises:
        UsageError: The table is malformed.
    """

    def __init__(self, *, alternatives: int = 6, source: Path | None = None) -> None:
        self._alternatives = max(1, alternatives)
        table = read_table(source or LEXICONS / "titles.tsv", ("title", "gender: female|male|any"))
        self._gender = {title.rstrip("."): gender for title, gender in table}

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List other titles at each title.

        Args:
            example: The source example.
            random: Draws the titles.
        """
        for field, text in example.fields.items():
            tokens = tokenise(text)
            quoted = fixed(text, tokens)
            for index, token in enumerate(tokens):
                gender = self._gender.get(token.text)
                end = _end(text, tokens, index) if gender is not None and index not in quoted else None
                if gender is None or end is None:
                    continue
                fitting = [t for t, g in self._gender.items() if g in (gender, "any") and _long(t) != _long(token.text)]
                stop = "." if text[end - 1] == "." else ""
                short = frozenset(["Mr", "Mrs", "Ms", "Dr", "Prof"])
                for title in random.sample(fitting, min(self._alternatives, len(fitting))):
                    dotted = title in short and (stop or (token.text not in short and title == "Prof"))
                    written = f"{title}." if dotted else title
                    yield swap(field, text, tokens, index, written, f"titles: {token.text} → {title}", end=end)


def _long(title: str) -> str:
    """Write out a title: "Dr" and "Doctor" are one."""
    return {"Dr": "Doctor", "Prof": "Professor"}.get(title, title)


def _end(text: str, tokens: tuple[Token, ...], index: int) -> int | None:
    """Return the end of a title, with its stop; None where no name stands behind it."""
    place, end = index + 1, tokens[index].end
    if place < len(tokens) and tokens[place].text == "." and tokens[place].start == end:
        place, end = place + 1, tokens[place].end
    if place == len(tokens) or text[end : tokens[place].start] != " ":
        return None
    name = tokens[place]
    before = tokens[index - 1] if index else None
    titled = (
        before is not None
        and capitalised(before)
        and not before.starts
        and text[before.end : tokens[index].start] == " "
    )
    return end if capitalised(name) and name.text != "I" and len(name.text) > 1 and not titled else None
