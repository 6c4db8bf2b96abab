"""Finds the words of a text that belong to a name, and renames all mentions of a name together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim_words.text import inflection
from robustfim_words.text.articles import swap
from robustfim_words.text.casing import as_listed, capitalised, caseless, like_name, title
from robustfim_words.text.clauses import FINITE
from robustfim_words.text.gazetteer import Gazetteer, Match
from robustfim_words.text.guard import fixed, in_headline
from robustfim_words.text.leftovers import left_over
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.tokens import Tagged, Token, Tokens, token_at

__all__ = [
    "Key",
    "Mention",
    "Renaming",
    "entities",
    "in_name",
    "likely",
    "listed_names",
    "opens_report",
    "places",
    "rename",
    "stands_alone",
]

Key = tuple[str, str]
"""The key of a name, such as ``("given", "kirsten")``. Mentions with equal keys change together."""

Renaming = Callable[[frozenset[Key]], Mapping[Key, str] | None]
"""A function that draws new names for the keys of one entity; it returns None if there are no names to draw from."""

T = TypeVar("T")

_ROUNDS = 24
_FOLDED = frozenset(["given", "family"])
"""Kinds of names whose keys are in small letters, however the name is written."""
_MARKS_OF_A_NAME = frozenset("&-‐‑–/+@#_")


@dataclass(frozen=True, slots=True)
class Mention:
    """One place in a text where a name stands.

    Attributes:
        field: The field's name.
        first: Index of the name's first token.
        end: Index after the name's last character, in the field's text.
        key: The key of the name. Mentions with equal keys are renamed together.
    """

    field: str
    first: int
    end: int
    key: Key

    def last(self, tokens: Tokens) -> int:
        """Return the index of the name's last token, among the tokens of its field."""
        return next(index for index in range(self.first, len(tokens)) if tokens[index].end >= self.end)


def in_name(tokens: Tokens, index: int) -> bool:
    """Check whether a word may belong to a name or a title.

    Returns:
        True for a word that is tagged as a name. A word without this tag must have a first capital only, and stand
        inside a sentence, or at its beginning before another capitalised word.
    """
    token = tokens[index]
    if token.pos == "PROPN":
        return True
    shouted = token.text.isupper() and len(token.text) > 1
    if not capitalised(token) or shouted:
        return False
    if not token.starts:
        return True
    follower = token_at(tokens, index + 1)
    return capitalised(follower) and follower.text.split("'")[0] != "I"


def _ties(mark: Token, gap: str) -> bool:
    """Check whether a punctuation mark joins a name to another word, as in "Barnes & Noble".

    Args:
        mark: The mark, which is the token beside the name.
        gap: The text between the mark and the name.
    """
    return mark.text in _MARKS_OF_A_NAME and (not gap or mark.text == "&")


def stands_alone(text: str, tokens: Tokens, first: int, last: int, *, titles: Collection[str] = ()) -> bool:
    """Check that a name is not part of a longer name ("Boston" in "Boston Celtics").

    Args:
        text: The text.
        tokens: The text's tagged tokens.
        first: Index of the name's first token.
        last: Index of the name's last token.
        titles: Words, in small letters, that may stand before a name.
    """
    if first:
        at, before = first - 1, tokens[first - 1]
        gap = text[before.end : tokens[first].start]
        if before.text == "." and first > 1 and not tokens[first].starts and tokens[first - 2].end == before.start:
            at, before = first - 2, tokens[first - 2]  # "St. Thomas"
        if _ties(before, gap):
            return False
        name = _joined(tokens, at) and (before.pos == "PROPN" or not before.starts) and before.pos != "PRON"
        if gap and name and not before.small.endswith("'s") and before.small not in titles:
            return False
    if last + 1 < len(tokens):
        after = tokens[last + 1]
        gap = text[tokens[last].end : after.start]
        if _ties(after, gap):
            return False
        possessive = tokens[last].small.endswith("'s")
        if gap and _joined(tokens, last + 1) and not possessive and after.pos != "PRON":
            return False
    return True


def _joined(tokens: Tokens, at: int) -> bool:
    """Tell whether a word has a capital that is neither an article's nor what a headline gives to each verb."""
    token = tokens[at]
    linking = token.tag in FINITE or token.pos == "ADP" or _may_be_verb(token.text)
    headline = linking and inflection.is_word(token.text) and at in in_headline(tokens)
    return capitalised(token) and token.tag != "DT" and not headline


def _may_be_verb(word: str) -> bool:
    return word.endswith("s") and "VERB" in inflection.parts_of_speech(word)


def likely(text: str, token: Token) -> bool:
    """Check whether a word that is listed as a name is probably a name in this text.

    A capitalised word is a name, unless it is an ordinary word and not tagged as a name. In a text without capitals,
    the word must be tagged as a name and must not be an ordinary word.
    """
    named, ordinary = token.pos == "PROPN", inflection.is_word(token.base)
    return named and not ordinary if caseless(text) else named or not ordinary


def _lowered(text: str, tokens: Tokens, match: Match[T]) -> bool:
    """Tell whether a match in small letters is a name: a noun and no word of the dictionary."""
    last = tokens[match.last]
    if not text[tokens[match.first].start : match.end].islower() or inflection.is_word(last.base):
        return False
    return last.pos in ("PROPN", "NOUN")


def opens_report(tokens: Tokens, first: int, last: int) -> bool:
    """Check whether a name in capitals begins a news report, perhaps after a headline: "PARIS (Reuters) -".

    Args:
        tokens: A text's tokens.
        first: Index of the name's first token.
        last: Index of the name's last token.
    """
    shouted = all(token.text.isupper() and len(token.text) > 2 for token in tokens[first : last + 1])
    after = token_at(tokens, last + 1)
    return shouted and after.text in ("(", "-", "–", "—", ":") and after.start > tokens[last].end


def listed_names(
    text: str, tokens: Tokens, gazetteer: Gazetteer[T], behind: Collection[str] = ()
) -> Iterator[Match[T]]:
    """Find names of a gazetteer by the longest match, except inside longer names and quoted titles.

    Args:
        text: The text.
        tokens: The text's tagged tokens.
        gazetteer: The names.
        behind: Words, in small letters, that may follow a name and are no other name's: "Inc".

    Yields:
        Matches from left to right. A name of one word must pass :func:`likely`. A name of several words must be written
        with its capitals.
    """
    titles, low, index = fixed(text, tokens), caseless(text), 0
    while index < len(tokens):
        match = gazetteer.match(tokens, index)
        if match is None:
            index += 1
            continue
        inside = tokens[match.first : match.last + 1]
        words = [
            token for token in inside if token.kind == "word" and token.small not in closed_class("linking in names")
        ] or [inside[0]]  # "LA"
        cased = low or not any(token.text.islower() for token in words)
        opening = opens_report(tokens, match.first, match.last)
        tells = len(words) > 1 or not (low or words[0].starts)
        sure = opening or (cased if tells else likely(text, words[0])) or _lowered(text, tokens, match)
        rest = range(match.last + 1, min(match.last + 4, len(tokens)))
        whole = tokens[: match.last + 1] if any(opens_report(tokens, rest[0], last) for last in rest) else tokens
        end = match.last
        while end + 1 < len(whole) and whole[end + 1].text.lower() in behind:
            end += 1
        alone = opening or stands_alone(text, whole, match.first, end, titles=_headline_word(tokens, match.first - 1))
        if sure and match.first not in titles and alone:
            yield match
        index = match.last + 1


def _headline_word(tokens: Tokens, at: int) -> frozenset[str]:
    """Return a word that a headline ends with, or gives a capital, before a name: "… New Tool Google has …"."""
    words = [token.text.lower() for token in tokens[max(0, at) : at + 1] if at in in_headline(tokens)]
    names = closed_class("of many names")
    return frozenset(word for word in words if inflection.is_word(word) and word not in names)


def rename(
    example: Example,
    tokens: Tagged,
    mentions: Sequence[Mention],
    draw: Renaming,
    origin: str,
    links: Sequence[tuple[Key, Key]] = (),
    *,
    whole: bool = True,
) -> Iterator[Candidate]:
    """Yield candidates (perturbed examples), each with all mentions of one person, place or other entity renamed.

    Args:
        example: The source example.
        tokens: The tagged tokens of each field.
        mentions: The mentions of names in the example, without overlaps.
        draw: A function that draws new names for the keys of one entity.
        origin: The perturbation's name.
        links: Pairs of keys of names that belong to one entity, such as a person's given and family name.
        whole: Whether an entity stays if the text also mentions it outside the given mentions.

    Yields:
        Candidates, one entity after the other, without duplicates.
    """
    renamed = [
        entity
        for entity in entities([mention.key for mention in mentions], links)
        if not whole
        or not left_over(
            tokens,
            places(tokens, [mention for mention in mentions if mention.key in entity]),
            [key[1] for key in entity],
        )
    ]
    seen: set[frozenset[tuple[Key, str]]] = set()
    for _ in range(_ROUNDS):
        for entity in renamed:
            names = draw(entity)
            if names is None or frozenset(names.items()) in seen:
                continue
            seen.add(frozenset(names.items()))
            yield Candidate(
                example,
                tuple(
                    _edit(example.fields[m.field], tokens[m.field], m, names[m.key], origin)
                    for m in mentions
                    if m.key in names
                ),
            )


def places(tokens: Tagged, mentions: Sequence[Mention]) -> dict[str, list[tuple[int, int]]]:
    """List by field the range of each mention: index of its first character, and index after its last character."""
    found: dict[str, list[tuple[int, int]]] = {}
    for mention in mentions:
        start = tokens[mention.field][mention.first].start
        found.setdefault(mention.field, []).append((start, mention.end))
    return found


def entities(keys: Sequence[T], links: Sequence[tuple[T, T]]) -> list[frozenset[T]]:
    """Group the keys of names by the person, place or other entity to which the names belong.

    Args:
        keys: The key of each mention, in the order of the text.
        links: Pairs of keys that belong to one entity.

    Returns:
        The entities, in the order of their first mention.
    """
    group = {key: {key} for key in keys}
    for one, other in links:
        joined = group[one] | group[other]
        for key in joined:
            group[key] = joined
    return list(dict.fromkeys(frozenset(group[key]) for key in keys))


def _edit(text: str, tokens: Tokens, mention: Mention, name: str, origin: str) -> Edit:
    """Make the edit of one mention; after a bare possessive apostrophe (Dawkins') the new name takes its own."""
    old = text[tokens[mention.first].start : mention.end]
    why = f"{origin}: {old} → {name}"
    if tokens[mention.first].starts and not old.islower():
        name = title(name)
    folded = caseless(text) or mention.key[0] in _FOLDED
    case = as_listed if old == mention.key[1] and not folded else like_name
    return swap(mention.field, text, tokens, mention.first, name, why, end=mention.end, case=case)
