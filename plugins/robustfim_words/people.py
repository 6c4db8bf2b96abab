"""People: a person gets another name, wherever the person is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim_words.lexicon import LEXICONS, read_table
from robustfim_words.names import Key, rename
from robustfim_words.persons import Name, Persons, Register
from robustfim_words.tagging import check_pipeline, tagger
from robustfim_words.tokens import tokenise

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["People"]

COLUMNS = ("name", "kind: given|family", "gender: female|male|any", "origin")


class People:
    """Renames persons: a given name becomes one of the same gender, a family name another, everywhere.

    A name is one by the lists, its capital and its tag; a lone word that could open a sentence as an ordinary one
    ("Hope", "Will") or that is a place ("Paris") stays unless its full name stands in the example. A capitalised
    unknown name behind a known given name counts as its family name. In texts without capitals only full names
    and their parts are found. The new given and family name are of one origin.

    Args:
        source: A table of name, kind (given, family), gender (female, male, any) and origin; the shipped one by
            default.
        same_origin: Whether the new name must be of an origin of the old one; other persons are then left.
        pipeline: A spaCy pipeline, installed or a folder; the shipped one by default.

    Raises:
        UsageError: The lexicon or pipeline is unknown or malformed.
    """

    def __init__(
        self, *, source: Path | None = None, same_origin: bool = False, pipeline: Path | str | None = None
    ) -> None:
        check_pipeline(pipeline)
        self._pipeline = pipeline
        self._same_origin = same_origin
        places = (row[0] for row in read_table(LEXICONS / "places.tsv", ("name", "kind", "country")))
        self._register = Register(
            (Name(*row) for row in read_table(source or LEXICONS / "people.tsv", COLUMNS)), places
        )

    def prepare(self, context: Context) -> None:
        """Tag the run's texts in batches."""
        tagger(self._pipeline).prepare(context)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose candidates, each with one person (or one family) renamed.

        Args:
            example: The source example.
            random: Draws the new names.
        """
        tokens = {field: tagger(self._pipeline).tag(text) for field, text in example.fields.items()}
        persons = Persons.find(((field, text, tokens[field]) for field, text in example.fields.items()), self._register)
        if not persons.mentions:
            return
        taken = {token.text.casefold() for field in tokens.values() for token in field}

        def draw(entity: frozenset[Key]) -> dict[Key, str] | None:
            return self._draw(entity, taken, random)

        yield from rename(example, tokens, persons.mentions, persons.links, draw, "people")

    def _draw(self, entity: frozenset[Key], taken: set[str], random: Random) -> dict[Key, str] | None:
        """Draw new names of one origin for a person's names; None where an origin has too few."""
        keys = sorted(entity)
        known = [name for key in keys for name in self._register.by_key.get(key, ())]
        origins = sorted({name.origin for name in known}) if self._same_origin else sorted(self._register.by_origin)
        random.shuffle(origins)
        for origin in origins:
            new: dict[Key, str] = {}
            for key in keys:
                genders = {name.gender for name in self._register.by_key.get(key, ())}
                pool = sorted(
                    {
                        name.name
                        for name in self._register.by_origin[origin]
                        if name.kind == key[0]
                        and (name.kind == "family" or name.gender in genders)
                        and not taken.intersection(token.text.casefold() for token in tokenise(name.name))
                    }
                    - set(new.values())
                )
                if not pool:
                    break
                new[key] = random.choice(pool)
            else:
                return new
        return None
