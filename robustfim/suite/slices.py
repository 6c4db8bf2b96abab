"""Slices: parts of the data with rates of their own, defined by properties of the examples."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from robustfim.errors import shown

__all__ = ["Range", "SliceSpec"]

Range = tuple[int | float | None, int | float | None]
"""Smallest and largest number, both included; None is open."""


def _range(value: Any) -> Any:
    numbers = value if isinstance(value, list | tuple) else ()
    plain = all(
        number is None or (isinstance(number, int | float) and not isinstance(number, bool)) for number in numbers
    )
    if len(numbers) != 2 or not plain or numbers == [None, None]:
        raise ValueError(f"{shown(value)} is no range: write [least, largest], null for an open end")
    low, high = numbers
    if low is not None and high is not None and not low <= high:
        raise ValueError(f"[{low}, {high}] is an empty range: write the smaller number first")
    return tuple(numbers)


def _several(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


_Range = Annotated[Range, BeforeValidator(_range)]
_Texts = Annotated[list[str], BeforeValidator(_several)]


class SliceSpec(BaseModel):
    """The definition of a slice: the examples that meet all of its conditions."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)
    words: _Range | None = Field(None, description="The number of words of the example.")
    characters: _Range | None = Field(None, description="The number of characters of the example.")
    contains: _Texts | None = Field(None, description="A word or phrase in the example; in a list, one is enough.")
    field: dict[str, Any] | None = Field(None, description="Columns of the data, with a value or a list of values.")
    label: _Texts | None = Field(None, description="The gold label of the example, or a list of labels.")
    prediction: _Texts | None = Field(None, description="The label predicted for the example, or a list of labels.")
    score: dict[str, _Range] | None = Field(None, description="Scores and their ranges.")
    confidence: _Range | None = Field(None, description="The probability of the predicted label.")
    range: dict[str, _Range] | None = Field(None, description="Columns of numbers and their ranges.")
    within: _Texts | None = Field(
        None, description="Slices defined earlier in the suite. The example must belong to all of them."
    )
    limit: float | None = Field(
        None, description="The tolerated share of failing examples of every check in this slice.", ge=0, le=1
    )

    @model_validator(mode="after")
    def _something(self) -> SliceSpec:
        if not self.model_fields_set - {"limit"}:
            raise ValueError(
                "the slice has no condition, so that every example would be in the slice: write a condition"
            )
        return self
