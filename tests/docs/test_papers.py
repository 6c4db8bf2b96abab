"""Every command of docs/papers.md runs, on the few texts in examples/papers, and without a hub."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from robustfim.cli import main
from tests.docs.page import DOCS, Page
from tests.plugins.robustfim_huggingface.conftest import save_model

pytest.importorskip("torch")
PAGE = Page.read("papers.md")
ROWS = [
    (title, *(cell.strip() for cell in line.strip("|").split(" | ")))
    for title, text in PAGE.sections.items()
    for line in text.splitlines()
    if line.startswith("| ") and not line.startswith(("| item", "| ---"))
]
JUDGES = "robustfim (run|cues balance)"
"""The commands whose exit code is a verdict."""
COMMANDS = list(dict.fromkeys(found[1] for row in ROWS if (found := re.fullmatch("`(robustfim .*)`", row[2]))))


def test_every_item_names_its_number_the_paper_s_and_what_differs() -> None:
    assert len(ROWS) == 66
    for row in ROWS:
        assert len(row) == 5
        assert all(row)


def test_an_item_without_a_command_says_so() -> None:
    bare = [row[1] for row in ROWS if "`" not in row[2] and not re.match("missing|cannot run here|the command", row[2])]
    assert not bare


@pytest.mark.slow
def test_every_command_runs_on_the_texts_of_the_example(here: Path) -> None:
    shutil.copytree(DOCS.parent / "examples", here / "examples")
    shutil.copytree(here / "examples" / "papers", here, dirs_exist_ok=True)
    save_model("bert", here / "base", "", seed=1, scale=0.2)
    save_model("bert", here / "choice", "ForMultipleChoice", seed=1, scale=0)
    failed = {}
    for command in COMMANDS:
        with pytest.raises(SystemExit) as stop:
            main(shlex.split(command)[1:])
        if stop.value.code not in ((None, 0, 1, 6) if re.match(JUDGES, command) else (None, 0)):
            failed[command] = stop.value.code
    assert not failed
