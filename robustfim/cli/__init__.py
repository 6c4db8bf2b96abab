"""The command line.

Open to the entry point: ``main``; and to plugins: ``group``, for a command that has commands, and ``run``.
"""

from __future__ import annotations

from robustfim.cli.process import main

__all__ = ["main"]
