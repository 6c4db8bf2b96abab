"""The version of robustfim, for the records of runs, in a module that imports nothing else."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
