"""Unturned: the persons who would stay as they are beside what turns to the other gender."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate

from robustfim.candidate import Edit
from robustfim.guard import touches
from robustfim_words.persons.people import register
from robustfim_words.text import inflection
from robustfim_words.text.casing import capitalised, caseless
from robustfim_words.text.tokens import Token, base_of

__all__ = ["MONTHS", "NATIONS", "unturned"]

MONTHS = frozenset("jan april may june jun august avril".split())  # noqa: SIM905  # words read better as a text
"""First names that are months as well."""
NATIONS = tuple(
    f"{nation}{ending}"
    for nation in ["french", "english", "irish", "dutch", "scots", "welsh"]
    for ending in ("man", "men", "wom")
)
"""How nouns for the people of some nations begin."""
_PRONOUNS = frozenset("he she him her his hers himself herself he's she's he'd she'd he'll she'll".split())  # noqa: SIM905  # words read better as a text


def unturned(
    texts: Mapping[str, str],
    tokens: dict[str, tuple[Token, ...]],
    titles: dict[str, frozenset[int]],
    words: Sequence[Edit],
    names: Sequence[Edit],
) -> bool:
    """Tell whether a word that turns could mean a named person who does not.

    Such a one is a word tagged as a name, no place and no organisation, in the sentence of what turns or, of one
    person, the one before it, that stands beside no name or title that turns; or, anywhere, a first name of one
    gender.

    Args:
        texts: The text of each field.
        tokens: The tagged tokens of each field.
        titles: The tokens of each field that belong to titles of works and fixed terms.
        words: The edits of pronouns, nouns and titles.
        names: The edits of first names.
    """
    for field, its in tokens.items():
        sentence = list(accumulate(int(token.starts) for token in its))
        named = _touched(its, [edit for edit in names if edit.field == field])
        turned = named | _touched(its, [edit for edit in words if edit.field == field])
        others = turned - named
        alone = {sentence[i] for i in others if its[i].text.lower().replace("’", "'") in _PRONOUNS or _single(its[i])}
        near = {sentence[i] for i in others} | {number - 1 for number in alone}
        if _CONTEST.search(texts[field]):
            near |= {sentence[i] for i in named}  # women play women
        if any(its[i].text.lower() in ("himself", "herself") and _names_self(its, i, turned) for i in turned):
            return True
        called = named | {i for i in others if "title" in register().clue(base_of(its[i])[0])}
        for index, token in enumerate(its):
            if index in turned or index in titles[field] or any(0 < index - other < 3 for other in called):
                continue
            if _sure(texts[field], its, index):
                return True
            person = token.pos == "PROPN" or (caseless(texts[field]) and token.kind == "word" and len(token.text) > 3)
            person = person or (capitalised(token) and not inflection.is_word(base_of(token)[0]))
            if sentence[index] in near and person and _person_like(its, index):
                return True
    return False


_CONTEST = re.compile(
    r"\b(?:beat(?:s|en|ing)?|victory|defeat(?:s|ed|ing)?|match|vs|versus|fight|semi-?finals?|quarter-?finals?|opponent|"
    r"tournament)\b",
    re.IGNORECASE,
)
"""Words of a text in which persons contend."""


def _touched(tokens: Sequence[Token], edits: Sequence[Edit]) -> set[int]:
    """List the tokens that edits change."""
    spans = [(edit.start, edit.end) for edit in edits]
    return {place for place, token in enumerate(tokens) if touches(spans, token.start, token.end)}


def _sure(text: str, tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a word is a first name of one gender, and nothing else."""
    word = base_of(tokens[index])[0]
    if (
        not (capitalised(tokens[index]) or caseless(text))
        or inflection.is_word(word)
        or word.casefold() in register().places | MONTHS
    ):
        return False
    return len(register().genders(word)) == 1 and register().things.match(tokens, index) is None


def _single(token: Token) -> bool:
    """Tell whether a word that turns is a noun for one person, who may be the one that is named beside it."""
    return (token.tag == "NN" and token.pos == "NOUN") or token.text.lower().startswith(NATIONS)


def _names_self(tokens: Sequence[Token], index: int, turned: Collection[int]) -> bool:
    """Tell whether a reflexive stands right behind somebody who does not turn: "Bush himself"."""
    return index > 0 and capitalised(tokens[index - 1]) and index - 1 not in turned


def _person_like(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a name could be a person's: no known place or organisation, no ordinary word, no abbreviation."""
    word = base_of(tokens[index])[0]
    before = tokens[index - 1] if index else None
    if before is not None and (
        before.text == "[" or (capitalised(tokens[index]) and "title" in register().clue(before.text))
    ):
        return True  # "[watts]", "President Bush"
    if register().is_given(word) or (capitalised(tokens[index]) and register().is_family(word)):
        return True
    known = register().things.match(tokens, index) is not None or register().clue(word) in ("thing", "no_person")
    return not (known or inflection.is_word(word) or (word.isupper() and len(word) < 5) or not word.isalpha())
