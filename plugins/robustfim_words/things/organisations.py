"""Organisations: a studio gives way to a studio, a paper to a paper, wherever it is named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim_words.persons.names import Key, Mention, listed_names, rename
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
    calls otherwise, too ("AU", "Citi"), or names in an address or with its code of the stock exchange stays.

    Args:
        source: A table of name and kind (studio, newspaper, …); the shipped one by default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: The lexicon or pipeline is unknown or malformed.
    """

    contract = Contract(cased=True, carries=True)

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
            if not _coded(tokens[field], match)
            and not (caseless(text) and match.entry[1].istitle() and match.first == match.last)
        ]
        lowered = example.text.casefold()

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            ((kind, name),) = entity
            mates = [mate for mate in self._by_kind[kind] if mate.casefold() not in lowered]
            return {(kind, name): random.choice(mates)} if mates else None

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


def _coded(tokens: Sequence[Token], match: Match[Key]) -> bool:
    """Tell whether a name stands in an address or before its code: "Amazon.com", "Microsoft (MSFT)"."""
    after, beyond = (tokens[at] if at < len(tokens) else None for at in (match.last + 1, match.last + 2))
    if after is None or beyond is None:
        return False
    address = after.text == "." and after.start == match.end and beyond.start == after.end
    return address or (after.text == "(" and (beyond.text.isupper() or beyond.tag == "NNP"))
