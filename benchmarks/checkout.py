"""A benchmark's own file, run with the packages of another checkout."""

from __future__ import annotations

import json
import os
import subprocess  # the file runs in another checkout
import sys
from pathlib import Path
from typing import Any

__all__ = ["in_checkout"]


def in_checkout(tree: Path, file: str, *arguments: str, read: object = None) -> Any:
    """Run a file in a process of its own, which finds the packages of another checkout.

    Args:
        tree: The checkout; it need not know this module, so that the file imports it late.
        file: The file.
        arguments: What it is called with.
        read: What it reads from its standard input, as JSON.

    Returns:
        What the last line that it prints says, as JSON.

    Raises:
        subprocess.CalledProcessError: It failed.
    """
    tree = tree.resolve()
    done = subprocess.run(
        [sys.executable, file, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (tree / "plugins", tree)))},
        cwd=tree, check=True, capture_output=True, text=True, input=json.dumps(read),
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])
