"""Organisations: a studio becomes another studio, a newspaper another newspaper, everywhere in the text."""

from __future__ import annotations

from collections.abc import Iterator
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
from robustfim_words.text.guard import in_headline
from robustfim_words.text.inflection import is_word
from robustfim_words.text.leftovers import name_types
from robustfim_words.text.lexicon import LEXICONS, closed_class, read_table
from robustfim_words.text.text_kind import text_kind
from robustfim_words.text.tokens import Tokens, token_at
from robustfim_words.things.namesakes import NAMESAKE, namesakes, new_name, with_ticker
from robustfim_words.things.ties import owners

__all__ = ["Organisations"]


UNIQUE = "-"
"""The kind of an organisation whose work no other does, such as the United Nations."""


class Organisations(WithTagger, Proposing):
    """Swaps an organisation for another of its kind, everywhere in the text.

    The possessive is kept, and the article before the name agrees ("a Netflix film", "an HBO film"). An organisation
    that is not in the table is swapped only if a word of its name states its kind ("Iomega Corp."). It stays where the
    text names something of it: its founder, its product, a team's city.

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
        self._names = [name for name, _ in rows]
        self._by_kind: dict[str, list[str]] = {}
        for name, kind in rows:
            self._by_kind.setdefault(kind, []).append(name)
        self._by_kind.pop(UNIQUE, None)

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one organisation renamed."""
        tokens = self._read(example)
        mentions = [
            Mention(field, match.first, _end(tokens[field], match.last, match.end), match.entry)
            for field, text in example.fields.items()
            for match in listed_names(text, tokens[field], self._gazetteer, name_types().keys())
            if not (caseless(text) and match.entry[1].istitle() and is_word(match.entry[1].lower()))
            and not (
                match.entry[0] in closed_class("kinds of nicknames") and _ordinary(text, tokens[field], match.first)
            )
            and not with_ticker(tokens[field], match.last)
            and (match.entry[1].isupper() <= text[tokens[field][match.first].start : match.end].isupper())
        ]
        mentions += namesakes("organisation", example, tokens, mentions)
        lowered, owned = example.text.casefold(), owners(example, tokens)

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            ((kind, name),) = entity
            if kind == NAMESAKE:
                return new_name((kind, name), lowered, random)
            if self._tied(name, lowered, owned):
                return None
            beside = lowered.replace(name.casefold(), "")  # for "Nortel Networks" no "Juniper Networks Networks"
            mates = [
                mate
                for mate in self._by_kind.get(kind, ())
                if mate.casefold() not in lowered
                and not self._tied(mate, lowered, owned)
                and mate.casefold().split()[-1] not in beside
                and name.casefold() not in mate.casefold()
            ]
            return {(kind, name): as_common(mates, name, random)} if mates else None

        yield from rename(example, tokens, mentions, draw, "organisations")

    def _tied(self, name: str, lowered: str, owned: set[str]) -> bool:
        """Tell whether a text has something of an organisation, or names a team's city: Boston beside "Red Sox"."""
        whole = [longer for longer in self._names if longer.endswith(f" {name}")]
        cities = [longer.removesuffix(f" {name}").casefold() for longer in whole]
        return not owned.isdisjoint([name, *whole]) or any(city in lowered for city in cities)


def _ordinary(text: str, tokens: Tokens, first: int) -> bool:
    """Tell whether a word of a headline or a review may be no name: "More Hurricanes May Be on Way"."""
    named = first not in in_headline(tokens) and text_kind(text) != "review"
    return is_word(tokens[first].text.lower()) and not named


def _end(tokens: Tokens, last: int, end: int) -> int:
    """Return where a listed name ends, with words of its kind: "Cisco Systems Inc.", unless a sentence ends there."""
    while token_at(tokens, last + 1).base.lower() in name_types():
        last, end = last + 1, tokens[last + 1].base_end
    point, after = token_at(tokens, last + 1), token_at(tokens, last + 2)
    if point.text != "." or not after.text or tokens[last].text.lower() not in closed_class("legal forms"):
        return end
    return tokens[last - 1].end if after.starts else point.end
