from __future__ import annotations

from tests.robustfim.conftest import robustfim, transformer

__all__ = ["robustfim", "transformer"]
