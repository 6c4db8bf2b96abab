"""Persons in a text: given and family names, found by lists, capitals and tags."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from robustfim_words import inflection
from robustfim_words.gazetteer import Gazetteer
from robustfim_words.names import Key, Mention, capitalised, caseless, in_title, likely, stands_alone
from robustfim_words.tokens import Token, base_of

__all__ = ["Name", "Persons", "Register"]

_HONORIFICS = frozenset(
    """mr mrs ms miss dr prof professor doctor sir dame lady lord captain detective officer inspector sergeant major
    president senator judge agent aunt auntie uncle director actor actress writer coach king queen prince princess
    father sister brother""".split()  # noqa: SIM905  # words read better as a text
)
_MONTHS = frozenset(["april", "may", "june", "august"])
_NAMED_AFTER = frozenset(
    """street road avenue lane square station airport park hall college university school hospital bridge river lake
    island beach bay church cathedral museum theatre theater studios pictures films awards award prize festival day
    show channel""".split()  # noqa: SIM905  # words read better as a text
)
_AT_A_PLACE = frozenset(["in", "to", "from", "at", "near", "around", "across", "through", "outside", "visits", "visit"])


class Name(NamedTuple):
    """A line of the list of names.

    Attributes:
        name: The name.
        kind: ``given`` or ``family``.
        gender: ``female``, ``male`` or ``any``.
        origin: The language or region it is usual in.
    """

    name: str
    kind: str
    gender: str
    origin: str


class Register:
    """The names that are known.

    Args:
        names: The list; a name may stand there several times, with other genders and origins.
        places: Names of places, which alone are not taken for persons ("Paris").
    """

    def __init__(self, names: Iterable[Name], places: Iterable[str] = ()) -> None:
        self.by_key: dict[Key, list[Name]] = {}
        self.by_origin: dict[str, list[Name]] = {}
        for name in names:
            self.by_key.setdefault((name.kind, name.name.casefold()), []).append(name)
            self.by_origin.setdefault(name.origin, []).append(name)
        self.families = Gazetteer((name, name) for kind, name in self.by_key if kind == "family")
        self.places = frozenset(place.casefold() for place in places)

    def is_given(self, word: str) -> bool:
        """Tell whether a word is a known given name."""
        return ("given", word.casefold()) in self.by_key


@dataclass
class Persons:
    """The persons found in one example.

    Attributes:
        mentions: Where a given or family name stands.
        links: A given and a family name that stand side by side somewhere.
        half_named: Given names with a capitalised word behind that could not be told for a family name.
    """

    mentions: list[Mention] = field(default_factory=list)
    links: list[tuple[Key, Key]] = field(default_factory=list)
    half_named: set[Key] = field(default_factory=set)

    @classmethod
    def find(cls, texts: Iterable[tuple[str, str, Sequence[Token]]], register: Register) -> Persons:
        """Find persons: full names first, then those of their parts and of the lists that stand alone.

        Args:
            texts: Field, text and tagged tokens of each field.
            register: The known names.
        """
        found, covered = cls(), dict[str, set[int]]()
        for name, text, tokens in (read := list(texts)):
            taken = covered[name] = set(in_title(text, tokens))
            index = 0
            while index < len(tokens):
                last = found._full(name, text, tokens, index, register) if index not in taken else None
                taken.update(range(index, (index if last is None else last + 1)))
                index = index + 1 if last is None else last + 1
        named = {key for link in found.links for key in link}
        for name, text, tokens in read:
            free = [index for index in range(len(tokens)) if index not in covered[name]]
            found.mentions += _lone(name, text, tokens, free, register, named, found.half_named)
        found.mentions.sort(key=lambda mention: ([field for field, _, _ in read].index(mention.field), mention.first))
        return found

    def _full(self, name: str, text: str, tokens: Sequence[Token], first: int, register: Register) -> int | None:
        """Take in a given name with its family name; return the index of the last token, or None."""
        given = tokens[first]
        low = caseless(text)
        if not register.is_given(given.text) or not (low or capitalised(given)):
            return None
        place = _after_initials(text, tokens, first + 1)
        family = None
        for start in (place, place + 1):
            match = register.families.match(tokens, start) if start < len(tokens) else None
            if match is None or not _joined(text, tokens, first, match.last):
                continue
            if low or all(capitalised(tokens[index]) for index in (place, match.last)):
                family = (start, match.last, match.end, ("family", match.entry))
        family = family or (None if low else _unknown_family(text, tokens, first, place, register))
        if family is None:
            if place < len(tokens) and _joined(text, tokens, first, place) and capitalised(tokens[place]):
                self.half_named.add(("given", given.text.casefold()))
            return None
        start, last, end, key = family
        words = inflection.is_word(given.text) + inflection.is_word(tokens[start].text)
        tagged = any(token.pos == "PROPN" for token in tokens[first : last + 1])
        if (low and words > (1 if tagged else 0)) or not _ends_here(text, tokens, last):
            return None
        middle_end = tokens[start - 1].end
        own = ("given", given.text.casefold())
        self.mentions += [Mention(name, first, middle_end, own), Mention(name, start, end, key)]
        self.links.append((own, key))
        return last


def _joined(text: str, tokens: Sequence[Token], first: int, last: int) -> bool:
    """Tell whether nothing but blanks parts the words of a name, and no word before the last has a possessive."""
    pairs = zip(tokens[first:last], tokens[first + 1 : last + 1], strict=True)
    return all(text[a.end : b.start].strip(" ") == "" and base_of(a)[1] == a.end for a, b in pairs)


def _after_initials(text: str, tokens: Sequence[Token], index: int) -> int:
    """Pass over middle initials: ``J.``, ``J. R.``, ``J.R.``."""
    while index < len(tokens):
        token = tokens[index]
        if token.text.endswith(".") and token.kind == "word":
            index += 1
        elif len(token.text) == 1 and token.text.isalpha() and text[token.end : token.end + 1] == ".":
            index += 2
        else:
            break
    return index


def _unknown_family(
    text: str, tokens: Sequence[Token], first: int, place: int, register: Register
) -> tuple[int, int, int, Key] | None:
    """Take the capitalised name behind a given name for a family name, unless either may name a place."""
    if place >= len(tokens) or not _joined(text, tokens, first, place):
        return None
    given, (word, end) = tokens[first], base_of(tokens[place])
    doubtful = not likely(text, given) and given.pos != "PROPN"
    name = capitalised(tokens[place]) and likely(text, tokens[place]) and len(word) > 2
    if (
        doubtful
        or given.text.casefold() in register.places | _MONTHS
        or not name
        or word.casefold() in register.places | _NAMED_AFTER
    ):
        return None
    return place, place, end, ("family", word.casefold())


def _ends_here(text: str, tokens: Sequence[Token], last: int) -> bool:
    """Tell whether a full name is followed by no further capitalised name ("Tyler Perry Studios")."""
    if last + 1 >= len(tokens) or base_of(tokens[last])[1] != tokens[last].end:
        return True
    follower = tokens[last + 1]
    near = text[tokens[last].end : follower.start] == " "
    return not (near and capitalised(follower) and follower.pos == "PROPN" and follower.text not in ("Jr", "Sr", "II"))


def _lone(
    name: str,
    text: str,
    tokens: Sequence[Token],
    free: Sequence[int],
    register: Register,
    named: set[Key],
    half_named: set[Key],
) -> list[Mention]:
    """Find the names that stand alone; ``named`` were seen in full, ``half_named`` with an unknown name behind."""
    mentions, low = list[Mention](), caseless(text)
    open_until = -1
    for index in free:
        token = tokens[index]
        if index <= open_until or token.kind != "word":
            continue
        word, end = base_of(token)
        given, family = ("given", word.casefold()), ("family", word.casefold())
        last = index
        match = register.families.match(tokens, index)
        if match is not None:
            family, last, end = ("family", match.entry), match.last, match.end
        before = tokens[index - 1].text.lower() if index else ""
        if before == "." and index > 1:
            before = tokens[index - 2].text.lower()
        titled = before in _HONORIFICS
        known = [key for key in (family, given) if key in named]
        listed = [key for key in ((family, given) if titled else (given, family)) if key in register.by_key]
        ambiguous = word.casefold() in register.places | _MONTHS
        if not known and (not listed or low or (ambiguous and not titled) or given in half_named):
            continue
        if known and ambiguous and before in _AT_A_PLACE:
            continue
        ordinary = inflection.is_word(word)
        sure = not ordinary if low else bool(titled or known) and capitalised(token) and not (token.starts and ordinary)
        if not (sure or likely(text, token)):
            continue
        if stands_alone(text, tokens, index, last, titles=_HONORIFICS):
            mentions.append(Mention(name, index, end, (known or listed)[0]))
            open_until = last
    return mentions
