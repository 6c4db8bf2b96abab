"""Matching: find the antecedent of a rule in a text."""

from __future__ import annotations

from typing import NamedTuple

from robustfim_sears.rule.rule import Element, Rule
from robustfim_sears.rule.tagged_text import TaggedText
from robustfim_texts import touches

__all__ = ["Match", "find", "match_at"]


class Match(NamedTuple):
    """The tokens that each element of a rule's antecedent (the words to replace) matched, ``[elements]``.

    Attributes:
        first: The first token of each match.
        last: The last token of each match. An element may match several tokens; ``and/or`` matches three.
    """

    first: tuple[int, ...]
    last: tuple[int, ...]


def find(rule: Rule, text: TaggedText, start: int = 0) -> Match | None:
    """Find the first occurrence in a text of a rule's antecedent, the words to replace.

    Args:
        rule: The rule.
        text: A text, tagged if the rule names parts of speech.
        start: The index of the token to begin at.

    Returns:
        The match; None if the antecedent does not occur.
    """
    first = rule.antecedent[0].word
    for index in range(start, len(text.tokens)):
        if first and not first.startswith(text.words[index]):  # most places, told without a call
            continue
        match = match_at(rule, text, index)
        if match is not None:
            return match
    return None


def match_at(rule: Rule, text: TaggedText, index: int) -> Match | None:
    """Match a rule's antecedent (the words to replace) at a token, outside titles, addresses and markup."""
    first: list[int] = []
    last: list[int] = []
    for element in rule.antecedent:
        if index >= len(text.tokens) or (last and not _in_one_line(text, index)):
            return None
        end = _element_end(element, text, index)
        if end is None:
            return None
        first.append(index)
        last.append(end)
        index = end + 1
    if touches(text.kept, text.tokens[first[0]].start, text.tokens[last[-1]].end):
        return None
    return Match(tuple(first), tuple(last))


def _element_end(element: Element, text: TaggedText, index: int) -> int | None:
    """The last token of an element: a word may be several tokens that touch each other."""
    if element.word:
        found = text.words[index]
        while found != element.word:
            index += 1
            if (
                not element.word.startswith(found)
                or index >= len(text.tokens)
                or text.tokens[index - 1].end != text.tokens[index].start
            ):
                return None
            found += text.words[index]
    token = text.tokens[index]
    return index if not element.tag or element.tag in (token.coarse, token.fine) else None


def _in_one_line(text: TaggedText, index: int) -> bool:
    """Whether nothing but blanks lies between a token and the one before it."""
    gap = text.text[text.tokens[index - 1].end : text.tokens[index].start]
    return not gap.strip() and "\n" not in gap and "\r" not in gap
