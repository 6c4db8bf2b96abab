"""Nouns: a thing gives way to another of its kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from robustfim.candidate import Edit
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words import inflection
from robustfim_words.articles import swap
from robustfim_words.lexicon import LEXICONS, read_table
from robustfim_words.names import in_name, in_title
from robustfim_words.tagging import check_pipeline, tagger
from robustfim_words.tokens import base_of

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Nouns"]


class Nouns:
    """Swaps a noun for another of its group: "coffee" for "tea", "uncles" for "cousins".

    The text then says something else, and something of the same kind: a sentiment, a topic or a question's type
    should stay. Number, case and the article before it are kept; words not tagged as common nouns stay. Without
    spaCy only nouns with a single reading in lemminflect's dictionary are swapped.

    Args:
        source: A table of noun (singular) and group; the shipped one by default.
        alternatives: Group-mates offered for each word, drawn at random, at least 1.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: The lexicon or pipeline is unknown or malformed, or ``alternatives`` is below 1.
    """

    def __init__(
        self, *, source: Path | None = None, alternatives: int = 8, pipeline: Path | str | None = None
    ) -> None:
        check_pipeline(pipeline)
        if alternatives < 1:
            raise UsageError(f"alternatives: {alternatives} is below 1")
        self._alternatives = alternatives
        self._pipeline = pipeline
        self._groups: dict[str, list[str]] = {}
        self._group_of: dict[str, list[str]] = {}
        for noun, group in read_table(source or LEXICONS / "nouns.tsv", ("noun", "group")):
            self._groups.setdefault(group, []).append(noun)
            self._group_of.setdefault(noun.lower(), []).append(group)

    def prepare(self, context: Context) -> None:
        """Tag the run's texts in batches."""
        tagger(self._pipeline).prepare(context)

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List swaps of each noun.

        Args:
            example: The source example.
            random: Draws the group-mates.
        """
        for field, text in example.fields.items():
            tokens = tagger(self._pipeline).tag(text)
            titles = in_title(text, tokens)
            for index, token in enumerate(tokens):
                if token.tag not in ("NN", "NNS") or token.pos != "NOUN" or index in titles or in_name(tokens, index):
                    continue
                word, end = base_of(token)
                base = inflection.lemma(word, token.tag)
                groups = self._group_of.get(base or "", [])
                mates = sorted({mate for group in groups for mate in self._groups[group]} - {base or ""})
                for mate in random.sample(mates, min(self._alternatives, len(mates))):
                    form = inflection.inflect(mate, token.tag)
                    if form is not None:
                        yield swap(field, text, tokens, index, form, f"nouns: {base} → {mate}", end=end)
