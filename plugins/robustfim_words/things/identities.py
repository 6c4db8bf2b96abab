"""Identities: orientation, origin and faith of people, swapped within their kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.persons.names import Key, Mention, rename
from robustfim_words.tagging.resourced import Proposing
from robustfim_words.text.gazetteer import Gazetteer, Match
from robustfim_words.text.lexicon import LEXICONS, read_table
from robustfim_words.text.tokens import Tokens, token_at

__all__ = ["Identities"]

_PEOPLE = re.compile(
    "people|persons?|m[ae]n|wom[ae]n|boys?|girls?|child(ren)?|kids?|folks?|guys?|couples?|friends?|neighbou?rs?|"
    "famil(y|ies)|communit(y|ies)|students?|teen(ager)?s?|adults?|parents?|mothers?|fathers?",
    re.IGNORECASE,
)


class Identities(Proposing):
    """Swaps an identity for another of its kind, everywhere in the text: "gay men" for "straight men".

    Identities are orientations, origins and faiths. They are changed only if they describe people. The model's output
    must not depend on them. You can give your own groups: ``{use: identities, groups: [[nurses, surgeons], [tenants,
    landlords]]}``.

    Args:
        groups: Lists of two or more names; the names of a list are swapped for each other. The shipped lists are used
            by default.
        source: A table of names and the kind of the next word (any, person); the shipped table by default.

    Raises:
        UsageError: A group has fewer than two names, a name stands in two groups, or the table is malformed.
    """

    contract = Contract(carries=True)

    def __init__(self, *, groups: list[list[str]] | None = None, source: Path | None = None) -> None:
        rows = read_table(source or LEXICONS / "identities.tsv", ("names", "before: any|person"))
        table = [([name.strip() for name in names.split(",")], before == "person") for names, before in rows]
        kinds = table if groups is None else [(group, False) for group in groups]
        self.any_language = groups is not None
        self._kinds: dict[str, tuple[Sequence[str], bool]] = {}
        for names, person in kinds:
            if len(set(names)) < 2:
                raise UsageError(
                    f"identities: the group {names!r} must hold at least two names that stand for each other"
                )
            for name in names:
                if name in self._kinds:
                    raise UsageError(f"identities: the name {name!r} stands in two groups; keep the name in one group")
                self._kinds[name] = names, person
        self._gazetteer = Gazetteer((name, name) for name in self._kinds)

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one identity swapped throughout."""
        tokens, lowered = self._read(example), example.text.casefold()
        mentions = [
            Mention(field, match.first, match.end, ("identity", match.entry))
            for field in example.fields
            for match in self._matches(tokens[field])
        ]

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            (key,) = entity
            others = [other for other in self._kinds[key[1]][0] if other.casefold() not in lowered]
            return {key: random.choice(others)} if others else None

        yield from rename(example, tokens, mentions, draw, "identities", whole=False)

    def _matches(self, tokens: Tokens) -> Iterator[Match[str]]:
        """Find the names of the groups; where people have to follow, only those before a word for them."""
        index = 0
        while index < len(tokens):
            match = self._gazetteer.match(tokens, index)
            if match is None or (
                self._kinds[match.entry][1] and not _PEOPLE.fullmatch(token_at(tokens, match.last + 1).text)
            ):
                index += 1
                continue
            yield match
            index = match.last + 1
