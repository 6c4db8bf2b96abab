"""Options that name some of a few kinds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from robustfim.errors import UsageError, did_you_mean, shown

__all__ = ["at_least", "some_of"]


def some_of(option: str, values: Sequence[str] | str | None, known: Iterable[str]) -> tuple[str, ...]:
    """Return the values if all are known, and all that are known for None; a word stands for a list of it alone.

    Raises:
        UsageError: One is unknown, or the list is empty.
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


def at_least(option: str, value: int, least: int) -> int:
    """Return the value if it is large enough.

    Args:
        option: The option's name, for the message.
        value: What a suite says.
        least: The smallest allowed.

    Raises:
        UsageError: It is smaller.
    """
    if value < least:
        raise UsageError(f"{option}: {value} is below {least}")
    return value
