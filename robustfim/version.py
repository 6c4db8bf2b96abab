"""The version of robustfim: what runs write down, without importing the whole hall."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
