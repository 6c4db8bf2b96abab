"""Organisations: a studio gives way to a studio, a paper to a paper, wherever it is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim_words.persons.names import Key, Mention, listed_names, rename
from robustfim_words.persons.people import register
from robustfim_words.persons.persons import Persons
from robustfim_words.tagging.resourced import WithTagger
from robustfim_words.tagging.tagger import check_pipeline, tagger
from robustfim_words.text.casing import capitalised, caseless
from robustfim_words.text.gazetteer import Gazetteer, Match
from robustfim_words.text.leftovers import short_forms
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import Token, base_of

__all__ = ["Organisations"]


class Organisations(WithTagger):
    """Swaps organisations for others of their kind, all mentions of one together.

    The possessive and the article before the name are kept ("a Netflix film", "an HBO film"). One that the text
    describes ("search giant Google"), calls otherwise, too ("AU", "Citi"), or names with what is its own ("Microsoft"
    and "Windows") stays.

    Args:
        source: A table of name and kind (studio, newspaper, …); the shipped one by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: The lexicon or pipeline is unknown or malformed.
    """

    cased = True

    def __init__(self, *, source: Path | None = None, pipeline: Path | str | None = None) -> None:
        check_pipeline(pipeline)
        self._pipeline = pipeline
        rows = read_table(source or LEXICONS / "organisations.tsv", ("name", "kind"))
        self._gazetteer = Gazetteer((name, (kind, name)) for name, kind in rows)
        self._by_kind: dict[str, list[str]] = {}
        for name, kind in rows:
            self._by_kind.setdefault(kind, []).append(name)

    def foresee(self, examples: Sequence[Example]) -> None:
        """Tag the texts of a block in batches."""
        tagger(self._pipeline).prepare(examples)

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
            if not _described(text, tokens[field], match)
            and not (caseless(text) and match.entry[1].istitle() and match.first == match.last)
        ]
        lowered = example.text.casefold()

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            ((kind, name),) = entity
            mates = [mate for mate in self._by_kind[kind] if mate.casefold() not in lowered]
            return {(kind, name): random.choice(mates)} if mates else None

        said = {token.text.casefold() for its in tokens.values() for token in its if token.kind == "word"}
        mentions = [mention for mention in mentions if said.isdisjoint(_ties().get(mention.key[1], frozenset()))]
        if any(mention.key[0].endswith(("_team", "_club")) for mention in mentions):
            read = ((field, text, tokens[field]) for field, text in example.fields.items())
            if Persons.find(read, register()).mentions:  # who plays for a team plays for no other
                mentions = [mention for mention in mentions if not mention.key[0].endswith(("_team", "_club"))]
        mentions = [
            mention for mention in mentions if not any(_otherwise(its, mention.key[1]) for its in tokens.values())
        ]

        def called(key: Key) -> frozenset[str]:
            return short_forms(key[1])

        yield from rename(example, tokens, mentions, [], draw, "organisations", called=called, stems=True)


def _otherwise(tokens: Sequence[Token], name: str) -> bool:
    """Tell whether a text calls an organisation by the beginning of its name, too, or writes out its initials."""
    words = [token for token in tokens if token.kind == "word"]
    own = [word.casefold() for word in name.split()]
    for token in words:
        small = base_of(token)[0].casefold()
        if capitalised(token) and len(small) > 2 and any(w != small and w.startswith(small) for w in own):
            return True
    if not name.isupper() or len(name) < 3:
        return False
    said = [token for token in words if token.text.lower() not in _SMALL]
    runs = (said[at : at + len(name)] for at in range(len(said) - len(name) + 1))
    return any(
        all(len(token.text) > 1 and token.text[0] == sign for token, sign in zip(run, name, strict=True))
        for run in runs
    )


_SMALL = frozenset(["of", "and", "the", "for"])


@lru_cache(maxsize=1)
def _ties() -> dict[str, frozenset[str]]:
    """Read what belongs to one organisation only: its products, its people, its town."""
    rows = read_table(LEXICONS / "ties.tsv", ("organisation", "words"))
    return {name: frozenset(word.strip() for word in words.split(",")) for name, words in rows}


_EXCHANGES = frozenset(["Nasdaq", "Nyse", "Reuters", "Quote"])


def _described(text: str, tokens: Sequence[Token], match: Match[Key]) -> bool:
    """Tell whether words beside a name say what it is, which would be wrong of another: "search giant Google".

    A noun right before it, a thing of its own right behind it ("Google search"), what it is behind a comma, a place
    that owns it, a code of the stock exchange.
    """
    before = tokens[match.first - 1] if match.first else None
    after = tokens[match.last + 1] if match.last + 1 < len(tokens) else None
    beyond = tokens[match.last + 2] if match.last + 2 < len(tokens) else None
    if (
        before is not None
        and (before.tag in ("NN", "NNS") or before.kind == "fixed")
        and before.end < tokens[match.first].start
    ):
        return True
    if before is not None and before.tag == "CD" and before.end < tokens[match.first].start:
        return True  # "three Starbucks", which are shops
    kind = [token.text.lower() for token in tokens[max(0, match.first - 2) : match.first]]
    if kind in (["city", "of"], ["town", "of"], ["port", "of"], ["province", "of"]):
        return True  # "the port city of Santander"
    if after is None:
        return False
    if "-" in after.text and after.kind == "word" and after.text.islower():
        return True  # "an NSA line-eater"
    if after.text == "." and after.start == match.end and beyond is not None and beyond.start == after.end:
        return True
    if after.text == "(" and beyond is not None and (beyond.text.isupper() or beyond.text in _EXCHANGES):
        return True
    apposition = (
        after.text == ","
        and beyond is not None
        and (beyond.tag in ("DT", "WDT", "WP", "PRP$") or beyond.text in ("which", "who"))
    )
    owns = match.end < tokens[match.last].end
    return apposition or (
        after.tag in ("NN", "NNS", "NNP", "CD")
        and not owns
        and text[match.end : after.start].isspace()
        and caseless(text)
    )
