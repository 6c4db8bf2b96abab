"""Batches of similar length, halved when one does not fit into memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from robustfim.errors import ModelError

__all__ = ["DEFAULT_SIZE", "in_batches"]

DEFAULT_SIZE = 32
"""Examples a batch, where the model has no ``batch_size``."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_batches(
    items: Sequence[Item],
    work: Callable[[list[Item]], Sequence[Result]],
    *,
    size: int,
    length: Callable[[Item], int],
) -> list[Result]:
    """Work through items in batches of similar length, the longest first.

    A batch that runs out of memory is halved, and so are those after it: the longest come first, so the
    size that is found early serves the rest.

    Args:
        items: What to work through, ``[items]``.
        work: Maps a batch to one result an item.
        size: Items a batch, ≥ 1.
        length: How long an item is, in any unit.

    Returns:
        One result an item, in the order of ``items``.

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
