"""Disguises of single words: spaced letters, leetspeak, and spelling by sound."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Annotated

from pydantic import Field

from robustfim.candidate import Edit
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_evasion.tables import table
from robustfim_texts import guarded_spans, some_of, touches

__all__ = ["Leetspeak", "LetterSpacing", "Sounds", "sound"]


class _Words:
    """Words of letters alone, each in some other writings; addresses and handles stay."""

    name: str
    _letters: int
    _beside = ""
    """Marks that may not join a word to another letter."""

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the writings of each word."""
        for field, text in example.fields.items():
            guarded = guarded_spans(text)
            for match in re.finditer(r"(?<!\w)[^\W\d_]+(?!\w)", text):
                start, end = match.span()
                joined = text[max(0, start - 1) : start] + text[end : end + 1]
                if end - start < self._letters or set(joined) & set(self._beside) or touches(guarded, start, end):
                    continue
                for kind, after in self._writings(match[0], random):
                    if after != match[0]:
                        yield Edit(field, start, end, match[0], after, f"{self.name}: {kind}")

    def _writings(self, word: str, random: Random) -> Iterator[tuple[str, str]]:
        raise NotImplementedError


class LetterSpacing(_Words):
    """Puts blanks or marks between the letters of words ("i g n o r e", "i.g.n.o.r.e") to evade filters of words.

    This imitates users who evade the filters of chat systems. With ``words: 1.0`` the whole text is spaced out.
    ``read`` joins the letters again.

    Args:
        kinds: The marks between the letters: ``blanks``, ``dots``, ``hyphens``, ``asterisks``, ``underscores``,
            ``slashes``; all by default.
        letters: The smallest number of letters of a word that is spaced out, at least 3.
    """

    contract = Contract(carries=True)

    name = "letter_spacing"

    def __init__(self, *, kinds: list[str] | None = None, letters: Annotated[int, Field(ge=3)] = 3) -> None:
        self._marks: dict[str, str] = table("separators")
        self._kinds = some_of("kinds", kinds, self._marks)
        self._letters = letters
        self._beside = "".join(self._marks.values()).strip()

    def _writings(self, word: str, random: Random) -> Iterator[tuple[str, str]]:
        for kind in self._kinds:
            mark = self._marks[kind]
            # Blanks at both ends make the blank between two words wider than that between two letters.
            edge = "" if mark.strip() else mark
            yield kind, edge + mark.join(word) + edge

    def read(self, text: str) -> str:
        """Recover a text by joining spaced letters."""
        marks = re.escape(self._beside)
        text = re.sub(r" ([^\W_](?: [^\W_]){2,}) ", lambda found: found[1].replace(" ", ""), text)
        spaced = rf"(?<![^\W_])[^\W_]([{marks}])[^\W_](?:\1[^\W_])+(?![^\W_])"
        return re.sub(spaced, lambda found: found[0].replace(found[1], ""), text)


class Leetspeak(_Words):
    """Writes letters as digits and marks that look like them, "1gn0r3", as posts that evade filters do.

    The texts imitate posts that evade lists of words. Capitals and at least one letter of a word stay. ``read``
    recovers the word.

    Args:
        kinds: Which letters change: ``vowels`` changes vowels only, ``digits`` uses all digits, ``marks`` uses marks
            too; all by default.
        letters: The smallest number of letters of a word that is changed, at least 2.
    """

    contract = Contract(carries=True)

    name = "leetspeak"

    def __init__(self, *, kinds: list[str] | None = None, letters: Annotated[int, Field(ge=2)] = 3) -> None:
        self._tables: dict[str, dict[str, str]] = table("leetspeak")
        self._kinds = some_of("kinds", kinds, self._tables)
        self._letters = letters
        self._back = {mark: letter for each in self._tables.values() for letter, mark in each.items()}

    def _writings(self, word: str, random: Random) -> Iterator[tuple[str, str]]:
        for kind in self._kinds:
            after = "".join(self._tables[kind].get(letter, letter) for letter in word)
            if any(map(str.isalpha, after)):
                yield kind, after

    def read(self, text: str) -> str:
        """Recover a text by replacing digits and marks next to letters with letters."""
        run = re.compile(rf"[\w{re.escape(''.join(self._back))}]*[^\W\d_][\w{re.escape(''.join(self._back))}]*")
        return run.sub(lambda found: "".join(self._back.get(mark, mark) for mark in found[0]), text)


class Sounds(_Words):
    """Misspells English words so that they sound the same: "fone", "nite".

    This imitates spelling by ear, and deliberate misspellings that evade filters. Each misspelling changes one place of
    a word. The word sounds the same by the rules of ``tables/sounds.yaml`` (:func:`sound`), and more than half of its
    letters stay.

    Args:
        letters: The smallest number of letters of a word that is changed, at least 3.
    """

    name = "sounds"

    def __init__(self, *, letters: Annotated[int, Field(ge=3)] = 4) -> None:
        self._letters = letters

    def _writings(self, word: str, random: Random) -> Iterator[tuple[str, str]]:
        found = {
            word[: match.start()] + match.expand(after) + word[match.end() :]: pattern
            for pattern, after in table("sounds").items()
            for match in re.finditer(pattern, word)
        }
        same = [each for each in sorted(found) if sound(each) == sound(word) and 2 * len(each) > len(word)]
        for each in random.sample(same, min(2, len(same))):
            yield found[each], each


@cache
def sound(word: str) -> str:
    """Return a key for the sound of a word, by applying spelling rules until none applies.

    Returns:
        The key; words with the same key sound the same by these rules.
    """
    heard, last = word.lower(), ""
    while heard != last:
        last = heard
        for pattern, after in table("sounds").items():
            heard = re.sub(pattern, after, heard)
    return heard
