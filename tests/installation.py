"""Installing a package from a folder, without a network and without touching the environment of the tests."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

__all__ = ["install"]


def install(source: Path, site: Path) -> None:
    """Build the package in a folder and install it into another, which can then stand on ``PYTHONPATH``.

    Args:
        source: A folder with a ``pyproject.toml``.
        site: The folder that takes the package; made if need be.
    """
    options = ["--isolated", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-build-isolation", "--no-deps", "--no-index"]
    command = [sys.executable, "-m", "pip", *options, "install", *offline, "--target", str(site), str(source.resolve())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
