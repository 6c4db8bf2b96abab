"""Checks of options: choices among known words, and numbers with a minimum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from robustfim.errors import UsageError, shown, suggestions

__all__ = ["at_least", "one_of", "some_of"]


def one_of(option: str, value: str, known: Iterable[str]) -> str:
    """Return an option's value if it is one of the known words; otherwise raise an error.

    Raises:
        UsageError: ``value`` is unknown; the message names the option and the nearest word.
    """
    words = list(known)
    if value not in words:
        raise UsageError(f"{option}: unknown {shown(value)}.{suggestions(value, words, 'Known')}")
    return value


def some_of(option: str, values: Sequence[str] | str | None, known: Iterable[str]) -> tuple[str, ...]:
    """Return an option's values if all are known. None stands for all known words, a word for itself alone.

    Raises:
        UsageError: A value is unknown, or the list is empty.
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
        UsageError: ``value`` is below ``least``.
    """
    if value < least:
        raise UsageError(f"{option}: {value} is below {least}")
    return value
