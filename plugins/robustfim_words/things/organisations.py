"""Organisations: a studio becomes another studio, a newspaper another newspaper, everywhere in the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.persons.names import Key, Mention, listed_names, rename
from robustfim_words.tagging.resourced import Proposing, WithTagger
from robustfim_words.tagging.tagger import check_pipeline
from robustfim_words.text.casing import caseless
from robustfim_words.text.commonness import as_common
from robustfim_words.text.gazetteer import Gazetteer
from robustfim_words.text.inflection import is_word
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.things.namesakes import NAMESAKE, namesakes, new_name

__all__ = ["Organisations"]


UNIQUE = "-"
"""The kind of an organisation whose work no other does, such as the United Nations."""


class Organisations(WithTagger, Proposing):
    """Swaps an organisation for another of its kind, everywhere in the text.

    The possessive is kept, and the article before the name agrees ("a Netflix film", "an HBO film"). An organisation
    that is not in the table is swapped only if a word of its name states its kind ("Iomega Corp.").

    Args:
        source: A table of name and kind (studio, newspaper, …); the shipped table by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: The lexicon or pipeline is unknown or malformed.
    """

    contract = Contract(cased=True, carries=True)

    def __init__(self, *, source: Path | None = None, pipeline: Path | str | None = None) -> None:
        self._pipeline = check_pipeline(pipeline)
        rows = read_table(source or LEXICONS / "organisations.tsv", ("name", "kind"))
        self._gazetteer = Gazetteer((name, (kind, name)) for name, kind in rows)
        self._known: dict[str, Key] = {name: (kind, name) for name, kind in rows}  # "Microsoft" of "Microsoft Corp"
        self._by_kind: dict[str, list[str]] = {}
        for name, kind in rows:
            self._by_kind.setdefault(kind, []).append(name)
        self._by_kind.pop(UNIQUE, None)

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one organisation renamed."""
        tokens = self._read(example)
        mentions = [
            Mention(field, match.first, match.end, match.entry)
            for field, text in example.fields.items()
            for match in listed_names(text, tokens[field], self._gazetteer)
            if not (caseless(text) and match.entry[1].istitle() and is_word(match.entry[1].lower()))
            and (match.entry[1].isupper() <= text[tokens[field][match.first].start : match.end].isupper())
        ]
        mentions += [
            replace(mention, key=self._known.get(mention.key[1], mention.key))
            for mention in namesakes("organisation", example, tokens, mentions)
        ]
        lowered = example.text.casefold()

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            ((kind, name),) = entity
            if kind == NAMESAKE:
                return new_name((kind, name), lowered, random)
            beside = lowered.replace(name.casefold(), "")  # for "Nortel Networks" no "Juniper Networks Networks"
            mates = [
                mate
                for mate in self._by_kind.get(kind, ())
                if mate.casefold() not in lowered
                and mate.casefold().split()[-1] not in beside
                and name.casefold() not in mate.casefold()
            ]
            return {(kind, name): as_common(mates, name, random)} if mates else None

        yield from rename(example, tokens, mentions, draw, "organisations")
