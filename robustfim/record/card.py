"""Cards: readers' ratings of the texts that a perturbation makes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from robustfim.errors import DataError, did_you_mean, shown_place
from robustfim.printable import counted, listed
from robustfim.reading import read_json, read_text
from robustfim.statistics.expected import expected_count
from robustfim.statistics.rate import Rate

__all__ = ["Card", "read_cards"]

_Count = Annotated[int, Field(ge=0)]
_MOST = 0.5
"""The fraction of pairs that must reach a naturalness class, by the lower end of the interval."""


class Card(BaseModel):
    """Readers' ratings of a perturbation: counts of pairs of a text and its perturbed text."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    natural: tuple[_Count, _Count, _Count]
    """Pairs whose perturbed text nobody would write (0), a person could have written (1), or reads as the source (2).
    """
    holds: _Count | None = None
    """Pairs for which careful readers say that the check's expectation holds."""
    sound: _Count | None = None
    """Pairs of ``holds`` whose perturbed text a person could have written."""
    changed: _Count = 0
    """Texts that the perturbation changes."""
    tried: _Count = 0
    """Texts on which the perturbation was tried."""
    edits: Annotated[float, Field(ge=1, allow_inf_nan=False)] | None = None
    """The effective number of edits, 1 / Σ p², with p the fraction of candidates by edit."""
    options: dict[str, Any] = {}
    """Options with which the texts were made, other than the defaults."""
    whatever: tuple[str, ...] = ()
    """Options, such as ``language``, whose values the rated texts all cover."""
    by: str = Field(min_length=1)
    """The readers: ``two annotators``."""

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
        """Return whether people's ratings (the card) hold for a perturbation with these options.

        Args:
            options: The options of a check's perturbation that differ from the defaults.
        """
        return {name: value for name, value in options.items() if name not in self.whatever} == self.options

    @property
    def pairs(self) -> int:
        """The number of rated pairs."""
        return sum(self.natural)

    @property
    def able(self) -> int:
        """Pairs whose perturbed text a person could have written."""
        return self.natural[1] + self.natural[2]

    @property
    def naturalness(self) -> Literal[0, 1, 2]:
        """The highest naturalness rating (0, 1 or 2) that more than half of all rated pairs reach.

        The fraction is taken as the lower end of Wilson's 95 % interval.
        """
        for grade, count in ((2, self.natural[2]), (1, self.able)):
            if Rate(count, self.pairs).ends[0] > _MOST:
                return 2 if grade == 2 else 1
        return 0

    @property
    def sentence(self) -> str:
        """A summary of people's ratings, with 95 % intervals: kept labels, naturalness, reach and variety of edits."""
        label = "" if self.holds is None else f"what a check expects held in {_count(self.holds, self.pairs)}; "
        said = (
            f"{self.by[0].upper()}{self.by[1:]} rated {self.pairs} pairs: {label}a person could have written "
            f"{_count(self.able, self.pairs)}; {_count(self.natural[2], self.pairs)} read as naturally as the original."
        )
        if not self.tried:
            return said
        low, high = Rate(self.changed, self.tried).ends
        reach = f"{said} The perturbation changed {self.changed} of {self.tried:,} texts [{low:.0%}, {high:.0%}]"
        valid = self.sound and f", {self.sound / self.pairs * self.changed / self.tried:.0%} of all texts validly"
        variety = self.edits and f", with {self.edits:.0f} different edits in effect"
        return f"{reach}{valid or ''}{variety or ''}."

    def of_failures(self, failing: int, holding: str = "keep the label") -> str:
        """Predict how many failing texts keep their label and how many are natural, from people's ratings.

        Args:
            failing: Failing examples, ≥ 1.
            holding: The verb phrase for failures that still have the expected label for a careful reader.

        Returns:
            A sentence. Each number has the 95 % prediction interval of :func:`robustfim.statistics.expected_count`.
        """
        said = [(self.able, "a person could have written"), (self.natural[2], "read as naturally as the original")]
        if self.holds is not None:
            said.insert(0, (self.holds, holding))
        parts = [f"{_about(count, self.pairs, failing)} {word}" for count, word in said]
        start = f"Of {counted(failing, 'failure')} about "
        return f"{start}{listed(parts)}, if they are like {self.pairs} other pairs, which {self.by} read."


def read_cards(path: Path) -> dict[str, Card]:
    """Read people's ratings of perturbations (cards) from a JSON file.

    Returns:
        The cards by name of a perturbation or check. The file holds ``{"shout": {"natural": [1, 9, 40], "holds":
        50}}``.

    Raises:
        DataError: The file is missing or malformed.
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
    low, high = Rate(count, total).ends
    return f"{'all' if count == total else count} [{low:.0%}, {high:.0%}]"


def _about(count: int, pairs: int, failing: int) -> str:
    mean, (low, high) = expected_count(count, pairs, failing)
    return f"{mean:.0f} [{low}, {high}]"
