"""The digest of everything known that decides a prediction."""

from __future__ import annotations

import hashlib
import json
from typing import Any

__all__ = ["digest"]


def digest(*parts: Any) -> str:
    """Hash plain values.

    Returns:
        64 hexadecimal digits, SHA-256.
    """
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
