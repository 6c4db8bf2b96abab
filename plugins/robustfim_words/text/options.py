"""Checks of options that name one or several of a few words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from robustfim.errors import UsageError, did_you_mean, shown

__all__ = ["one_of", "some_of"]


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
