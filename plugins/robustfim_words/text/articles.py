"""Agreement around a new word: the article before the word, the possessive after it."""

from __future__ import annotations

import re
from collections.abc import Callable

from robustfim.candidate import Edit
from robustfim_words.text.casing import like
from robustfim_words.text.lexicon import closed_class
from robustfim_words.text.tokens import Token, Tokens

__all__ = ["agreeing", "article_before", "indefinite_article", "swap"]

_SILENT_H = re.compile(r"hour|honest|honou?r|heir", re.IGNORECASE)
_YOU_OR_WON = re.compile(
    r"""
    e[uw] | onc?e(?![a-z]) | oui |
    uni(?!n|m|d|r|ll|ss) | unanim |
    us[aeiu] | ut(?:[aior]|e[nr]) |
    ubi[qs] | ufo | uk | ugand | ur(?:an|in|o|u) | uv |
    u(?![a-z])
    """,
    re.IGNORECASE | re.VERBOSE,
)
_QUOTED = re.compile(r"(?:^|[\s(])'[^\s']")
_VOWEL_LETTERS_BY_NAME = frozenset("AEFHILMNORSX")


def indefinite_article(word: str) -> str:
    """Choose ``a`` or ``an``.

    Args:
        word: The word after the article, in its dictionary form. A word in capitals counts as an acronym spoken letter
            by letter, unless it has five letters and a vowel inside, or is a known exception.

    Returns:
        ``"a"`` or ``"an"``.

    >>> [indefinite_article(word) for word in ("hour", "university", "MRI", "8-year", "unimportant", "UFO", "one-off")]
    ['an', 'a', 'an', 'an', 'an', 'a', 'a']
    """
    first = re.match(r"[^\W_]+(?:-[^\W_]*)?|", word.lstrip("\"'“‘("))
    head = first.group() if first else ""
    if head[:1].isdigit():
        return "an" if _vowel_number(word) else "a"
    letters = head.split("-")[0]
    if letters.isupper() and not _pronounceable(letters):
        return "an" if letters[0] in _VOWEL_LETTERS_BY_NAME else "a"
    if _SILENT_H.match(head):
        return "an"
    if _YOU_OR_WON.match(head):
        return "a"
    return "an" if head[:1].lower() in set("aeiouáàâäåæéèêëíìîïóòôöøœúùûü") else "a"


def _pronounceable(acronym: str) -> bool:
    """Tell whether capitals are spoken as a word."""
    return acronym.lower() in closed_class("spoken as words") or (
        len(acronym) > 4 and re.search("[AEIOU]", acronym[1:]) is not None
    )


def _vowel_number(word: str) -> bool:
    """Tell whether a number in digits begins with a vowel sound: eight…, eleven…, eighteen…."""
    match = re.match(r"\d+(?:,\d{3})*", word)
    digits = match.group().replace(",", "") if match else ""
    teens = digits[:2] in ("11", "18") and len(digits) in (2, 4, 5, 8, 11)
    return digits.startswith("8") or teens


def swap(
    field: str,
    text: str,
    tokens: Tokens,
    index: int,
    replacement: str,
    origin: str,
    *,
    end: int | None = None,
    case: Callable[[str, str], str] = like,
) -> Edit:
    """Make the edit that replaces a token, with the right article before and the right possessive after.

    Args:
        field: The field's name.
        text: The field's text.
        tokens: The text's tokens.
        index: The first token replaced.
        replacement: The new words in dictionary form.
        origin: The edit's origin.
        end: The place after the last character replaced; the token's end by default.
        case: A function of the old and the new words that returns the new words in the case of the old words.

    Returns:
        An edit of the token, or of article and token if ``a`` or ``an`` stands directly before.
    """
    token, article = tokens[index], article_before(text, tokens, index)
    start, stop = token.start, token.end if end is None else end
    after = case(text[start:stop], replacement)
    if article is not None:
        small = indefinite_article(replacement)
        shouted = article.text.isupper() and (article.text == "AN" or token.text.isupper())
        after = (small.upper() if shouted else like(article.text, small)) + text[article.end : start] + after
        start = article.start
    edit = Edit(field, start, stop, text[start:stop], after, origin)
    return agreeing(text, edit, plural=token.tag == "NNS")


def article_before(text: str, tokens: Tokens, index: int) -> Token | None:
    """Find the ``a`` or ``an`` before a token, with only white space between the two."""
    if not index:
        return None
    article, token = tokens[index - 1], tokens[index]
    if article.small not in ("a", "an"):
        return None
    # A capital A inside a sentence is a letter or a grade ("vitamin A"), unless all is in capitals.
    return None if article.text == "A" and not article.starts and not token.text.isupper() else article


def agreeing(text: str, edit: Edit, *, plural: bool) -> Edit:
    """Extend an edit so that the possessive ending after the new word is right.

    A bare apostrophe gets an s if the new word does not end in s ("the kids' room", "the children's room"). An 's
    becomes a bare apostrophe if the new word is a plural in s.

    Args:
        text: The field's text.
        edit: An edit that ends before the apostrophe.
        plural: Whether the old word is a plural.

    Returns:
        The same edit if the possessive is already right, else an edit that also changes the possessive.
    """
    mark, behind = text[edit.end : edit.end + 1], text[edit.end + 1 : edit.end + 3]
    if mark not in ("'", "’"):
        return edit
    ended, ends = edit.before[-1:].lower() == "s", edit.after[-1:].lower() == "s"
    closing = mark == "'" and _QUOTED.search(text, 0, edit.end) is not None
    if ended and not ends and behind[:1] == " " and not closing:
        ending = mark + ("S" if edit.before.isupper() else "s")
        return Edit(edit.field, edit.start, edit.end + 1, edit.before + mark, edit.after + ending, edit.origin)
    if plural and ends and not ended and behind[:1] in ("s", "S"):
        before = edit.before + mark + behind[:1]
        return Edit(edit.field, edit.start, edit.end + 2, before, edit.after + mark, edit.origin)
    return edit
