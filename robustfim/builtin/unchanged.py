"""The perturbation that changes nothing, for minimum functionality tests: itself a plugin, like any other."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.example import Example
from robustfim.hookspecs import hookimpl

__all__ = ["Unchanged", "robustfim_offers"]


class Unchanged:
    """Tests the example as it is, unchanged; with ``expect: correct``, for instance."""

    contract = Contract(unchanged=True)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Propose the example."""
        yield Candidate(example)


@hookimpl
def robustfim_offers() -> dict[str, dict[str, type]]:
    """Offer itself."""
    return {"perturbations": {"itself": Unchanged}}
