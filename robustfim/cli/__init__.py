"""The command line.

Open to the entry point: ``main``; and to plugins whose command has commands: ``group``.
"""

from __future__ import annotations

from robustfim.cli.process import main

__all__ = ["main"]
