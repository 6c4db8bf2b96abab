"""Imports of optional libraries, with a message that says how to install a missing one."""

from __future__ import annotations

import importlib
import os
import textwrap
from typing import Any

from robustfim.errors import ModelError

__all__ = ["is_offline", "library", "reason", "torch_device"]


def library(name: str, *, extra: str) -> Any:
    """Import an optional library. If it is missing, raise a ModelError with the ``pip install`` command."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as missing:
        raise ModelError(f"the library {missing.name!r} is missing: pip install 'robustfim[{extra}]'.") from missing


def is_offline() -> bool:
    """Return whether ``HF_HUB_OFFLINE`` or ``TRANSFORMERS_OFFLINE`` is set now."""
    values = (os.environ.get("HF_HUB_OFFLINE"), os.environ.get("TRANSFORMERS_OFFLINE"))
    return any((value or "").upper() in {"1", "ON", "YES", "TRUE"} for value in values)


def reason(error: BaseException) -> str:
    """Return the first cause in an exception's chain as one line of text."""
    while (deeper := error.__cause__) is not None:
        error = deeper
    # urllib3 writes its causes into one long text, the interesting one last.
    text = str(error).rpartition("(Caused by ")[2]
    line = textwrap.shorten(f"{type(error).__name__}: {text}", 240, placeholder=" …")
    return line if line.endswith((".", "…")) else f"{line}."


def torch_device(name: str) -> Any:
    """Return a torch device.

    Args:
        name: A torch device, or ``auto``: a GPU if there is one.

    Raises:
        ModelError: The device cannot be used.
    """
    torch = library("torch", extra="torch")
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:  # torch without CUDA asserts
        raise ModelError(
            f"device {name!r} cannot be used: {reason(error)} 'device: auto' chooses an available device."
        ) from error
    return device
