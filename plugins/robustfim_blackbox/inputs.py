"""The form in which a function or a service receives an example."""

from __future__ import annotations

from collections.abc import Sequence

from robustfim.example import Example

__all__ = ["inputs", "named_texts"]


def inputs(examples: Sequence[Example]) -> list[str] | list[dict[str, str]]:
    """Convert examples to texts, or to mappings of fields if they have several fields.

    Returns:
        ``["a fine film", …]`` for examples of one field, else ``[{"premise": …, "hypothesis": …}, …]``.
    """
    if all(len(example.fields) == 1 for example in examples):
        return [example.text for example in examples]
    return [dict(example.fields) for example in examples]


def named_texts(example: Example) -> dict[str, str]:
    """Return an example's texts by the names that a request template uses.

    Returns:
        The text of each field; also under ``"text"`` if there is only one field.
    """
    fields = dict(example.fields)
    return fields if len(fields) > 1 else {"text": example.text, **fields}
