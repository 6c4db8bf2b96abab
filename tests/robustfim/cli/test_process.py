"""The beginning of the command line's process; its end is tested with what ends it."""

from __future__ import annotations

import subprocess
import sys

import pytest

INTERRUPTED = """
import sys
class Ctrl_C:
    def find_spec(self, name, path, target=None):
        if name == sys.argv[1]:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Ctrl_C())
from robustfim.cli import main
main(["--help"])
"""


@pytest.mark.parametrize("imported", ["click", "robustfim.errors", "robustfim.cli.command_line"])
def test_ctrl_c_while_the_command_line_is_imported_is_an_interruption(imported: str) -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, imported], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "interrupted\n")
