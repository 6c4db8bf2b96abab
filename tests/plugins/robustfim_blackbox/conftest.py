"""Fixtures: a local server, and a folder of a user's own."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import pytest

from robustfim.cli import main
from robustfim.record import Record
from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[Request], Reply]], LocalServer]]:
    """Start servers; all are closed in the end. No proxy of the environment stands before them."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    servers: list[LocalServer] = []

    def start(answer: Callable[[Request], Reply]) -> LocalServer:
        servers.append(LocalServer(answer))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@dataclass
class Shown:
    """What a command left behind."""

    code: int
    out: str
    err: str


class Project:
    """A user's folder: files, and ``robustfim`` run in it in this process."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys, self._last = folder, capsys, next(reversed(sys.modules))

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def __call__(self, command: str) -> Shown:
        """Run ``robustfim COMMAND``; its modules are imported anew, as by a new process."""
        self.forget()
        self._capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main(shlex.split(command))
        printed = self._capsys.readouterr()
        assert isinstance(stop.value.code, int)
        assert "Traceback" not in printed.err
        return Shown(stop.value.code, printed.out, printed.err)

    def record(self, name: str = "films") -> Record:
        return Record.load(self.folder / "reports" / name / "results.json")

    def forget(self) -> None:
        """Forget the modules that were imported from the folder."""
        for name in list(takewhile(lambda name: name != self._last, reversed(sys.modules))):
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(self.folder)):
                del sys.modules[name]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Project]:
    """An empty folder, the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a file that is rewritten within a second would be missed
    monkeypatch.setenv("COLUMNS", "100")
    project = Project(tmp_path, capsys)
    yield project
    project.forget()
