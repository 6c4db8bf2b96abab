"""Perturbations that are a table of phrases: spelling, shortening, slang, misspelling."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from robustfim.candidate import Edit
from robustfim.example import Example
from robustfim_words.swaps.phrases import Phrases, Row
from robustfim_words.tagging.tagger import tagger
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.options import one_of
from robustfim_words.text.tokens import tokenise

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Abbreviations", "Homophones", "Misspellings", "RegionalSpelling", "Slang"]

_FOLLOWER = "before: any|verb"


class _TableSwaps:
    """Lists the replacements of a table in every field."""

    _tagged = False

    def __init__(self, name: str, rows: Iterator[Row]) -> None:
        self._phrases = Phrases(name, rows)

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the replacements that the table has for the words of each field.

        Args:
            example: The source example.
            random: Not used: the list is complete.
        """
        read = tagger().tag if self._tagged else tokenise
        for field, text in example.fields.items():
            yield from self._phrases.edits(field, text, read(text))


class RegionalSpelling(_TableSwaps):
    """Spells words as on the other side of the Atlantic: "colour" for "color", "realize" for "realise".

    Args:
        to: ``american``, ``british``, or ``other``: whichever each word is not.
        source: A table of British spelling, American spelling and direction (both, to_american); the shipped one by
            default.

    Raises:
        UsageError: ``to`` is unknown, or the table is malformed.
    """

    def __init__(self, *, to: str = "other", source: Path | None = None) -> None:
        wanted = one_of("to", to, ("other", "american", "british"))
        columns = ("british", "american", "direction: both|to_american")
        rows: list[Row] = []
        for british, american, direction in read_table(source or LEXICONS / "regional_spelling.tsv", columns):
            if wanted != "british":
                rows.append((british, american, "any"))
            if wanted != "american" and direction == "both":
                rows.append((american, british, "any"))
        super().__init__("regional_spelling", iter(rows))


class Abbreviations(_TableSwaps):
    """Shortens words as everybody does, or writes them out: "TV", "ad", "mins", "e.g.".

    Args:
        to: ``short``, ``full``, or ``other``: whichever each word is not.
        source: A table of full form, short form and direction (both, to_short, to_full); the shipped one by default.

    Raises:
        UsageError: ``to`` is unknown, or the table is malformed.
    """

    def __init__(self, *, to: str = "other", source: Path | None = None) -> None:
        wanted = one_of("to", to, ("other", "short", "full"))
        columns = ("full", "short", "direction: both|to_short|to_full")
        rows: list[Row] = []
        for full, short, direction in read_table(source or LEXICONS / "abbreviations.tsv", columns):
            if wanted != "full" and direction != "to_full":
                rows.append((full, short, "any"))
            if wanted != "short" and direction != "to_short":
                rows.append((short, full, "any"))
        super().__init__("abbreviations", iter(rows))


class Slang(_TableSwaps):
    """Writes words as in a chat: "gonna", "kinda", "u", "tbh".

    Args:
        source: A table of standard form, slang (several separated by commas) and what follows (any, verb); the shipped
            one by default.

    Raises:
        UsageError: The table is malformed.
    """

    _tagged = True

    def __init__(self, *, source: Path | None = None) -> None:
        table = read_table(source or LEXICONS / "slang.tsv", ("standard", "slang", _FOLLOWER))
        super().__init__("slang", ((standard, slang, before) for standard, slang, before in table))

    def prepare(self, context: Context) -> None:
        """Tag the run's texts in batches."""
        tagger().prepare(context)


class Misspellings(_TableSwaps):
    """Misspells words as people do: "definately", "seperate", "alot".

    Args:
        source: A table of right spelling and wrong ones, separated by commas; the shipped one by default.

    Raises:
        UsageError: The table is malformed.
    """

    def __init__(self, *, source: Path | None = None) -> None:
        table = read_table(source or LEXICONS / "misspellings.tsv", ("right", "wrong"))
        super().__init__("misspellings", ((right, wrong, "any") for right, wrong in table))


class Homophones(_TableSwaps):
    """Confuses words that sound alike: "there" and "their", "its" and "it's", "then" and "than".

    Args:
        source: A table of word and what it is confused with, separated by commas; the shipped one by default.

    Raises:
        UsageError: The table is malformed.
    """

    def __init__(self, *, source: Path | None = None) -> None:
        table = read_table(source or LEXICONS / "homophones.tsv", ("word", "confused"))
        super().__init__("homophones", ((word, confused, "any") for word, confused in table))
