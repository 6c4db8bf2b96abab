"""What every perturbation of this package does: find the language of a text, and count the texts that it leaves."""

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
"""Why a text is left alone in which nothing gets another name."""
Change = tuple[int, int, str, str]
"""First character, one past the last, what is put there, and the origin."""


class InLanguage:
    """A perturbation of texts in one of the languages that have tables.

    Args:
        language: The code of the texts' language, such as ``de``; ``auto`` tells that of each by py3langid.

    Attributes:
        needs: The grammar's tables without which it can do nothing.

    Raises:
        UsageError: The language is not known, lacks such a table, or ``auto`` is asked for without py3langid.
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
        """How many texts were left alone, by reason."""
        return {reason: len(texts) for reason, texts in self._left.items()}

    def resources(self) -> dict[str, str]:
        """Name the tables."""
        codes = known_languages() if self._language == "auto" else (self._language,)
        return {"languages": ", ".join(language(code).version for code in codes)}


class Editing(InLanguage, ABC):
    """A perturbation that lists edits, each possible by itself."""

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
    """A perturbation that gives what a text speaks of another name, all over the text.

    A quotation with its source stays: nobody said it of another one.
    """

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one name changed wherever it stands."""
        if spoken := self._spoken(example):
            if any(map(spoken.quotes, example.fields.values())):
                self._leave(example, QUOTED)
            else:
                yield from self._renamed(spoken, example, random)

    @abstractmethod
    def _renamed(self, spoken: Language, example: Example, random: Random) -> Iterator[Candidate]:
        """List candidates, each with one name changed."""


def cased(model: str, word: str) -> str:
    """Give a word the capital letters of another: all, the first, or its own."""
    if model.isupper() and sum(map(str.isalpha, model)) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
