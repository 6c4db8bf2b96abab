"""A hash of all values that affect a prediction."""

from __future__ import annotations

import hashlib
import json
from typing import Any

__all__ = ["digest"]


def digest(*parts: Any) -> str:
    """Return the SHA-256 of plain values.

    Returns:
        64 hexadecimal digits.
    """
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
