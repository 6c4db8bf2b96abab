"""The spans that a model reads of texts that are too long for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from robustfim.example import Example
from robustfim.roles import Span

__all__ = ["read_in_part"]


def read_in_part(
    spans: Callable[[Example], Sequence[Span]], examples: Sequence[Example], cut: Sequence[bool]
) -> list[list[Span] | None]:
    """Return the parts of truncated examples that a model reads.

    Args:
        spans: A function that returns the places of the tokens that the model reads of an example.
        examples: The examples.
        cut: For each example, whether it is truncated.

    Returns:
        For each truncated example its spans; None for the other examples. A field without any of these spans counts as
        read whole.
    """
    found: list[list[Span] | None] = []
    for example, part in zip(examples, cut, strict=True):
        places = [span for span in spans(example) if span is not None] if part else []
        without = example.fields.keys() - {name for name, _, _ in places}
        found.append([*places, *((name, 0, len(example.fields[name])) for name in without)] if part else None)
    return found
