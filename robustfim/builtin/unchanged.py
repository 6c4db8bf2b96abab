"""The perturbation ``unchanged``, for minimum functionality tests; it is a plugin, like any other."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.example import Example

__all__ = ["Unchanged"]


class Unchanged:
    """Tests the example unchanged, for instance with ``expect: correct``."""

    contract = Contract(unchanged=True)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose the unchanged example as the only candidate."""
        yield Candidate(example)
