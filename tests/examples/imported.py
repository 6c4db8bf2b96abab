"""Importing an example by its file, as ``robustfim -p`` does."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

__all__ = ["EXAMPLES", "imported"]

EXAMPLES = Path(__file__).parents[2] / "examples"


def imported(name: str) -> Any:
    """Import ``examples/NAME.py``."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses look for the names of annotations
    spec.loader.exec_module(module)
    return module
