"""Libraries that are imported only when they are used, and the way to get one that is missing."""

from __future__ import annotations

import importlib
import os
import textwrap
from typing import Any

from robustfim.errors import RobustfimError

__all__ = ["is_offline", "library", "reason"]


def library(name: str, *, extra: str, error: type[RobustfimError]) -> Any:
    """Import a library."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        raise error(f"the library {missing.name!r} is missing: pip install 'robustfim[{extra}]'.") from missing


def is_offline() -> bool:
    """Tell whether the environment forbids fetching; the hub's own client reads it only when imported."""
    values = (os.environ.get("HF_HUB_OFFLINE"), os.environ.get("TRANSFORMERS_OFFLINE"))
    return any((value or "").upper() in {"1", "ON", "YES", "TRUE"} for value in values)


def reason(error: BaseException) -> str:
    """Tell in one line what a library complains of, from the bottom of its chain of errors."""
    while (deeper := error.__cause__) is not None:
        error = deeper
    # urllib3 writes its causes into one long text, the interesting one last.
    text = str(error).rpartition("(Caused by ")[2]
    line = textwrap.shorten(f"{type(error).__name__}: {text}", 240, placeholder=" …")
    return line if line.endswith((".", "…")) else f"{line}."
