"""Finds names of persons that stand alone: a given name without a family name, or a family name without a given."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set
from typing import NamedTuple

from robustfim_words.persons.name_runs import PARTICLES, known, title_before
from robustfim_words.persons.names import Key, Mention, likely, stands_alone
from robustfim_words.persons.register import Register
from robustfim_words.text import inflection
from robustfim_words.text.casing import capitalised, caseless
from robustfim_words.text.clauses import FINITE
from robustfim_words.text.gazetteer import Gazetteer
from robustfim_words.text.guard import in_headline
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.tokens import Token, base_of, token_at

__all__ = ["lone_names"]


_SHORT = 3
"""The largest number of letters of a lone word that is too short to count as a name."""


class _Word(NamedTuple):
    """A word that could be a name, with what there is to say for it and against it."""

    word: str
    first: int
    last: int
    end: int
    keys: tuple[Key, Key]
    title: str
    before: str
    ordinary: bool
    ambiguous: bool


def lone_names(
    field: str,
    text: str,
    tokens: Sequence[Token],
    free: Sequence[int],
    register: Register,
    named: Set[Key],
) -> Iterator[tuple[Mention, str]]:
    """Find names of persons that stand alone in a text.

    Args:
        field: The field's name.
        text: The field's text.
        tokens: The text's tagged tokens.
        free: Indices of tokens that are not part of a full name, title or place.
        register: The known names.
        named: Names that certainly are names at another place of the example.

    Yields:
        Mentions, each with the kind of the title before it, or ``""`` without a title.
    """
    seen = Gazetteer((name, name) for kind, name in sorted(named) if kind == "family")
    storm = any(token.text.lower() in closed_class("called by given names") for token in tokens)
    low, headline, open_until = caseless(text), in_headline(tokens), -1
    for index in free:
        token = tokens[index]
        small = not capitalised(token) and token.text not in PARTICLES and _only_given(tokens, index, register)
        if (
            index <= open_until
            or token.kind != "word"
            or not (low or small or token.text in PARTICLES or capitalised(token))
        ):
            continue
        found = _look(tokens, index, register, seen, storm=storm)
        key = found.keys[0] if small else _key(text, tokens, found, register, named)
        letters = token.text.isupper() and len(token.text) > 1 and not text.isupper()
        if letters and key not in named and not found.title and not _only_given(tokens, index, register):
            continue  # "SEO", or a dateline
        titles = (found.before,) if found.title else ()
        alone = key is not None and stands_alone(text, tokens, index, found.last, titles=titles)
        alone = alone or (key in named and index in headline and _beside_words(tokens, found, register))
        if key is not None and alone:
            yield Mention(field, index, found.end, key), found.title
            open_until = found.last


def _only_given(tokens: Sequence[Token], index: int, register: Register) -> bool:
    """Tell whether a word is nothing but a given name, so that its case says nothing: "justin", "JAKE"."""
    word, before = base_of(tokens[index])[0], token_at(tokens, index - 1)
    if tokens[index].tag not in ("NN", "NNP") or len(word) <= 3 or register.genders(word) == frozenset():
        return False  # as nearly every word
    other = inflection.is_word(word) or register.clue(word) or register.things.match(tokens, index)
    beside = [tokens[at] for at in (index - 1, index + 1) if 0 <= at < len(tokens)]
    strange = any(each.kind == "word" and not known(each.text) for each in beside)
    return not (other or strange) and (before is None or before.tag not in ("DT", "JJ", "PRP$", "CD"))


def _look(tokens: Sequence[Token], index: int, register: Register, seen: Gazetteer[str], *, storm: bool) -> _Word:
    """Collect what speaks for a word, or a family name of several words, and against it."""
    word, end = base_of(tokens[index])
    family, last = ("family", word.casefold()), index
    match = seen.match(tokens, index) or register.families.match(tokens, index)
    if match is not None:
        family, last, end = ("family", match.entry), match.last, match.end
    given, title = ("given", word.casefold()), title_before(tokens, index, register)
    return _Word(
        word=word,
        first=index,
        last=last,
        end=end,
        keys=(family, given) if title.startswith("title") else (given, family),
        title=title,
        before=tokens[index - 1 - (tokens[index - 1].text == "." and index > 1)].text.lower() if index else "",
        ordinary=inflection.is_word(word),
        ambiguous=storm or register.things.match(tokens, index) is not None or register.clue(word) != "",
    )


def _beside_words(tokens: Sequence[Token], found: _Word, register: Register) -> bool:
    """Tell whether what stands beside a name has its capital of a headline: words of the dictionary, no "Brothers"."""
    beside = [tokens[at] for at in (found.first - 1, found.last + 1) if 0 <= at < len(tokens)]
    words = [each.text for each in beside if each.kind == "word"]
    return all(known(word) and not (register.clue(word) or register.is_given(word)) for word in words)


def _alone(tokens: Sequence[Token], found: _Word) -> bool:
    """Tell whether a name takes no article, as "the Jetta" does, and no number."""
    before = tokens[found.first - 1].tag if found.first and not tokens[found.first].starts else ""
    after = tokens[found.last + 1].tag if found.last + 1 < len(tokens) else ""
    return len(found.word) > _SHORT and after != "CD" and before not in ("DT", "JJ", "PRP$", "CD", "NNP")


def _acts(tokens: Sequence[Token], found: _Word) -> bool:
    """Tell whether an unknown name is the subject of a verb that tells no thing from a person, and no plural."""
    after = token_at(tokens, found.last + 1)
    return tokens[found.last].tag == "NNP" and after is not None and after.tag in FINITE and found.end < after.start


def _key(text: str, tokens: Sequence[Token], found: _Word, register: Register, named: Collection[Key]) -> Key | None:
    """Decide which name a word is, None for no name."""
    low, token = caseless(text), tokens[found.first]
    known = [key for key in sorted(found.keys) if key in named]
    if known:
        doubtful = False
    elif any(key in register.by_key for key in found.keys):
        given = ("given", found.word.casefold())
        placed = found.before in closed_class("before a place") and tokens[found.last].end == found.end  # no "Jordan's"
        sure = not (placed or found.ordinary) or _acts(tokens, found)
        fits = not placed and (bool(register.origins_of(given)) or (sure and _alone(tokens, found)))
        doubtful = low or (not found.title and (found.ambiguous or not fits))
    else:
        strange = (
            found.word.replace("-", "").isalpha() and len(found.word) > 2 and not (found.ordinary or found.ambiguous)
        )
        doubtful = low or not (strange and (found.title or (_acts(tokens, found) and _alone(tokens, found))))
    if doubtful:
        return None
    marked = bool(found.title or known) and capitalised(token)
    sure = not found.ordinary if low else marked and not (token.starts and found.ordinary)
    if not (sure or likely(text, token)):
        return None
    listed = [key for key in found.keys if key in register.by_key]
    return (known or listed or [found.keys[0]])[0]
