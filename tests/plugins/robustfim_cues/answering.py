"""A trainer whose models have known gradients, as a plugin: it learns to weigh one word."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from robustfim import Example, hookimpl


class Weighing:
    """Weighs "was" by how many instances there are to learn from.

    Args:
        word: Another word.
    """

    def __init__(self, word: str = "was") -> None:
        self._word = word

    def train(
        self, examples: Sequence[Example], dev: Sequence[Example], folder: Path, *, seed: int,
        report: Callable[[str], None],
    ) -> Mapping[str, Any]:  # fmt: skip
        report(f"weighed by {len(examples)}, stopped by {len(dev)}")
        return {"use": "choosing", "weights": {self._word: float(len(examples))}}


@hookimpl
def robustfim_offers() -> dict[str, dict[str, type]]:
    return {"trainers": {"weighing": Weighing}}
