"""The engine ``inline``, which computes in this process."""

from __future__ import annotations

from collections.abc import Sequence

from robustfim.contract import EngineContract
from robustfim.roles import Link

__all__ = ["Inline"]


class Inline:
    """Computes in the run's own process."""

    contract = EngineContract(workers=0)

    def start(self, spec: bytes) -> Link:
        """Start nothing: there is no worker to start."""
        raise NotImplementedError("the engine 'inline' has no workers")

    def wait(self, links: Sequence[Link]) -> Sequence[Link]:
        """Wait for nothing."""
        return links
