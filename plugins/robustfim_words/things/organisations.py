"""Organisations: a studio gives way to a studio, a paper to a paper, wherever it is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim_words.persons.names import Key, Mention, listed_names, rename
from robustfim_words.tagging.tagger import check_pipeline, tagger
from robustfim_words.text.gazetteer import Gazetteer
from robustfim_words.text.lexicon import LEXICONS, read_table

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Organisations"]


class Organisations:
    """Swaps organisations for others of their kind, all mentions of one together.

    The possessive and the article before the name are kept ("a Netflix film", "an HBO film").

    Args:
        source: A table of name and kind (studio, newspaper, …); the shipped one by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: The lexicon or pipeline is unknown or malformed.
    """

    def __init__(self, *, source: Path | None = None, pipeline: Path | str | None = None) -> None:
        check_pipeline(pipeline)
        self._pipeline = pipeline
        rows = read_table(source or LEXICONS / "organisations.tsv", ("name", "kind"))
        self._gazetteer = Gazetteer((name, (kind, name)) for name, kind in rows)
        self._by_kind: dict[str, list[str]] = {}
        for name, kind in rows:
            self._by_kind.setdefault(kind, []).append(name)

    def prepare(self, context: Context) -> None:
        """Tag the run's texts in batches."""
        tagger(self._pipeline).prepare(context)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one organisation renamed.

        Args:
            example: The source example.
            random: Draws the new organisations.
        """
        tokens = {field: tagger(self._pipeline).tag(text) for field, text in example.fields.items()}
        mentions = [
            Mention(field, match.first, match.end, match.entry)
            for field, text in example.fields.items()
            for match in listed_names(text, tokens[field], self._gazetteer)
        ]
        lowered = example.text.casefold()

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            ((kind, name),) = entity
            mates = [mate for mate in self._by_kind[kind] if mate.casefold() not in lowered]
            return {(kind, name): random.choice(mates)} if mates else None

        yield from rename(example, tokens, mentions, [], draw, "organisations")
