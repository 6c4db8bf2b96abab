"""The fingerprint of a plugin's code: what other code computed is not taken from the store."""

from __future__ import annotations

import hashlib
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["code_fingerprint"]


def code_fingerprint(cls: type[Any]) -> str:
    """Hash the source a class comes from: its whole package where it is in one, else its file.

    Args:
        cls: A class a plugin offers.

    Returns:
        16 hexadecimal digits; the class's qualified name alone decides where there is no source.
    """
    digest = hashlib.blake2b(f"{cls.__module__}.{cls.__qualname__}".encode(), digest_size=8)
    for path in _source_files(cls):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _source_files(cls: type[Any]) -> list[Path]:
    top = sys.modules.get(cls.__module__.partition(".")[0])
    if isinstance(top, ModuleType) and getattr(top, "__path__", None) and top.__file__:
        return sorted(Path(top.__file__).parent.rglob("*.py"))
    try:
        return [Path(inspect.getfile(cls))]
    except (TypeError, OSError):
        return []
