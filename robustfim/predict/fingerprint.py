"""The fingerprint of a plugin's code, so that stored results of changed code are not used."""

from __future__ import annotations

import functools
import hashlib
import inspect
import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["code_fingerprint"]


def code_fingerprint(cls: type[Any]) -> str:
    """Return a hash of the source code of a class: of the whole package that contains it, else of its file.

    Args:
        cls: A class that a plugin offers.

    Returns:
        16 hexadecimal digits; if there is no source code, a hash of the class's qualified name.
    """
    digest = hashlib.blake2b(f"{cls.__module__}.{cls.__qualname__}".encode(), digest_size=8)
    top = sys.modules.get(cls.__module__.partition(".")[0])
    folders = list(getattr(top, "__path__", ()))  # more than one where a package has no __init__.py
    if isinstance(top, ModuleType) and folders:
        for folder in folders:
            digest.update(_package(Path(folder)))
    else:
        with suppress(TypeError, OSError):  # it has no file
            digest.update(Path(inspect.getfile(cls)).read_bytes())
    return digest.hexdigest()


@functools.cache
def _package(folder: Path) -> bytes:
    """Read all source of a package, once: what was imported stays, and a run asks for every part of a suite."""
    return hashlib.blake2b(b"".join(path.read_bytes() for path in sorted(folder.rglob("*.py")))).digest()
