"""The perturbation that changes nothing, for minimum functionality tests; it is a plugin, like any other."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.example import Example

__all__ = ["Unchanged"]


class Unchanged:
    """Tests the example as it is, unchanged; with ``expect: correct``, for instance."""

    contract = Contract(unchanged=True)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose the example."""
        yield Candidate(example)
