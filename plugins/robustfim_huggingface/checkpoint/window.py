"""What a model reads of examples that are too long for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from robustfim.example import Example
from robustfim.roles import Span

__all__ = ["read_in_part"]


def read_in_part(
    spans: Callable[[Example], Sequence[Span]], examples: Sequence[Example], cut: Sequence[bool]
) -> list[list[Span] | None]:
    """List the spans of the tokens that a model reads, of examples that are cut.

    Args:
        spans: The places of the tokens that the model reads of one.
        examples: The examples.
        cut: Which of them are cut.

    Returns:
        For each that is cut its spans, and None for the others. A field without any, such as one that another word
        stands for, counts as read.
    """
    found: list[list[Span] | None] = []
    for example, part in zip(examples, cut, strict=True):
        places = [span for span in spans(example) if span is not None] if part else []
        without = example.fields.keys() - {name for name, _, _ in places}
        found.append([*places, *((name, 0, len(example.fields[name])) for name in without)] if part else None)
    return found
