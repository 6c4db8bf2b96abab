"""Finds places and organisations that no table lists, by the last word of the name ("Ogden Theatre") or by an "in".

A spaCy pipeline with an entity recogniser finds more places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from random import Random

from robustfim.example import Example
from robustfim_texts import touches
from robustfim_words.persons.names import Key, Mention, listed_names, places, stands_alone
from robustfim_words.persons.people import register
from robustfim_words.text.casing import capitalised
from robustfim_words.text.commonness import drawn
from robustfim_words.text.gazetteer import Gazetteer
from robustfim_words.text.guard import fixed, in_headline
from robustfim_words.text.inflection import is_word
from robustfim_words.text.leftovers import name_types
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.text_kind import text_kind
from robustfim_words.text.tokens import Tagged, Token, Tokens, token_at

__all__ = ["NAMESAKE", "namesakes", "new_name", "recognised_places", "strange_places", "with_ticker"]

NAMESAKE = "namesake"
"""The kind in the keys of unlisted names."""
_ORIGIN = "english"
_SHORT = 3
"""The largest number of letters of a word that is too short to count as a name."""


def namesakes(kind: str, example: Example, tokens: Tagged, listed: Sequence[Mention]) -> list[Mention]:
    """Find names that end in a word such as "Theatre", and mentions of their first part alone ("the Ogden").

    Args:
        kind: ``place`` or ``organisation``.
        example: The example.
        tokens: The tagged tokens of each field.
        listed: Names that were already found. Names that share a word with them are left out.
    """
    spans = places(tokens, listed)
    found = [
        Mention(field, first, tokens[field][last].end, (NAMESAKE, name))
        for field, text in example.fields.items()
        for first, last, name in _named(kind, text, tokens[field])
        if not touches(spans.get(field, ()), tokens[field][first].start, tokens[field][last].end)
    ]
    spans = places(tokens, [*listed, *found])
    alone = Gazetteer((key[1], key) for key in sorted({mention.key for mention in found}))
    return found + [
        Mention(field, match.first, match.end, match.entry)
        for field, text in (example.fields.items() if found else ())
        for match in listed_names(text, tokens[field], alone)
        if not touches(spans.get(field, ()), tokens[field][match.first].start, match.end)
    ]


def new_name(key: Key, lowered: str, random: Random) -> dict[Key, str] | None:
    """Draw a random family name as the new name of a place or an organisation; none for initials ("TBN").

    Args:
        key: The key of the old name.
        lowered: The example's text in small letters, which must not contain the new name.
        random: The random source.
    """
    pool = [] if key[1].isupper() else register().pool(_ORIGIN, "family", frozenset(), set())
    return next(({key: name} for name in drawn(pool, 3, random) if name.casefold() not in lowered), None)


def with_ticker(tokens: Tokens, last: int) -> bool:
    """Check whether initials follow a name, such as those of a company's shares, or a link: "Intel Corp. (INTC)".

    Args:
        tokens: A text's tokens.
        last: Index of the name's last token, before words such as "Corp".
    """
    behind = [token for token in tokens[last + 1 : last + 5] if token.text.lower() not in name_types().keys() | {"."}]
    if len(behind) < 2 or behind[0].text not in ("(", "&lt;", "<", "&"):
        return False
    return behind[0].text != "(" or behind[1].text.isupper() or behind[1].text == "Nasdaq"


def strange_places(example: Example, tokens: Tagged) -> list[Mention]:
    """Find places that no table lists, by the preposition before them; none in reviews ("good in Casablanca").

    Args:
        example: The example.
        tokens: The tagged tokens of each field.
    """
    return [
        Mention(field, at, token.base_end, ("city", token.base))
        for field, text in example.fields.items()
        if text_kind(text) != "review"
        for kept in [fixed(text, tokens[field]) | in_headline(tokens[field])]
        for at, token in enumerate(tokens[field])
        if at and tokens[field][at - 1].text in closed_class("before a strange place") and at not in kept
        if _strange(tokens[field], at) and stands_alone(text, tokens[field], at, at)
    ]


def recognised_places(
    example: Example,
    tokens: Tagged,
    listed: Sequence[Mention],
) -> list[Mention]:
    """Find places that no table lists, with the pipeline's entity recogniser; none if the pipeline has no recogniser.

    These places count as cities, since all countries and states are listed.

    Args:
        example: The example.
        tokens: The tagged tokens of each field.
        listed: Names that were already found. Places that share a word with them are left out.
    """
    spans, found = places(tokens, listed), []
    for field, its in tokens.items():
        for first, token in enumerate(its):
            if token.entity == "B-GPE" and capitalised(token):
                last = first + len([*takewhile(lambda each: each.entity == "I-GPE", its[first + 1 :])])
                end, text = its[last].base_end, example.fields[field]
                free = fixed(text, its).isdisjoint(range(first, last + 1))
                if free and not touches(spans.get(field, ()), token.start, end):
                    found.append(Mention(field, first, end, ("city", text[token.start : end])))
    return found


def _strange(tokens: Tokens, at: int) -> bool:
    """Tell whether a word is a name, before no noun, that neither the dictionary nor a list has."""
    token, after = tokens[at], token_at(tokens, at + 1)
    known = register().things.match(tokens, at) or register().clue(token.text) or is_word(token.text)
    named = token.pos == "PROPN" and token.text.istitle() and len(token.text) > _SHORT
    return named and not (known or after.tag.startswith(("NN", ",")))


def _named(kind: str, text: str, tokens: Tokens) -> Iterator[tuple[int, int, str]]:
    """List what stands before words of a kind, in runs of capitalised words.

    Yields:
        Its first and last token, and how it is written where not all is in capitals.
    """
    kept, first = fixed(text, tokens) | in_headline(tokens), 0
    while first < len(tokens):
        last = first
        if first in kept or not _capital(tokens[first]):
            first += 1
            continue
        while last + 1 < len(tokens) and last + 1 not in kept and _goes_on(text, tokens, last):
            last += 1
        ordinary = tokens[first].starts and tokens[first].pos != "PROPN" and is_word(tokens[first].text)
        start, end = first + ordinary, last
        while end >= start and name_types().get(tokens[end].base.lower()):
            end -= 1
        typed = end < last and all(name_types()[each.base.lower()] == kind for each in tokens[end + 1 : last + 1])
        if typed and start <= end and _fits(kind, text, tokens, start, end, last):
            name = text[tokens[start].start : tokens[end].end]
            yield start, end, name.title() if tokens[last].text.isupper() and len(tokens[last].text) > _SHORT else name
        first = last + 1


def _fits(kind: str, text: str, tokens: Tokens, start: int, end: int, last: int) -> bool:
    """Tell whether a run is the whole of a name, and no nation's, person's or one that is known as a whole."""
    known, words = register().things.match(tokens, start), [token.text for token in tokens[start : end + 1]]
    person = register().is_given(words[0]) and (register().is_family(tokens[last].text) or kind == "place")
    nation = any(register().clue(word) == "no_person" for word in words)
    own = [not is_word(word) for word in words]
    strange = all(own) if kind == "place" else any(own) or tokens[start].pos == "PROPN"
    strange = strange and words[0].lower() not in closed_class("of many names")
    after = token_at(tokens, last + 1)
    longer = after.kind == "number" or after.text in ("of", "(") or with_ticker(tokens, end)
    taken = person or nation or longer or known is not None
    return strange and not taken and stands_alone(text, tokens, start, last)


def _capital(token: Token) -> bool:
    if any(part[:1].islower() for part in token.text.split("-")[1:]):
        return False  # "Jays-owner"
    return capitalised(token) and (token.pos in ("PROPN", "NOUN", "ADJ", "VERB", "") and len(token.text) > 1)


def _goes_on(text: str, tokens: Tokens, last: int) -> bool:
    """Tell whether the token behind a run belongs to it."""
    one, other = tokens[last], tokens[last + 1]
    return _capital(other) and not other.starts and text[one.end : other.start] == " " and one.base_end == one.end
