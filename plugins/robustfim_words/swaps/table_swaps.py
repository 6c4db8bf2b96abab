"""Perturbations that replace phrases by a table: regional spelling, abbreviations, slang, misspellings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_texts import one_of
from robustfim_words.tagging.resourced import Editing, WithTagger
from robustfim_words.text.articles import swap
from robustfim_words.text.casing import as_listed, capitalised, like
from robustfim_words.text.gazetteer import Gazetteer, Match
from robustfim_words.text.guard import fixed
from robustfim_words.text.joined import joined
from robustfim_words.text.lexicon import LEXICONS, listed, read_table
from robustfim_words.text.stop_words import stop_words
from robustfim_words.text.tokens import Tokens, token_at

__all__ = ["Abbreviations", "Homophones", "Misspellings", "RegionalSpelling", "Slang"]

_Row = tuple[str, str, str]
"""The old phrase, its substitutes separated by a comma and a blank, and the tag of the word that must follow."""
_Entry = tuple[str, tuple[tuple[str, str], ...]]

_FOLLOWER = "before: any|verb"
_TAGS = {"any": ".*", "verb": "VB"}
"""The tags, as a regular expression, for which a column of a table has a word."""
_NO_WORD = "-"
"""The tag of a mark, and of the end of a text."""


class _TableSwaps(Editing):
    """Replaces the phrases of a table in every field; the longest match at each place is replaced.

    Words in quoted titles and in names are not replaced. A replacement takes the case of the old phrase, and the
    article before it agrees. The commonest words of a shipped table are replaced in a part of the texts only, since the
    table would otherwise be little more than "&" for "and". Your own table is used as it is.
    """

    def __init__(self, name: str, rows: Iterable[_Row], source: Path | None) -> None:
        self._name = name
        merged: dict[str, list[tuple[str, str]]] = {}
        for before, after, follower in rows:
            merged.setdefault(before, []).extend((word, _TAGS.get(follower, follower)) for word in listed(after))
        self._gazetteer = Gazetteer((before, (before, tuple(after))) for before, after in merged.items())
        thinned = () if source else read_table(LEXICONS / "thinned.tsv", ("word", "share of texts"))
        self._offered = {f"{name}: {word}": float(offered) for word, offered in thinned}

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the edits of an example, field by field."""
        drawn: dict[str, bool] = {}
        for edit in super().edits(example, random):
            replaced = edit.origin.partition(" → ")[0]
            if replaced in self._offered and replaced not in drawn:
                drawn[replaced] = random.random() < self._offered[replaced]
            if drawn.get(replaced, True):
                yield edit

    def _edits(self, field: str, text: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
        """List the replacements that the table has for the words of a field."""
        titles, index = fixed(text, tokens), 0
        while index < len(tokens):
            match = self._gazetteer.match(tokens, index)
            if match is None or match.first in titles or not _plain(text, tokens, match):
                index += 1
                continue
            before, substitutes = match.entry
            follower = token_at(tokens, match.last + 1)
            tag = follower.tag if follower.kind == "word" else _NO_WORD
            written = text[tokens[index].start : match.end]
            case = as_listed if written == before.upper() == before and not text.isupper() else like
            for after, tags in substitutes:
                put = after.removesuffix(".") if follower.text == "." else after
                slashed = after.endswith("/") and tokens[index].starts
                if not slashed and re.fullmatch(tags, tag):
                    why = f"{self._name}: {before} → {after}"
                    yield swap(field, text, tokens, index, put, why, end=match.end, case=case)
            index = match.last + 1


def _plain(text: str, tokens: Tokens, match: Match[_Entry]) -> bool:
    """Tell whether a match is no name, no part of one."""
    inside = tokens[match.first : match.last + 1]
    if match.end < inside[-1].end and text[inside[-1].start : match.end].lower() in stop_words():
        return False  # "there's": a contraction, which nothing else takes
    first = inside[0]
    if match.entry[0][0].isupper():
        return capitalised(first) or text.islower()
    # A capital inside a sentence is a name's, unless the whole word shouts.
    return not capitalised(first) or first.starts or (first.text.isupper() and len(first.text) > 1)


def _directed(path: Path, to: str, forms: tuple[str, str], directions: str) -> Iterator[_Row]:
    """Read a table of two forms, in the direction that ``to`` and the third column allow."""
    wanted = one_of("to", to, ("other", *forms))
    for one, other, direction in read_table(path, (*forms, f"direction: {directions}")):
        if wanted != forms[0] and direction != f"to_{forms[0]}":
            yield one, other, "any"
        if wanted != forms[1] and direction != f"to_{forms[1]}":
            yield other, one, "any"


class RegionalSpelling(_TableSwaps):
    """Swaps American and British spelling: "colour" for "color", "realize" for "realise".

    A word that occurs several times in a field is changed everywhere, by one edit from its first to its last place.

    Args:
        to: The new spelling, ``american`` or ``british``; ``other`` changes British to American and American to
            British spelling.
        source: A table of British spelling, American spelling and direction (both, to_american); the shipped table by
            default.

    Raises:
        UsageError: ``to`` is unknown, or the table is malformed.
    """

    def __init__(self, *, to: str = "other", source: Path | None = None) -> None:
        path = source or LEXICONS / "regional_spelling.tsv"
        super().__init__("regional_spelling", _directed(path, to, ("british", "american"), "both|to_american"), source)

    def _edits(self, field: str, text: str, tokens: Tokens, random: Random) -> Iterator[Edit]:
        """List one edit of each word of a field that is spelt otherwise."""
        found: dict[str, list[Edit]] = {}
        for edit in super()._edits(field, text, tokens, random):
            found.setdefault(edit.origin, []).append(edit)
        return (joined(text, edits) for edits in found.values())


class Abbreviations(_TableSwaps):
    """Shortens words by common abbreviations, or writes abbreviations out: "TV", "ad", "mins", "e.g.".

    Args:
        to: The new form, ``short`` or ``full``; ``other`` shortens full forms and writes short forms out.
        source: A table of full form, short form and direction (both, to_short, to_full); the shipped table by default.

    Raises:
        UsageError: ``to`` is unknown, or the table is malformed.
    """

    def __init__(self, *, to: str = "short", source: Path | None = None) -> None:
        path = source or LEXICONS / "abbreviations.tsv"
        super().__init__("abbreviations", _directed(path, to, ("full", "short"), "both|to_short|to_full"), source)


class Slang(WithTagger, _TableSwaps):
    """Replaces words by slang of chats: "gonna", "kinda", "u", "tbh".

    Args:
        source: A table of standard form, slang forms (separated by commas) and the kind of the next word (any, verb);
            the shipped table by default.

    Raises:
        UsageError: The table is malformed.
    """

    def __init__(self, *, source: Path | None = None) -> None:
        table = read_table(source or LEXICONS / "slang.tsv", ("standard", "slang", _FOLLOWER))
        super().__init__("slang", ((standard, slang, before) for standard, slang, before in table), source)


class Misspellings(_TableSwaps):
    """Replaces words by common misspellings: "definately", "seperate", "alot".

    Args:
        source: A table of the right spelling and its misspellings, separated by commas; the shipped one by default.

    Raises:
        UsageError: The table is malformed.
    """

    contract = Contract(carries=True)

    def __init__(self, *, source: Path | None = None) -> None:
        table = read_table(source or LEXICONS / "misspellings.tsv", ("right", "wrong"))
        super().__init__("misspellings", ((right, wrong, "any") for right, wrong in table), source)


class Homophones(WithTagger, _TableSwaps):
    """Confuses words that sound alike: "there" and "their", "its" and "it's", "then" and "than".

    Each pair of words is confused at one place of a text, drawn at random, so that common words do not dominate. A word
    that is often confused is replaced only if the next word shows that it is right; mistakes in the text are never
    fixed.

    Args:
        source: A table of a word and the words that it is confused with, separated by commas; the shipped table by
            default.

    Raises:
        UsageError: The table is malformed.
    """

    def __init__(self, *, source: Path | None = None) -> None:
        if source is None:
            table = read_table(LEXICONS / "homophones.tsv", ("word", "confused", "right before"))
        else:
            table = tuple((*row, "any") for row in read_table(source, ("word", "confused")))
        super().__init__("homophones", ((word, confused, before) for word, confused, before in table), source)

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List one edit for each pair of words."""
        found: dict[str, list[Edit]] = {}
        for edit in super().edits(example, random):
            found.setdefault(edit.origin, []).append(edit)
        yield from (random.choice(edits) for edits in found.values())
