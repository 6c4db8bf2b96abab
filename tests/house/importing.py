"""What a program imports, found by running it in a fresh interpreter.

``python -X importtime`` would miss whatever comes in by ``importlib.import_module``, as plugins do.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.house.tree import PLUGINS, ROOT

AT_EXIT = """
import atexit, os, sys
atexit.register(lambda: open(os.environ["IMPORTED"], "w").write("\\n".join(sys.modules)))
"""
COMMANDS = """
import runpy
for command in sys.argv[1:]:
    sys.argv = ["robustfim", *command.split()]
    try:
        runpy.run_module("robustfim", run_name="__main__", alter_sys=True)
    except SystemExit as stop:
        assert not stop.code, command
"""


def imported_by_code(code: str, report: Path, *arguments: str) -> set[str]:
    """The modules that are loaded when some code has run.

    Args:
        code: Python.
        report: A file to write, in which the interpreter leaves the names.
        arguments: ``sys.argv`` after its first element.
    """
    path = os.pathsep.join(filter(None, [str(ROOT), str(PLUGINS), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run(
        [sys.executable, "-c", AT_EXIT + code, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "IMPORTED": str(report)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return set(report.read_text(encoding="utf-8").splitlines())


def imported_by_commands(report: Path, *commands: str) -> set[str]:
    """The modules that are loaded when ``robustfim COMMAND`` has run for each of some commands."""
    return imported_by_code(COMMANDS, report, *commands)
