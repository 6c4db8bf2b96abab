"""Protected places of a text, which perturbations leave alone: titles of works, addresses, tags."""

from __future__ import annotations

from functools import lru_cache

from robustfim_words.text.casing import capitalised
from robustfim_words.text.gazetteer import Gazetteer
from robustfim_words.text.inflection import is_word
from robustfim_words.text.lexicon import LEXICONS, closed_class, read_table
from robustfim_words.text.tokens import Token, Tokens

__all__ = ["fixed", "in_headline"]

_LONGEST_TITLE = 10
_QUOTES = {'"': '"', "“": "”", "«": "»", "‘": "’", "'": "'", "`": "'", "&quot;": "&quot;", "quot;": "quot;"}
_POSSESSIVES = ("'s", "’s", "' s", " 's", " #39;s")
"""How texts write the compounds of the table: "Murphy's law"."""
_HEADLINE = 4
"""The smallest number of capitalised words in a row that make a headline rather than a long name."""
_ORDINARY = 2
"""The smallest number of dictionary words in a headline. A row of names has fewer."""


def fixed(text: str, tokens: Tokens) -> frozenset[int]:
    """Find the tokens that no swap of words may change.

    Returns:
        The indices of the tokens of titles of works (recognised by quotation marks or capitals), of nouns that begin
        with a name ("Norfolk jacket"), and of addresses and tags.
    """
    return _fixed(text, tuple(tokens))


@lru_cache(maxsize=4096)
def _fixed(text: str, tokens: tuple[Token, ...]) -> frozenset[int]:
    unspoken = {index for index, token in enumerate(tokens) if token.kind == "fixed"}
    matches = [match for place in range(len(tokens)) if (match := _compounds().match(tokens, place)) is not None]
    compounds = {place for match in matches for place in range(match.first, match.last + 1)}
    return frozenset(unspoken | _quoted(text, tokens) | _titles(tokens) | compounds)


@lru_cache(maxsize=1)
def _compounds() -> Gazetteer[str]:
    nouns = [row[0] for row in read_table(LEXICONS / "compounds.tsv", ("noun",))]
    written = {noun.replace("'s", mark) for noun in nouns for mark in _POSSESSIVES}
    return Gazetteer((form, noun) for noun in written for form in (noun, f"{noun}s"))


def _quoted(text: str, tokens: Tokens) -> set[int]:
    """Find the tokens inside quotation marks that name something.

    A few words in quotation marks are a title if the first and the last have a capital or, in a text that has none, if
    there are no more than eight and no mark that ends a sentence.
    """
    found: set[int] = set()
    low = text.islower()
    for first, token in enumerate(tokens):
        close = _QUOTES.get(token.text)
        if close is None or (first and text[token.start - 1 : token.start].isalnum()):
            continue
        for last in range(first + 2, min(first + _LONGEST_TITLE + 2, len(tokens))):
            if tokens[last].text == close:
                words = [t for t in tokens[first + 1 : last] if t.kind != "mark"]
                named = all(t.text[0].isupper() or t.kind == "number" for t in words[:1] + words[-1:])
                short = low and len(words) <= 8 and tokens[last - 1].text not in (".", "?", "!", "…")
                if words and (named or short):
                    found.update(range(first, last + 1))
                break
    return found


def _titles(tokens: Tokens) -> set[int]:
    """Find titles without quotation marks: capitalised words that small ones link, but in headlines."""
    found: set[int] = set()
    headline = in_headline(tokens)
    index = 0
    while index < len(tokens):
        run = [] if index in headline else _run(tokens, index)
        inside = [place for place in run if not capitalised(tokens[place])]
        if inside and all(is_word(tokens[place].text) for place in (run[0], run[-1])):
            found.update(run)
        index = run[-1] + 1 if run else index + 1
    return found


def in_headline(tokens: Tokens) -> frozenset[int]:
    """Find the tokens of headlines. In a headline every longer word has a capital, so a capital does not mark a name.

    Returns:
        The indices. A headline has four words or more and stands at the beginning of a text or line.
    """
    return _headline(tuple(tokens))


@lru_cache(maxsize=4096)
def _headline(tokens: tuple[Token, ...]) -> frozenset[int]:
    found: set[int] = set()
    for first, token in enumerate(tokens):
        if not token.starts or first in found:
            continue
        last, long, known = first, 0, 0
        for place in range(first, len(tokens)):
            each = tokens[place]
            if each.starts and place > first:
                break
            if each.kind == "word" and len(each.text) > 3:
                if not capitalised(each):
                    break
                long += 1
                known += place > first and is_word(each.text)
            last = place if each.kind == "word" and capitalised(each) else last
        if long >= _HEADLINE and known >= _ORDINARY:
            found.update(range(first, last + 1))
    return frozenset(found)


def _run(tokens: Tokens, first: int) -> list[int]:
    """List the tokens of a run of capitalised words inside a sentence, with the small words between them."""
    if not capitalised(tokens[first]) or tokens[first].starts or tokens[first].text == "I":
        return []
    run, open_words = [first], list[int]()
    for place in range(first + 1, len(tokens)):
        token = tokens[place]
        if token.starts or token.text == "I":
            break
        if capitalised(token):
            run += [*open_words, place]
            open_words = []
        elif token.text in closed_class("linking in titles"):
            open_words.append(place)
        else:
            break
    return run
