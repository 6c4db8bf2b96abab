"""Perturbations that replace phrases by a table: regional spelling, abbreviations, slang, misspellings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.swaps.phrases import Phrases, Row
from robustfim_words.tagging.resourced import Editing, WithTagger
from robustfim_words.text.joined import joined
from robustfim_words.text.lexicon import LEXICONS, closed_class, read_table
from robustfim_words.text.options import one_of
from robustfim_words.text.tokens import Token, token_at

__all__ = ["Abbreviations", "Homophones", "Misspellings", "RegionalSpelling", "Slang"]

_FOLLOWER = "before: any|verb"


class _TableSwaps(Editing):
    """Lists the replacements of a table in every field; those of the commonest words in a part of the texts only.

    A shipped table would otherwise be little more than "&" for "and". A user's own is used as it is.
    """

    def __init__(self, name: str, rows: Iterator[Row], source: Path | None) -> None:
        self._phrases = Phrases(name, rows)
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

    def _edits(self, field: str, text: str, tokens: Sequence[Token], random: Random) -> Iterator[Edit]:
        """List the replacements that the table has for the words of a field."""
        return self._phrases.edits(field, text, tokens)


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
        wanted = one_of("to", to, ("other", "american", "british"))
        columns = ("british", "american", "direction: both|to_american")
        rows: list[Row] = []
        for british, american, direction in read_table(source or LEXICONS / "regional_spelling.tsv", columns):
            if wanted != "british":
                rows.append((british, american, "any"))
            if wanted != "american" and direction == "both":
                rows.append((american, british, "any"))
        super().__init__("regional_spelling", iter(rows), source)

    def _edits(self, field: str, text: str, tokens: Sequence[Token], random: Random) -> Iterator[Edit]:
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
        wanted = one_of("to", to, ("other", "short", "full"))
        columns = ("full", "short", "direction: both|to_short|to_full")
        rows: list[Row] = []
        for full, short, direction in read_table(source or LEXICONS / "abbreviations.tsv", columns):
            if wanted != "full" and direction != "to_full":
                rows.append((full, short, "any"))
            if wanted != "short" and direction != "to_short":
                rows.append((short, full, "any"))
        super().__init__("abbreviations", iter(rows), source)


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
    is replaced only if it is right at its place; mistakes in the text are never fixed.

    Args:
        source: A table of a word and the words that it is confused with, separated by commas; the shipped table by
            default.

    Raises:
        UsageError: The table is malformed.
    """

    def __init__(self, *, source: Path | None = None) -> None:
        table = read_table(source or LEXICONS / "homophones.tsv", ("word", "confused"))
        super().__init__("homophones", ((word, confused, "any") for word, confused in table), source)

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List one edit for each pair of words."""
        found: dict[str, list[Edit]] = {}
        read = self._read(example)
        for edit in super().edits(example, random):
            tokens = read[edit.field]
            index = next(place for place, token in enumerate(tokens) if token.end > edit.start)
            if _right(tokens, index):
                found.setdefault(edit.origin, []).append(edit)
        if len(found) > 1:
            found.pop("homophones: to → too", None)  # the commonest word, and nearly the only one otherwise
        yield from (random.choice(edits) for edits in found.values())


def _right(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a word that is often confused stands in its right place."""
    word = tokens[index].small
    after = token_at(tokens, index + 1)
    tag = after.tag if after is not None and after.kind == "word" else ""
    if word in closed_class("owning"):
        beyond = token_at(tokens, index + 2)
        described = tag[:2] in ("JJ", "VB", "RB") and beyond is not None and beyond.tag[:2] in ("NN", "JJ")
        return tag[:2] in ("NN", "CD") or described
    if word in closed_class("owning contracted"):
        return tag[:2] in ("DT", "RB", "VB", "IN", "JJ") and not _noun_behind(tokens, index)
    if word == "there":
        return after is None or after.kind == "mark" or tag in ("VBZ", "VBP", "VBD", "MD")
    if word == "than":
        near = tokens[max(0, index - 5) : index]
        return any(t.tag in ("JJR", "RBR") or t.text.lower() in closed_class("before than") for t in near)
    if word == "then":
        return not any(t.tag in ("JJR", "RBR") for t in tokens[max(0, index - 2) : index])
    if word == "to":
        return tag in ("VB", "DT", "PRP", "PRP$", "NN", "NNS", "NNP", "JJ")
    if word == "too":
        return after is None or after.kind == "mark" or tag[:2] in ("JJ", "RB")
    return True


def _noun_behind(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether an adjective and a noun follow, as they would a possessive: "you're late flight"."""
    inside = [token.tag for token in tokens[index + 1 : index + 3]]
    return len(inside) == 2 and inside[0] == "JJ" and inside[1][:2] == "NN"
