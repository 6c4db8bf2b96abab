"""Values that may be ``None`` and must not be."""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")


def present(value: Value | None) -> Value:
    """Assert that a value is there."""
    assert value is not None
    return value
