"""The base of all perturbations here: it finds the language of a text, and counts the texts that stay unchanged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.contract import Contract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.guard import touches
from robustfim_languages.identify import MIXED, UNKNOWN, language_of, require_identifier
from robustfim_languages.language import Language, known_languages, language

__all__ = ["QUOTED", "Change", "Editing", "InLanguage", "Renaming", "cased"]

QUOTED = "quotation with its source"
"""The reason recorded for a text in which nothing was renamed."""
Change = tuple[int, int, str, str]
"""The first character, the place after the last, the new text, and the origin."""


class InLanguage:
    """A perturbation of texts in one of the languages that have tables.

    Args:
        language: The code of the texts' language, such as ``de``. ``auto`` recognises the language of each text with
            py3langid.

    Attributes:
        needs: The tables of the grammar that the perturbation needs.

    Raises:
        UsageError: The language is not known or lacks a needed table, or py3langid is missing for ``auto``.
    """

    contract = Contract(carries=True)
    needs: tuple[str, ...] = ()

    def __init__(self, *, language: str = "auto") -> None:
        self._language = language
        self._left: dict[str, set[int]] = {}
        if language == "auto":
            require_identifier()
        elif lacking := self._lacks(language):
            raise UsageError(f"language: {lacking}; docs/new-language.md says how to write it")

    def _lacks(self, code: str) -> str:
        """Say what a language lacks for this perturbation; empty where it lacks nothing."""
        spoken = language(code)
        lacking = [name for name in self.needs if not getattr(spoken.grammar, name)]
        return f"{spoken.grammar.name} has no {' and '.join(lacking)}" if lacking else ""

    def _spoken(self, example: Example) -> Language | None:
        """Find the language of an example, or count why it is left alone."""
        texts = [text for text in example.fields.values() if text.strip()]
        codes = {self._language} if self._language != "auto" else {language_of(text) for text in texts}
        code = codes.pop() if len(codes) == 1 else MIXED
        if code in (UNKNOWN, MIXED):
            reason = code
        elif code not in known_languages():
            reason = f"no tables of {code}"
        elif not (reason := self._lacks(code)):
            return language(code)
        self._leave(example, reason)
        return None

    def _leave(self, example: Example, reason: str) -> None:
        """Count a text that is left alone."""
        self._left.setdefault(reason, set()).add(hash(tuple(example.fields.values())))

    @property
    def skipped(self) -> dict[str, int]:
        """How many texts were left unchanged, by reason."""
        return {reason: len(texts) for reason, texts in self._left.items()}

    def resources(self) -> dict[str, str]:
        """Identify the tables."""
        codes = known_languages() if self._language == "auto" else (self._language,)
        return {"languages": ", ".join(language(code).version for code in codes)}


class Editing(InLanguage, ABC):
    """A perturbation that lists edits. Each edit can be made alone."""

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the edits of an example."""
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

    A quotation with its source stays, since a changed quotation would be false.
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


def cased(model: str, word: str) -> str:
    """Write a word in the case of another word: in capitals, with a first capital, or unchanged."""
    if model.isupper() and sum(map(str.isalpha, model)) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
