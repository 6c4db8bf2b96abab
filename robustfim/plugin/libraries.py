"""A check for the libraries that a plugin's class imports later, made before any work begins."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from robustfim.parts import Part

__all__ = ["missing_libraries"]


def missing_libraries(kind: str, cls: type[Any], name: str) -> str:
    """Return which libraries of a plugin's class are not installed, and how to install them.

    Nothing is imported; modules are only looked up.

    Args:
        kind: A key of :data:`robustfim.members.ROLES`.
        cls: The class that a plugin offers.
        name: The name by which suites use the class.

    Returns:
        A sentence; empty if nothing is missing.
    """
    missing = {module: brings for module, brings in Part(cls).libraries.items() if find_spec(module) is None}
    if not missing:
        return ""
    are = "are" if len(missing) > 1 else "is"
    commands = " ".join(f"'{each}'" for each in dict.fromkeys(missing.values()))
    return f"{name!r} needs {' and '.join(missing)}, which {are} not installed: pip install {commands}."
