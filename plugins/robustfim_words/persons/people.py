"""People: a person gets another name everywhere in the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from random import Random
from typing import Literal

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_texts import some_of
from robustfim_words.persons.names import Key, rename
from robustfim_words.persons.passage import Passage
from robustfim_words.persons.persons import Persons
from robustfim_words.persons.register import Name, Register
from robustfim_words.tagging.resourced import Proposing, WithTagger
from robustfim_words.tagging.tagger import check_pipeline
from robustfim_words.text.commonness import drawn
from robustfim_words.text.lexicon import LEXICONS, closed_class, read_pairs, read_table

__all__ = ["NameOrigins", "People", "new_names", "register"]

COLUMNS = ("name", "kind: given|family", "gender: female|male|any", "origin")


@lru_cache(maxsize=4)
def register(source: Path | None = None) -> Register:
    """Read the names of persons, and the names of places and organisations, which must not be taken for persons.

    Args:
        source: A table of name, kind, gender and origin; the shipped table by default.

    Raises:
        UsageError: The table is malformed.
    """
    tables = (LEXICONS / "places.tsv", LEXICONS / "cities.tsv")
    places = (row[0] for table in tables for row in read_table(table, ("name", "kind", "country")))
    organisations = read_pairs(LEXICONS / "organisations.tsv", ("name", "kind"))
    lists = [source] if source else [LEXICONS / name for name in ("people.tsv", "names.tsv", "census.tsv")]
    names = (Name(*row) for table in lists for row in read_table(table, COLUMNS))
    return Register(names, places, organisations)


class People(WithTagger, Proposing):
    """Renames persons everywhere in the text; the new given name has the same gender.

    A full name has a listed given or family name, or is two capitalised words outside the dictionary. The words around
    it must not show that it is a place, a title or an organisation.

    A name of one word changes if it is a listed given name, stands after a title ("Inspector Dunne"), or is part of a
    full name of the example. A name that is also a word ("Hope") must be tagged as a name, and a name that is also a
    place ("Paris") is not changed. In texts without capitals only listed full names and their parts are found.

    If a name is not listed, the pronouns of the text show the gender. If they show both genders, the person is not
    renamed. All names of a person change, and the new names are of one origin.

    With ``from: passage`` the new name is the name of another person in the example, in any field, with the same parts
    (given name, family name). An example with only one person then has no candidate.

    Args:
        source: A table of name, kind (given, family), gender (female, male, any) and origin; the shipped table by
            default.
        same_origin: Whether the new name must be of the same origin as the old name. Persons without a known origin are
            then not renamed.
        from_: The source of new names: ``lists`` for the table, ``passage`` for the other persons in the example.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: The lexicon or pipeline is unknown or malformed, or ``same_origin`` is combined with ``from:
            passage``.
    """

    _name = "people"

    contract = Contract(cased=True, carries=True, separable="mentions")

    def __init__(
        self,
        *,
        source: Path | None = None,
        same_origin: bool = False,
        from_: Literal["lists", "passage"] = "lists",
        pipeline: Path | str | None = None,
    ) -> None:
        if same_origin and from_ == "passage":
            raise UsageError(
                "same_origin: with 'from: passage' the names come from the passage, and their origins cannot be "
                "chosen. Leave 'same_origin' or 'from: passage' out."
            )
        self._passage = from_ == "passage"
        self._pipeline = check_pipeline(pipeline)
        self._same_origin = same_origin
        self._source = source
        if source is not None:
            register(source)  # says what is wrong with it before the first text

    @cached_property
    def _register(self) -> Register:
        return register(self._source)

    def _candidates(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one person (or one family) renamed."""
        tokens = self._read(example)
        persons = Persons.find(example, tokens, self._register)
        if not persons.mentions:
            return
        if self._passage:
            passage = Passage(example, tokens, persons, self._register)
            lent = partial(passage.draw, random=random)
            yield from rename(example, tokens, persons.mentions, lent, self._name, persons.links)
            return
        taken = {token.base.casefold() for field in tokens.values() for token in field}

        @cache
        def pool(origin: str, kind: str, genders: frozenset[str]) -> list[str]:
            return self._register.pool(origin, kind, genders, taken)

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            return self._draw(entity, persons, pool, random)

        yield from rename(example, tokens, persons.mentions, draw, self._name, persons.links)

    def _draw(
        self, entity: frozenset[Key], persons: Persons, pool_of: Callable[..., list[str]], random: Random
    ) -> dict[Key, str] | None:
        """Draw new names of one origin for all of a person's names; None where one cannot change."""
        keys = sorted(entity)
        if any(key[0] == "given" and not persons.genders[key] for key in keys):
            return None
        return new_names(keys, persons.genders, self._origins(keys, persons), pool_of, random)

    def _origins(self, keys: list[Key], persons: Persons) -> list[str]:
        """List the origins that a person's new names may have; a family's name stays first."""
        origins = {*self._register.origins}
        if self._same_origin:
            origins = {origin for key in keys for origin in self._register.origins_of(key)}
        ordered = not persons.family_first.isdisjoint(keys)
        return sorted(origins & closed_class("origins with the family first") if ordered else origins)


class NameOrigins(People):
    """Renames persons to names of other origins: "Kirsten Dunst" becomes "Aisha Rahman" or "Lakshmi Iyer".

    This perturbation works like ``people``, but the new names are of another origin than the old names. The model's
    output should not depend on the origin of a name.

    Args:
        to: The origin or origins of the new names, spelled as in the table of names (arabic, chinese, indian,
            nigerian, …); all by default.
        source: A table of name, kind (given, family), gender (female, male, any) and origin; the shipped table by
            default.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: An origin is unknown, or the lexicon or pipeline unknown or malformed.
    """

    _name = "name_origins"

    def __init__(
        self, *, to: list[str] | str | None = None, source: Path | None = None, pipeline: Path | str | None = None
    ) -> None:
        super().__init__(source=source, pipeline=pipeline)
        self._to = some_of("to", to, self._register.origins)

    def _origins(self, keys: list[Key], persons: Persons) -> list[str]:
        """List the origins to draw from: none of the person's own."""
        old = {origin for key in keys for origin in self._register.origins_of(key)}
        able = {*self._to} & {*super()._origins(keys, persons)} - old
        return sorted(able)


def new_names(
    keys: Sequence[Key],
    genders: Mapping[Key, frozenset[str]],
    origins: Sequence[str],
    pool_of: Callable[..., list[str]],
    random: Random,
) -> dict[Key, str] | None:
    """Draw new names of one origin for the names of a person; None if no origin has names for all.

    Args:
        keys: The keys of the person's names.
        genders: For each given name, the genders that the new name may have.
        origins: The origins from which one is drawn.
        pool_of: Lists the names of an origin, a kind and some genders that may be drawn.
        random: The random source.
    """
    for origin in random.sample(origins, len(origins)):
        new: dict[Key, str] = {}
        for key in keys:
            pool = [name for name in pool_of(origin, key[0], genders.get(key, frozenset())) if name not in new.values()]
            if not pool:
                break
            (new[key],) = drawn(pool, 1, random)
        else:
            return new
    return None
