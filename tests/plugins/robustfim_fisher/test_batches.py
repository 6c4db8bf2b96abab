"""Batches of similar length, halved when one does not fit."""

from __future__ import annotations

import pytest

from robustfim.errors import ModelError
from robustfim_fisher.batches import in_batches


def test_items_go_longest_first_and_results_come_in_their_order() -> None:
    seen: list[list[str]] = []

    def work(batch: list[str]) -> list[str]:
        seen.append(batch)
        return [item.upper() for item in batch]

    items = ["bb", "a", "dddd", "ccc", "ee"]
    assert in_batches(items, work, size=2, length=len) == [item.upper() for item in items]
    assert seen == [["dddd", "ccc"], ["bb", "ee"], ["a"]]
    assert in_batches([], work, size=2, length=len) == []


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("CUDA out of memory. Tried to allocate 2 GiB"),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes"),
    ],
)
def test_a_batch_out_of_memory_is_halved_and_stays_so(error: Exception) -> None:
    sizes: list[int] = []

    def work(batch: list[int]) -> list[int]:
        sizes.append(len(batch))
        if len(batch) > 3:
            raise error
        return batch

    items = list(range(10))
    assert in_batches(items, work, size=8, length=lambda item: item) == items
    assert sizes == [8, 4, 2, 2, 2, 2, 2]


def test_a_single_item_out_of_memory_is_an_error() -> None:
    def work(batch: list[str]) -> list[str]:
        raise MemoryError("no room")

    with pytest.raises(ModelError, match="one example of length 3 does not fit into memory: no room"):
        in_batches(["a", "bbb"], work, size=2, length=len)


def test_a_batch_with_too_few_results_is_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        in_batches(["a", "b"], lambda batch: batch[:1], size=2, length=len)
