"""Checks of options: words of a few that are known, and numbers that have a least."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from robustfim.errors import UsageError, did_you_mean, shown

__all__ = ["at_least", "one_of", "some_of"]


def one_of(option: str, value: str, known: Iterable[str]) -> str:
    """Return ``value`` if it is known.

    Raises:
        UsageError: It is not; the message names the option and the nearest word.
    """
    words = list(known)
    if value not in words:
        raise UsageError(f"{option}: unknown {shown(value)}.{did_you_mean(value, words)} Known: {', '.join(words)}.")
    return value


def some_of(option: str, values: Sequence[str] | str | None, known: Iterable[str]) -> tuple[str, ...]:
    """Return the values if all are known, and all that are known for None; a word stands for a list of it alone.

    Raises:
        UsageError: One is unknown, or the list is empty.
    """
    words = tuple(known)
    if values is None:
        return words
    if isinstance(values, str):
        values = [values]
    if not values:
        raise UsageError(f"{option}: the list is empty. Known: {', '.join(words)}.")
    return tuple(one_of(option, value, words) for value in values)


def at_least(option: str, value: int, least: int) -> int:
    """Return ``value`` if it is large enough.

    Raises:
        UsageError: It is below ``least``.
    """
    if value < least:
        raise UsageError(f"{option}: {value} is below {least}")
    return value
