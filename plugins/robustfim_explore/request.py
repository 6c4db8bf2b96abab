"""A request of the page, and its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from robustfim.errors import UsageError
from robustfim.example import Example

__all__ = ["Body", "Json", "typed"]

Body: TypeAlias = Mapping[str, Any]
"""The values that the page sends, by name; they are not checked yet."""
Json: TypeAlias = dict[str, Any]
"""A JSON object for the page, or a row of a file."""


def typed(fields: Any, names: Sequence[str]) -> Example:
    """Make an example from the fields that a person typed.

    Args:
        fields: The text of each field, by name.
        names: The fields of the run's examples; empty if unknown.

    Raises:
        UsageError: ``fields`` is not a mapping of names to texts, a field is missing or unknown, or all texts are
            empty.
    """
    if not isinstance(fields, Mapping) or not all(isinstance(each, str) for each in (*fields, *fields.values())):
        raise UsageError("fields: a mapping of names to texts is needed.")
    if names and set(fields) != set(names):
        raise UsageError(f"fields: {', '.join(map(repr, fields))} are not the fields of the run: {', '.join(names)}.")
    if not any(text.strip() for text in fields.values()):
        raise UsageError("the text is empty.")
    return Example({name: fields[name] for name in names or fields})
