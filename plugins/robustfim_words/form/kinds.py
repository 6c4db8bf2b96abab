"""Changes of the form of a whole text, of one kind in each candidate: case, accents, white space."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import ClassVar

from robustfim.candidate import Candidate, Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_texts import guarded_spans, some_of, touches
from robustfim_words.tagging.resourced import Proposing
from robustfim_words.text.casing import like, title, unaccented
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import tokenise

__all__ = ["Accents", "ByKind", "Case", "Change", "Kind", "Spaces", "replaced"]

Change = tuple[int, int, str]
"""A change: index of its first character, index after its last character, and the new text."""

Kind = Callable[[str], Iterable[Change]]
"""A function that lists the changes of one kind in a text."""


def replaced(pattern: str, after: str | Callable[[re.Match[str]], str]) -> Kind:
    """Return a kind of change that replaces every match of a pattern in a text.

    Args:
        pattern: A regular expression.
        after: The new text, or a function of the match that returns it.
    """

    def changes(text: str) -> Iterator[Change]:
        for match in re.finditer(pattern, text):
            yield match.start(), match.end(), after if isinstance(after, str) else after(match)

    return changes


class ByKind(Proposing):
    """A perturbation that applies one kind of change, such as dropping commas, everywhere in an example."""

    contract = Contract(carries=True, separable="edits")
    any_language = True
    _name: ClassVar[str]
    _known: ClassVar[Mapping[str, Kind]]
    _on_demand: ClassVar[tuple[str, ...]] = ()
    """Kinds that are used only if a suite names them."""
    _alternatives: ClassVar[tuple[str, ...]] = ()
    """Kinds of which a text gets one at most, so that none dominates."""

    def __init__(self, *, kinds: list[str] | None = None) -> None:
        usual = [kind for kind in self._known if kind not in self._on_demand]
        self._kinds = some_of("kinds", usual if kinds is None else kinds, self._known)

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose one candidate a kind, in random order, but for those that change nothing."""
        excluded: Sequence[str] = ()
        for kind in random.sample(self._kinds, len(self._kinds)):
            if kind in excluded:
                continue
            edits = tuple(
                Edit(field, start, end, text[start:end], after, f"{self._name}: {kind}")
                for field, text in example.fields.items()
                for guarded in [guarded_spans(text)]
                for start, end, after in self._known[kind](text)
                if text[start:end] != after and not touches(guarded, start, end)
            )
            if edits:
                excluded = self._alternatives if kind in self._alternatives else excluded
                yield Candidate(example, edits)


_OTHERS = str.maketrans(
    {
        **{"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ı": "i"},
        **{"ß": "ss", "æ": "ae", "Æ": "Ae", "œ": "oe", "þ": "th"},
    }
)
_LATIN = re.compile(r"[^\W\d_]+(?:[\u0300-\u036f]+[^\W\d_]*)*")


def _without_accents(word: str) -> str:
    """Write a word without accents on its Latin letters; letters of other scripts are unchanged.

    >>> [_without_accents(word) for word in ("café", "Wałęsa", "Øyvind", "й")]
    ['cafe', 'Walesa', 'Oyvind', 'й']
    """
    parts = unicodedata.normalize("NFD", word)
    if not all("LATIN" in unicodedata.name(c, "") for c in parts if c.isalpha()):
        return word
    return unaccented(word).translate(_OTHERS)


def _drop(text: str) -> Iterator[Change]:
    """Leave out every accent."""
    for match in _LATIN.finditer(text) if not text.isascii() else ():
        yield match.start(), match.end(), _without_accents(match.group())


def _add(text: str) -> Iterator[Change]:
    """Set the accents that English may set."""
    for token in tokenise(text):
        accented = _accented().get(token.small)
        if accented is not None and (token.text.islower() or token.starts):
            yield token.start, token.end, like(token.text, accented)


@lru_cache(maxsize=1)
def _accented() -> dict[str, str]:
    """Read the words that English writes with and without accents."""
    return {_without_accents(word): word for (word,) in read_table(LEXICONS / "accents.txt", ("word",))}


class Accents(ByKind):
    """Drops the accents of all words ("cafe", "Dvorak"), or adds accents that English allows ("naïve", "cliché").

    Args:
        kinds: ``drop``, ``add``; both by default.

    Raises:
        UsageError: A kind is unknown.
    """

    _name = "accents"
    _known: ClassVar = {"drop": _drop, "add": _add}


def _every(function: Callable[[str], str]) -> Kind:
    """Make the changes of a function of a word."""

    def changes(text: str) -> Iterator[Change]:
        for token in tokenise(text):
            if token.kind == "word":
                yield token.start, token.end, function(token.text)

    return changes


def _first(text: str) -> Iterator[Change]:
    """Change the case of the first letter of the text, unless its word is in capitals ("I", "TV")."""
    for token in tokenise(text):
        if token.kind == "word":
            changed = token.text[0].swapcase() if not token.text.split("'")[0].isupper() else token.text[0]
            yield token.start, token.end, changed + token.text[1:]
            return


class Case(ByKind):
    """Writes the whole example in another case: ``lower``, ``upper``, ``title``, or with its ``first`` letter changed.

    Args:
        kinds: Which cases; all by default.

    Raises:
        UsageError: A kind is unknown.
    """

    _name = "case"
    _known: ClassVar = {"lower": _every(str.lower), "upper": _every(str.upper), "title": _every(title), "first": _first}


_BLANK = r"(?<=\S) (?=\S)"
_WIDTHS = {
    "no_break": "\u00a0",
    "narrow": "\u202f",
    "en": "\u2002",
    "em": "\u2003",
    "figure": "\u2007",
    "thin": "\u2009",
}
"""Blanks of other widths, such as text that was copied from a printed page has."""


def _between_sentences(after: str) -> Kind:
    """Write the blank before each sentence but the first otherwise."""

    def changes(text: str) -> Iterator[Change]:
        for token in tokenise(text):
            start = token.start
            while start and text[start - 1] in "\"'“‘(":
                start -= 1
            if token.starts and start > 1 and text[start - 1] == " " and not text[start - 2].isspace():
                yield start - 1, start, after

    return changes


def _ends(text: str) -> Iterator[Change]:
    if text.strip():
        yield 0, 0, "  "
        yield len(text), len(text), " \n"


class Spaces(ByKind):
    """Changes the white space of the whole example; each candidate has one kind of change.

    ``double`` doubles the blanks, ``tabs`` makes them tabs; ``no_break``, ``narrow``, ``en``, ``em``, ``figure`` and
    ``thin`` make them blanks of another width. ``typewriter`` puts two blanks between sentences, ``lines`` a new line.
    ``squeezed`` drops the blanks after commas and full stops. ``apart`` adds blanks before commas and full stops, as in
    tokenised corpora. ``indented``, ``trailing`` and ``ends`` add white space before the text, after it, or both.

    Args:
        kinds: The kinds of changes to make; all by default.

    Raises:
        UsageError: A kind is unknown.
    """

    _name = "spaces"
    _known: ClassVar = {
        "double": replaced(_BLANK, "  "),
        "tabs": replaced(_BLANK, "\t"),
        **{kind: replaced(_BLANK, blank) for kind, blank in _WIDTHS.items()},
        "typewriter": _between_sentences("  "),
        "lines": _between_sentences("\n"),
        "squeezed": replaced(r"(?<=[^\W\d_][,;:.!?]) (?=[^\W\d_])", ""),
        "apart": replaced(r"(?<=[^\W\d_])(?=[,;:!?](?:\s|\Z)|\.(?:\s*\Z))", " "),
        "indented": replaced(r"\A(?=\S)", "    "),
        "trailing": replaced(r"(?<=\S)\Z", "\n\n"),
        "ends": _ends,
    }
