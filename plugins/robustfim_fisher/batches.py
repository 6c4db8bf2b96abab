"""Batches of examples of similar length, halved when a batch does not fit into memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from robustfim.errors import ModelError

__all__ = ["DEFAULT_SIZE", "in_batches"]

DEFAULT_SIZE = 32
"""Examples in a batch if the model has no ``batch_size``."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_batches(
    items: Sequence[Item],
    work: Callable[[list[Item]], Sequence[Result]],
    *,
    size: int,
    length: Callable[[Item], int],
) -> list[Result]:
    """Apply a function to items in batches of similar length, the longest items first.

    If a batch runs out of memory, this batch and all later ones are halved. The longest items come first, so a size
    that fits once also fits later.

    Args:
        items: The items, ``[items]``.
        work: A function of a batch that returns one result for each item.
        size: The number of items in a batch, ≥ 1.
        length: A function that returns the length of an item, such as its number of tokens.

    Returns:
        One result for each item, in the order of ``items``.

    Raises:
        ModelError: A single item does not fit into memory.
    """
    order = sorted(range(len(items)), key=lambda index: length(items[index]), reverse=True)
    results: dict[int, Result] = {}
    start = 0
    while start < len(order):
        batch = order[start : start + size]
        try:
            found = work([items[index] for index in batch])
        except (MemoryError, RuntimeError) as error:
            if not _is_out_of_memory(error):
                raise
            if len(batch) == 1:
                raise ModelError(
                    f"one example of length {length(items[batch[0]])} does not fit into memory: {error}"
                ) from error
            size = len(batch) // 2
            continue
        results.update(zip(batch, found, strict=True))
        start += len(batch)
    return [results[index] for index in range(len(items))]


def _is_out_of_memory(error: Exception) -> bool:
    """Recognise Python's, the processor's and every accelerator's way to say it, without importing torch."""
    said = str(error).lower()
    return isinstance(error, MemoryError) or "out of memory" in said or "can't allocate memory" in said
