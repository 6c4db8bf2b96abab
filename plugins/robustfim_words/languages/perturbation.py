"""Base classes of this plugin's perturbations: they find the language of a text and count texts left unchanged."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

from robustfim.candidate import Candidate, Edit
from robustfim.contract import Contract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_texts import language_of, main_language, touches
from robustfim_words.languages.language import Language, known_languages, language
from robustfim_words.tagging.resourced import Skipping

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["QUOTED", "Change", "Editing", "InLanguage", "Renaming"]

QUOTED = "quotation with its source"
"""The reason recorded for a text in which nothing was renamed."""
_UNKNOWN = "language unknown"
_MIXED = "several languages"
_LONG = 40
"""The smallest number of letters of a sentence whose language is recognised by itself."""
_SENTENCE = re.compile(r"[^.!?\n]+")
Change = tuple[int, int, str, str]
"""A change of a text: index of the first character, index after the last character, the new text, and the origin."""


class InLanguage(Skipping):
    """A perturbation of texts in one of the languages that have tables.

    Args:
        language: The code of the texts' language, such as ``de``. ``auto`` recognises the language of each text by its
            function words. A text without function words counts as a text in the main language of the data.

    Attributes:
        needs: The tables of the grammar that the perturbation needs.

    Raises:
        UsageError: The language is not known or lacks a needed table.
    """

    contract = Contract(carries=True)
    needs: tuple[str, ...] = ()

    def __init__(self, *, language: str = "auto") -> None:
        self._language = language
        self._main = ""
        if language != "auto" and (lacking := self._lacks(language)):
            raise UsageError(f"language: {lacking}; docs/new-language.md says how to add to a language")

    def prepare(self, context: Context) -> None:
        """Find the main language of the data, which is then assumed for texts too short to show their language."""
        self._main = main_language(context.examples)

    def _lacks(self, code: str) -> str:
        """Say what a language lacks for this perturbation; empty where it lacks nothing."""
        spoken = language(code)
        lacking = [name for name in self.needs if not getattr(spoken.grammar, name)]
        return f"{spoken.grammar.name} has no {' and '.join(lacking)}" if lacking else ""

    def _spoken(self, example: Example) -> Language | None:
        """Find the language of an example, or count why it is left alone."""
        codes = {self._language} if self._language != "auto" else self._recognised(example)
        code = codes.pop() if len(codes) == 1 else ""
        if not code:
            reason = _MIXED if codes else _UNKNOWN
        elif code not in known_languages():
            reason = f"no tables of {code}"
        elif not (reason := self._lacks(code)):
            return language(code)
        self._leave(example, reason)
        return None

    def _recognised(self, example: Example) -> set[str]:
        """Recognise the languages of an example: of its texts and of their long sentences."""
        texts = [text for text in example.fields.values() if text.strip()]
        long = (part for text in texts for part in _SENTENCE.findall(text) if sum(map(str.isalpha, part)) >= _LONG)
        return {language_of(text, self._main) for text in (*texts, *long)} - {""}

    def resources(self) -> dict[str, str]:
        """Identify the tables, and for ``auto`` also the main language of the data."""
        if self._language != "auto":
            return {"languages": language(self._language).version}
        return {"languages": ", ".join(language(code).version for code in known_languages()), "main": self._main}


class Editing(InLanguage, ABC):
    """A perturbation that lists edits. Each edit can be made alone."""

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the possible edits of an example, outside quotations, addresses and markup."""
        if spoken := self._spoken(example):
            for field, text in example.fields.items():
                fixed = spoken.fixed(text)
                for start, end, after, origin in self._changes(spoken, text, random):
                    if after != text[start:end] and not touches(fixed, start, end):
                        yield Edit(field, start, end, text[start:end], after, origin)

    @abstractmethod
    def _changes(self, spoken: Language, text: str, random: Random) -> Iterator[Change]:
        """List first character, one past the last, what is put there, and why."""


class Renaming(InLanguage, ABC):
    """A perturbation that renames a person or thing everywhere in the text.

    A text that quotes somebody by name is not changed, since the changed quotation would be false.
    """

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one name changed everywhere in the text."""
        if spoken := self._spoken(example):
            if any(map(spoken.quotes, example.fields.values())):
                self._leave(example, QUOTED)
            else:
                yield from self._renamed(spoken, example, random)

    @abstractmethod
    def _renamed(self, spoken: Language, example: Example, random: Random) -> Iterator[Candidate]:
        """List candidates, each with one name changed."""
