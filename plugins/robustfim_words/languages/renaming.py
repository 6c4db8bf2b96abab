"""Renaming an entity everywhere in a text: its mentions, its possible new names, and the candidates."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from random import Random
from typing import NamedTuple

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim_texts import touches
from robustfim_words.languages.language import Language, Token
from robustfim_words.persons.names import entities

__all__ = ["Mention", "longest_matches", "mentions", "renamed"]

_DRAWS = 20
"""The number of new names drawn for each entity."""


class Mention(NamedTuple):
    """A place where an entity is named.

    Attributes:
        field: The name of the example's field.
        first: Index of the mention's first token.
        last: Index of the mention's last token.
        start: Index of the mention's first character.
        end: Index after the name's last character, without the suffix.
        name: The name, spelled as in the lexicon.
        suffix: The ending of an inflected name: the ``s`` of *Annas*.
        begins: False if the word before the mention may belong to the name, or if the mention is quoted.
        ends: False if the word after the mention may belong to the name, or if the mention is quoted.
        after_role: Whether the word before the mention is a person's role: *der Trainer Thomas Weber*.
    """

    field: str
    first: int
    last: int
    start: int
    end: int
    name: str
    suffix: str
    begins: bool
    ends: bool
    after_role: bool

    @property
    def alone(self) -> bool:
        """Whether the mention is the whole name, and not a part of a longer name."""
        return self.begins and self.ends


def longest_matches(
    tokens: Sequence[Token], text: str, names: Mapping[str, object], suffixes: Mapping[str, str]
) -> Iterator[tuple[int, int, str, str]]:
    """Find the names of a lexicon in a text; if several names begin at one word, the longest is taken.

    Yields:
        For each name in the text, the indices of its first and last token, the name, and its suffix.
    """
    place = 0
    while place < len(tokens):
        for last in range(min(place + 3, len(tokens) - 1), place - 1, -1):
            written = text[tokens[place].start : tokens[last].end]
            ends = [end for end in suffixes if written.endswith(end) and _takes(written[: -len(end)], suffixes[end])]
            name, suffix = next(
                ((written.removesuffix(end), end) for end in ("", *ends) if written.removesuffix(end) in names),
                ("", ""),
            )
            if name:
                yield place, last, name, suffix
                place = last
                break
        place += 1


def _takes(name: str, never: str) -> bool:
    return re.search(never, name) is None


def mentions(
    spoken: Language,
    example: Example,
    names: Mapping[str, object],
    *,
    not_after: frozenset[str] = frozenset(),
    not_before: frozenset[str] = frozenset(),
) -> list[Mention]:
    """Find where the names of a lexicon stand in an example.

    A name may be part of a longer name if it stands after a word of ``not_after``, before a word of ``not_before``, or
    beside another capitalised word. The mention's property ``alone`` is then False. A capitalised word before the name
    does not matter if it begins the sentence or introduces names (*Frau*).

    Args:
        spoken: The language.
        example: The example.
        names: The lexicon, with the names as keys.
        not_after: Words after which a name belongs to another kind of thing (*Sankt*).
        not_before: Words before which a name is not complete (*von*).
    """
    found = []
    roles = spoken.grammar.names.roles
    for field, text in example.fields.items():
        tokens, fixed = spoken.tokens(text), spoken.fixed(text)
        for first, last, name, suffix in longest_matches(tokens, text, names, spoken.grammar.suffixes):
            start, end = tokens[first].start, tokens[last].end
            before, after = _beside(tokens, text, first - 1, first), _beside(tokens, text, last + 1, last)
            free = not touches(fixed, start, end)
            joins = before in not_after or (_capital(before) and not _says_nothing(spoken, tokens, text, first - 1))
            goes_on = after in not_before or (_capital(after) and not suffix)  # *Annas Haus* is no name
            goes_on = goes_on or text[end : end + 1] in {"'", "’"}  # *Meta'*, for *Metà*
            at = (field, first, last, start, end - len(suffix))
            role = bool(roles) and before not in not_after and re.search(roles, before) is not None
            found.append(Mention(*at, name, suffix, free and not joins, free and not goes_on, free and role))
    return found


def _beside(tokens: Sequence[Token], text: str, place: int, of: int) -> str:
    """The word at a place, where nothing but a blank or a point parts it from another; else nothing."""
    if not 0 <= place < len(tokens):
        return ""
    one, other = sorted((tokens[place], tokens[of]), key=lambda token: token.start)
    between = text[one.end : other.start]
    joined = re.fullmatch(r" ?[\"'„“‚«(]?", between) or (between == ". " and len(one.text) < 3)
    return tokens[place].text if joined else ""


def _capital(word: str) -> bool:
    return word[:1].isupper()


def _says_nothing(spoken: Language, tokens: Sequence[Token], text: str, place: int) -> bool:
    """Whether a capital letter says nothing of the next word: it introduces a name, or begins a sentence."""
    word = tokens[place].text
    opens = place == 0 or re.search(r"[.!?:\"„“«»¿¡\n–—-]\s*\Z", text[: tokens[place].start]) is not None
    known = spoken.knows(word) and word not in spoken.all_names
    titles = spoken.grammar.names.titles.split()
    return word in spoken.grammar.introduces.split() or word in titles or (opens and known)


def renamed(
    spoken: Language,
    example: Example,
    found: Sequence[Mention],
    pools: Callable[[str, Random], Sequence[str]],
    random: Random,
    origin: str,
    linked: Sequence[tuple[str, str]] = (),
) -> Iterator[Candidate]:
    """Yield candidates (perturbed examples) in which one person or thing has another name everywhere.

    A name is not changed if one of its mentions may be part of a longer name, or if another word in the example begins
    with it. A new name must not occur in the example, must fit the words before it (elision, *e* for *y*), and must be
    able to take the suffix of every mention.

    Args:
        spoken: The language.
        example: The example that is changed.
        found: The mentions of names in the example.
        pools: A function that returns the possible new names for a name, in the order in which they are tried.
        random: The random source for ``pools``.
        origin: The perturbation's name.
        linked: Pairs of names that belong to one person or thing. Linked names change together or not at all.
    """
    whole = "\n".join(example.fields.values())
    by_name: dict[str, list[Mention]] = {}
    for mention in found:
        by_name.setdefault(mention.name, []).append(mention)
    whole_names = {
        name: places
        for name, places in sorted(by_name.items())
        if all(place.alone for place in places) and _times(name, whole) == len(places)
    }
    drawn: dict[str, list[list[tuple[Mention, str]]]] = {}
    for name, places in whole_names.items():
        suffixes = {spoken.grammar.suffixes[place.suffix] for place in places if place.suffix}
        fitting = (
            new
            for new in pools(name, random)
            if new != name
            and spoken.onset(new) == spoken.onset(name)
            and all(_takes(new, never) for never in suffixes)
            and not _times(new, whole)
        )
        drawn[name] = [[(place, new) for place in places] for new in islice(fitting, _DRAWS)]
    groups = sorted(map(sorted, entities([*by_name], linked)))
    rows = [zip(*(drawn.get(name, []) for name in group), strict=False) for group in groups]
    for parts in filter(None, chain.from_iterable(zip_longest(*rows))):
        renamings = sorted(chain.from_iterable(parts))
        edits = (Edit(m.field, m.start, m.end, m.name, new, f"{origin}: {m.name} -> {new}") for m, new in renamings)
        yield Candidate(example, tuple(edits), carries=True)


def _times(name: str, text: str) -> int:
    """Count how often a name stands at the beginning of a word, whatever its letters' case."""
    return len(re.findall(rf"(?<!\w){re.escape(name)}", text, re.IGNORECASE))
