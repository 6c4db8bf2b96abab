"""The tables of the disguises, in YAML files beside the code."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

__all__ = ["table"]

_FOLDER = Path(__file__).parent / "tables"


@cache
def table(name: str) -> Any:
    """Read a table of this plugin.

    Args:
        name: The name of the table's file without ``.yaml``.

    Returns:
        The content of the file: a mapping or a list.
    """
    return yaml.safe_load((_FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
