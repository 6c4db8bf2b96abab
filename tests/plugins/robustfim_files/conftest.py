from __future__ import annotations

from tests.robustfim.conftest import robustfim

__all__ = ["robustfim"]
