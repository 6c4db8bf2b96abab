"""A corpus: the tagged texts of examples, with an index of words and tags."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from robustfim.candidate import Candidate, Edit
from robustfim.errors import DataError, shown
from robustfim.example import Example
from robustfim.roles import Tagger
from robustfim_sears.rule.matching import find, match_at
from robustfim_sears.rule.replacement import Replacement, replace
from robustfim_sears.rule.rule import Rule
from robustfim_sears.rule.tagged_text import TaggedText, tag_texts

__all__ = ["LONGEST_TEXT", "Corpus", "Source"]

LONGEST_TEXT = 10_000
"""Characters of the longest text that is read; a longer one is counted and left out."""


@dataclass(frozen=True)
class Source:
    """One text: a field of an example."""

    example: Example
    field: str
    text: TaggedText

    def edit(self, made: Replacement, origin: str) -> Candidate:
        """Return the example with one edit in this field."""
        before = self.text.text[made.start : made.end]
        return Candidate(self.example, (Edit(self.field, made.start, made.end, before, made.after, origin),))

    def having(self, text: str) -> Example:
        """Return the example with another text in this field."""
        return dataclasses.replace(self.example, fields={**self.example.fields, self.field: text})


@dataclass(frozen=True)
class Corpus:
    """The texts from which rules are mined."""

    sources: tuple[Source, ...]
    overlong: int = 0

    @classmethod
    def of(cls, examples: Sequence[Example], tagger: Tagger, fields: Sequence[str] = ()) -> Corpus:
        """Collect the texts of examples, with parts of speech.

        Args:
            examples: The examples.
            tagger: The tagger.
            fields: The fields to read; empty for all.

        Raises:
            DataError: An example lacks a field, or no text is left.
        """
        found = []
        for example in examples:
            missing = next((name for name in fields if name not in example.fields), None)
            if missing is not None:
                raise DataError(f"there is no field {shown(missing)}; the examples have {', '.join(example.fields)}.")
            found += [(example, name) for name in fields or example.fields if example.fields[name].strip()]
        short = [(example, name) for example, name in found if len(example.fields[name]) <= LONGEST_TEXT]
        if not short:
            left_out = f"; {len(found)} of more than {LONGEST_TEXT:,} characters are left out" if found else ""
            raise DataError(f"there is no text to mine rules from{left_out}.")
        tagged = tag_texts(tagger, [example.fields[name] for example, name in short])
        sources = (Source(example, name, text) for (example, name), text in zip(short, tagged, strict=True))
        return cls(tuple(sources), len(found) - len(short))

    def applications(self, rule: Rule) -> Iterator[tuple[int, Replacement]]:
        """Apply a rule to its first occurrence in each text.

        Yields:
            The index of each text that the rule changes, ascending, and the replacement.
        """
        for index, start in self._starts(rule):
            text = self.sources[index].text
            match = match_at(rule, text, start)
            made = None if match is None else replace(rule, text, match)
            if made is not None:
                yield index, made

    def _starts(self, rule: Rule) -> Iterator[tuple[int, int]]:
        """The first occurrence in each text, looked for where the rarest word or tag of the rule stands."""
        places = [
            (len(found), offset, found)
            for offset, element in enumerate(rule.antecedent)
            for key in (element.word, element.tag)
            if key
            for found in (self._places.get(key, ()),)
        ]
        if any(element.word and element.word not in self._places for element in rule.antecedent):
            for index, source in enumerate(self.sources):  # a word that is written as one, and read as several tokens
                match = find(rule, source.text)
                if match is not None:
                    yield index, match.first[0]
            return
        _, offset, rarest = min(places, key=lambda place: place[:2])
        done = -1
        for index, place in rarest:
            if index != done and place >= offset and match_at(rule, self.sources[index].text, place - offset):
                done = index
                yield index, place - offset

    @cached_property
    def _places(self) -> dict[str, list[tuple[int, int]]]:
        """The places (text, token) of each folded word and of each tag; words are in small letters, tags are not."""
        found: dict[str, list[tuple[int, int]]] = {}
        for index, source in enumerate(self.sources):
            for place, (word, token) in enumerate(zip(source.text.words, source.text.tokens, strict=True)):
                for key in {word, token.coarse, token.fine} - {""}:
                    found.setdefault(key, []).append((index, place))
        return found
