"""Full names of persons: finds sequences of capitalised words that are a given and a family name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from robustfim_words.persons.name_runs import (
    PARTICLES,
    family_comes_first,
    initial,
    says_nothing,
    strange_family,
    title_before,
)
from robustfim_words.persons.names import Key, ties
from robustfim_words.persons.register import Register
from robustfim_words.text import inflection
from robustfim_words.text.guard import in_headline
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.tokens import Token, base_of

__all__ = ["FullName", "full_name"]

_LONGEST = 4
_INITIAL = 2
"""The largest number of characters of an initial."""


class FullName(NamedTuple):
    """A given and a family name side by side.

    Attributes:
        first: Index of the first token.
        last: Index of the last token.
        first_given: Index of the first token of the given names.
        given_end: Index after the last character of the given names, in the text.
        given_key: The key of the first given name.
        first_family: Index of the first token of the family name.
        family_end: Index after the last character of the family name, without a possessive ``'s``, in the text.
        family_key: The key of the family name.
        title: The kind of title before the name (a key of ``clues.tsv``), ``""`` for none.
    """

    first: int
    last: int
    first_given: int
    given_end: int
    given_key: Key
    first_family: int
    family_end: int
    family_key: Key
    title: str


def full_name(text: str, tokens: Sequence[Token], run: Sequence[int], register: Register) -> FullName | None:
    """Split a sequence of capitalised words into the given and the family name of a person, if it is a name.

    The sequence is a name if it has a listed given name or a listed family name, or consists of two words that are not
    in the dictionary. An article before the sequence is evidence against a name. If one of the words is an ordinary
    word, a title or "by" before the sequence, or a verb after it, is evidence for a name.

    Args:
        text: The text.
        tokens: The text's tagged tokens.
        run: Indices of the words in ``tokens``, from :func:`runs`.
        register: The known names.
    """
    words = [base_of(tokens[index])[0] for index in run]
    if sum(not initial(tokens, index) for index in run) < 2 or not _stands(text, tokens, run):
        return None
    listed_only = len(run) > _LONGEST or says_nothing(text, tokens) or run[0] in in_headline(tokens)
    listed_only = listed_only and not (len(run) == 2 and strange_family(text, tokens, run[1], register))
    if len(words[-1]) < 3 and not register.is_family(words[-1]):
        return None  # the code of a state: "Hartford Ct"
    if any(register.clue(word) == "no_person" for word in words) or register.clue(words[-1]) == "thing":
        return None
    if register.is_family(" ".join(words)) or (words[0].lower() in PARTICLES and words[0] not in ("Al", "Ben")):
        return None
    thing = register.things.match(tokens, run[0])
    if thing is not None and not register.is_given(words[0]):
        return None  # "Starbucks A-team"
    split = _family_start(tokens, run, register)
    title = title_before(tokens, run[0], register)
    asian = len(run) == 2 and family_comes_first(words, register)
    if not asian and not _person(tokens, run, split, title, register, listed_only=listed_only):
        return None
    if asian:
        family, given = [run[0]], [run[1]]
    else:
        given, family = list(run[:split]), list(run[split:])
        listed = next((place for place, at in enumerate(given) if register.is_given(base_of(tokens[at])[0])), 0)
        if any(len(tokens[at].text) > _INITIAL for at in given[:listed]):
            given = given[listed:]  # "Sen. John Kerry"
    before_family = tokens[family[0] - 1].end if given[0] < family[0] else base_of(tokens[given[-1]])[1]
    return FullName(
        first=min(given[0], family[0]),
        last=run[-1],
        first_given=given[0],
        given_end=before_family,
        given_key=("given", base_of(tokens[given[0]])[0].casefold()),
        first_family=family[0],
        family_end=base_of(tokens[family[-1]])[1],
        family_key=("family", " ".join(base_of(tokens[index])[0].casefold() for index in family)),
        title=title,
    )


def _stands(text: str, tokens: Sequence[Token], run: Sequence[int]) -> bool:
    """Tell whether no mark ties a run to what is beside it."""
    first, last = run[0], run[-1]
    before = first and ties(tokens[first - 1], text[tokens[first - 1].end : tokens[first].start])
    return not (
        before or (last + 1 < len(tokens) and ties(tokens[last + 1], text[tokens[last].end : tokens[last + 1].start]))
    )


def _family_start(tokens: Sequence[Token], run: Sequence[int], register: Register) -> int:
    """Return where in a run the family name begins: a listed one of several words, or the last with its particles."""
    start = len(run) - 1
    for place in range(1, len(run)):
        match = register.families.match(tokens, run[place])
        if match is not None and match.last == run[-1]:
            start = place
            break
    while start > 1 and tokens[run[start - 1]].text.lower() in PARTICLES:
        start -= 1
    return start


def _person(
    tokens: Sequence[Token], run: Sequence[int], split: int, title: str, register: Register, *, listed_only: bool
) -> bool:
    """Weigh what speaks for a person."""
    first, last = base_of(tokens[run[0]])[0], base_of(tokens[run[-1]])[0]
    family = " ".join(base_of(tokens[index])[0] for index in run[split:])
    if all(tokens[index].entity[2:] == "PERSON" for index in run):
        return True
    known_given, known_family = register.is_given(first), register.is_family(family)
    ordinary_first, ordinary_last = inflection.is_word(first), inflection.is_word(last)
    tagged = tokens[run[0]].pos == tokens[run[-1]].pos == "PROPN"
    before = tokens[run[0] - 1].text.lower() if run[0] else ""
    if known_given and known_family:
        return True
    if listed_only or last.casefold() in register.places:
        return False
    if first.casefold() in register.places:
        return known_given and not ordinary_last
    if known_given:
        return not (ordinary_first and ordinary_last) or (tagged and not tokens[run[0]].starts)
    if title:
        return not (ordinary_first and ordinary_last)
    described = (
        run[0] > 1 and tokens[run[0] - 1].tag == "JJ" and tokens[run[0] - 2].text.lower() in closed_class("articles")
    )
    if before in closed_class("articles") or described:
        return False
    if known_family:
        return not ordinary_first
    return not (ordinary_first or ordinary_last)
