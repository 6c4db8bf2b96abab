"""Options of disguises: known kinds, and numbers with a minimum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from robustfim.errors import UsageError, did_you_mean, shown

__all__ = ["Some", "some_of"]

Some = Annotated[int, Field(ge=1)]
"""A number of at least 1."""


def some_of(option: str, values: Sequence[str] | str | None, known: Iterable[str]) -> tuple[str, ...]:
    """Return the values of an option as a list, if all are known; None means all known values.

    Raises:
        UsageError: A value is unknown, or the list is empty.
    """
    words = tuple(known)
    values = words if values is None else [values] if isinstance(values, str) else values
    if not values:
        raise UsageError(f"{option}: the list is empty. Known: {', '.join(words)}.")
    for value in values:
        if value not in words:
            raise UsageError(
                f"{option}: unknown {shown(value)}.{did_you_mean(value, words)} Known: {', '.join(words)}."
            )
    return tuple(values)
