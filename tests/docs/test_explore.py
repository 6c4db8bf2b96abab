"""docs/explore.md: its command serves until Ctrl-C, its keys are those of the page, its options exist."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from importlib import resources
from pathlib import Path

import httpx
import pytest

from robustfim_explore.command import command
from robustfim_explore.gate import HEADER
from tests.docs.page import DOCS
from tests.plugins.robustfim_explore.conftest import ran

__all__ = ["ran"]

TEXT = (DOCS / "explore.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_command_serves_until_ctrl_c_and_keeps_what_was_reviewed(ran: Path, tmp_path: Path) -> None:
    assert "robustfim explore reports/sentiment\n" in TEXT
    began = [sys.executable, "-m", "robustfim", "explore", "reports/toy", "--no-model", "--review"]
    with subprocess.Popen([*began, str(tmp_path / "r.json")], cwd=ran, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            link = next(line for line in running.stdout if "token=" in line).strip()
            client = httpx.Client(base_url=link.partition("/?")[0], headers={HEADER: "1"}, timeout=60)
            assert client.get(link).status_code == 200
            told = client.get("/api/state").json()
            assert told["state"] == "off"
            assert client.post("/api/review", json={"failure": told["next"], "answer": "valid"}).status_code == 200
            running.send_signal(signal.SIGINT)
            assert running.wait(60) == 0
            assert "ended; what was reviewed is in" in running.stdout.read()
        finally:
            running.kill()
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["answers"][0]["answer"] == "valid"


def test_the_keys_and_the_options_are_those_that_there_are() -> None:
    script = (resources.files("robustfim_explore") / "template" / "explore.js").read_text(encoding="utf-8")
    keys = set(re.findall(r'\["(\w)", "', script))
    assert keys == {"e", "v", "n", "u", "b", "g"} <= set(re.findall(r"`(\w)`", TEXT))
    named = set(re.findall(r"^\| `(--[a-z-]+)|, `(--[a-z-]+)", TEXT, re.M))
    options = {spelling for param in command.params for spelling in param.opts}
    assert {each for pair in named for each in pair if each} <= options


def test_its_pictures_are_there_and_small() -> None:
    named = re.findall(r"\((pictures/[\w-]+\.png)\)", TEXT)
    assert named == ["pictures/explore-text.png"]
    for each in named:
        assert 5_000 < (DOCS / each).stat().st_size < 250_000
