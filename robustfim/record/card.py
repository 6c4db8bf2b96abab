"""Card: what readers found of the texts that a perturbation makes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from robustfim.errors import DataError, did_you_mean, shown_place
from robustfim.reading import read_json, read_text
from robustfim.statistics.expected import expected_count
from robustfim.statistics.rate import wilson

__all__ = ["Card", "read_cards"]

_Count = Annotated[int, Field(ge=0)]
_MOST = 0.5
"""The share of pairs that must surely be as natural as a class says."""


class Card(BaseModel):
    """What readers found of a perturbation: counts of pairs of a text and what was made of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    natural: tuple[_Count, _Count, _Count]
    """Pairs by how natural the perturbed text is: nobody would write it (0), it is odd but a person could have written
    it (1), or it reads as the source (2)."""
    holds: _Count | None = None
    """Pairs of which what a check expects holds for a careful reader; None where nobody was asked."""
    sound: _Count | None = None
    """Pairs of which it holds and a person could have written the text; likewise."""
    changed: _Count = 0
    """Texts that the perturbation changes."""
    tried: _Count = 0
    """Texts that it was tried on; 0 where that was not measured."""
    edits: Annotated[float, Field(ge=1, allow_inf_nan=False)] | None = None
    """The effective number of edits, 1 / Σ p², p the share of candidates that an edit makes; None if not measured."""
    options: dict[str, Any] = {}
    """Options of the perturbation with which the texts were made, where they are not its defaults."""
    whatever: tuple[str, ...] = ()
    """Options whose values the texts cover, such as ``language``."""
    by: str = Field(min_length=1)
    """Who read, as a sentence goes on: ``two annotators``."""

    @model_validator(mode="after")
    def _parts(self) -> Card:
        if not self.pairs:
            raise ValueError("no pair was read")
        for name, part, whole in (
            ("holds", self.holds, self.pairs),
            ("sound", self.sound, self.pairs if self.holds is None else min(self.able, self.holds)),
            ("changed", self.changed, self.tried),
        ):
            if part is not None and part > whole:
                raise ValueError(f"{name}: {part} of {whole}")
        return self

    def speaks_of(self, options: Mapping[str, Any]) -> bool:
        """Tell whether the texts were made as these options make them.

        Args:
            options: What a check says of its perturbation beyond its defaults.
        """
        return {name: value for name, value in options.items() if name not in self.whatever} == self.options

    @property
    def pairs(self) -> int:
        """Pairs that were read."""
        return sum(self.natural)

    @property
    def able(self) -> int:
        """Pairs whose text a person could have written."""
        return self.natural[1] + self.natural[2]

    @property
    def naturalness(self) -> Literal[0, 1, 2]:
        """The class: the largest that more than half of all pairs surely reach, by Wilson's interval."""
        for grade, count in ((2, self.natural[2]), (1, self.able)):
            if (wilson(count, self.pairs) or (0.0, 1.0))[0] > _MOST:
                return 2 if grade == 2 else 1
        return 0

    @property
    def sentence(self) -> str:
        """The card in words, with 95 % intervals by Wilson: label, naturalness, reach and variety."""
        label = "" if self.holds is None else f"what a check expects held in {_count(self.holds, self.pairs)}; "
        said = (
            f"{self.by[0].upper()}{self.by[1:]} rated {self.pairs} pairs: {label}a person could have written "
            f"{_count(self.able, self.pairs)}; {_count(self.natural[2], self.pairs)} read as naturally as the original."
        )
        if not self.tried:
            return said
        low, high = wilson(self.changed, self.tried) or (0.0, 1.0)
        reach = f"{said} The perturbation changed {self.changed} of {self.tried:,} texts [{low:.0%}, {high:.0%}]"
        valid = self.sound and f", {self.sound / self.pairs * self.changed / self.tried:.0%} of all texts validly"
        variety = self.edits and f", with {self.edits:.0f} different edits in effect"
        return f"{reach}{valid or ''}{variety or ''}."

    def of_failures(self, failing: int, holding: str = "keep the label") -> str:
        """Say how many failures keep their label, and how many are natural, if they are like the pairs of the card.

        Args:
            failing: Failing examples, ≥ 1.
            holding: What those do of which the expectation holds for a careful reader.

        Returns:
            A sentence. Each number has the 95 % prediction interval of :func:`robustfim.statistics.expected_count`.
        """
        said = [(self.able, "a person could have written"), (self.natural[2], "read as naturally as the original")]
        if self.holds is not None:
            said.insert(0, (self.holds, holding))
        parts = [f"{_about(count, self.pairs, failing)} {word}" for count, word in said]
        start = f"Of {failing:,} failure{'s' * (failing != 1)} about "
        return f"{start}{_listed(parts)}, if they are like {self.pairs} other pairs, which {self.by} read."


def read_cards(path: Path) -> dict[str, Card]:
    """Read a file of cards: JSON, a name to its card, ``{"shout": {"natural": [1, 9, 40], "holds": 50, "by": "Ada"}}``.

    Returns:
        The cards by the names of perturbations or checks.

    Raises:
        DataError: It is missing, or something else.
    """
    try:
        return TypeAdapter(dict[str, Card]).validate_python(read_json(read_text(path)), strict=False)
    except ValidationError as error:
        problem = error.errors()[0]
        place, known = problem["loc"], list(Card.model_fields)
        near = did_you_mean(str(place[-1]), known) if problem["type"] == "extra_forbidden" else ""
        where = f", {shown_place(place)}" if place else ""
        raise DataError(
            f"{path} is no file of cards{where}: {problem['msg']}.{near} A card has {', '.join(known)}."
        ) from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path} is no file of cards: {error}.") from None


def _count(count: int, total: int) -> str:
    low, high = wilson(count, total) or (0.0, 1.0)
    return f"{'all' if count == total else count} [{low:.0%}, {high:.0%}]"


def _about(count: int, pairs: int, failing: int) -> str:
    mean, (low, high) = expected_count(count, pairs, failing)
    return f"{mean:.0f} [{low}, {high}]"


def _listed(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
