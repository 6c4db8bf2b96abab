"""Engines: predictions and gradients are computed in this process, or by workers that an engine starts.

Open to plugins: what this package exports.
"""

from __future__ import annotations

from robustfim.engine.worker import Worker

__all__ = ["Worker"]
