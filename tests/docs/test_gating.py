"""The commands of docs/gating.md, run as printed on a small suite of the same name."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from robustfim.cli import main
from tests.robustfim.command_line import TOY

PAGE = Path(__file__).parents[2] / "docs" / "gating.md"
SUITE = """\
suite: sentiment
plugins: [toy.py]
model: wordsum
data: films
checks:
  rename: {perturb: rename, limit: 0.9}
"""


@pytest.mark.slow
def test_the_commands_of_the_page_work_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "suites").mkdir()
    (tmp_path / "suites/sentiment.yaml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "suites/toy.py").write_text(TOY.read_text(encoding="utf-8"), encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    commands = [line for block in re.findall(r"^```bash\n(.*?)^```", text, re.M | re.S) for line in block.splitlines()]
    assert len(commands) == 9
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment.pop("PYTEST_ADDOPTS", None)
    for command in commands:
        program, *words = shlex.split(command.replace("use=reference/lstm", "use=wordsum"))
        if program == "robustfim":
            with pytest.raises(SystemExit) as stop:
                main(words)
            assert stop.value.code == 0, command
            continue
        assert program == "pytest", command
        pytest_command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
        done = subprocess.run(pytest_command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    assert (tmp_path / "suites/sentiment.lock.json").exists()
