"""Tables: the data of the disguises, in files beside the code."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

__all__ = ["table"]

_FOLDER = Path(__file__).parent / "tables"


@cache
def table(name: str) -> Any:
    """Read a shipped table.

    Args:
        name: The name of the table's file without ``.yaml``.

    Returns:
        The content of the file: a mapping or a list.
    """
    return yaml.safe_load((_FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
