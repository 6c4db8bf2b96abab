"""Runs a file of a benchmark with the packages of another checkout."""

from __future__ import annotations

import json
import os
import subprocess  # the file runs in another checkout
import sys
from pathlib import Path
from typing import Any

__all__ = ["in_checkout"]


def in_checkout(tree: Path, file: str, *arguments: str, read: object = None) -> Any:
    """Run a Python file in a new process that imports the packages of another checkout.

    Args:
        tree: The folder of the checkout. This module may be missing there, so the file must import it late.
        file: The Python file.
        arguments: The command-line arguments of the file.
        read: An object that is passed to the file's standard input as JSON.

    Returns:
        The last line of the output, parsed as JSON.

    Raises:
        subprocess.CalledProcessError: The process failed.
    """
    tree = tree.resolve()
    done = subprocess.run(
        [sys.executable, file, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (tree / "plugins", tree)))},
        cwd=tree, check=True, capture_output=True, text=True, input=json.dumps(read),
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1])
