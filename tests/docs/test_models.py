"""Every example of docs/models.md and its sister pages is run as it is printed, but for the ports of servers."""

from __future__ import annotations

import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from robustfim.record import Record
from robustfim_blackbox import robustfim_offers
from tests.docs.page import Page, perform
from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request, completion, positive
from tests.waiting import until

pytest.importorskip("httpx")
pytest.importorskip("sklearn")
pytest.importorskip("transformers")

PAGE = Page.read("models.md")
PAGES = (PAGE, *(Page.read(f"{name}.md") for name in ("model-files", "endpoints", "language-models")))
SECTIONS = [(page, title) for page in PAGES for title in page.sections]
FILES = {name: text for page, title in SECTIONS for name, text in page.files(title)}
SECRET = "not-in-any-record"  # noqa: S105  # the page's own example


def by_votes(request: Request) -> Reply:
    """A chat server without log-probabilities, always sure of itself."""
    text = request.body["messages"][0]["content"].partition("\n\n")[2]
    return Reply(completion("Favourable." if positive(text) > 0.5 else "Negative."))


@pytest.fixture
def chat(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalServer]:
    for name in ("HTTP_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    server = LocalServer(by_votes)
    yield server
    server.close()


@pytest.fixture
def background() -> Iterator[list[subprocess.Popen[bytes]]]:
    """The processes that the page starts with ``&``; they are killed in the end."""
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for process in started:
        process.kill()
        process.wait()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_for(port: int) -> None:
    """Wait until the server of the page has started."""

    def open_port() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    until(open_port)


@pytest.mark.slow
def test_the_examples_do_what_the_page_shows(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    chat: LocalServer,
    background: list[subprocess.Popen[bytes]],
) -> None:
    port = free_port()
    for name, text in FILES.items():
        here = text.replace("127.0.0.1:8422", chat.url.removeprefix("http://")).replace("8421", str(port))
        (tmp_path / name).write_text(here, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setenv("COLUMNS", "200")
    known = set(sys.modules)
    tested: dict[str, list[int]] = {}
    for page, title in SECTIONS:
        for command in page.commands(title):
            words = shlex.split(command.typed)
            if words[0] == "export":
                monkeypatch.setenv(*words[1].split("=", 1))
            elif words[-1] == "&":
                program = [sys.executable, *words[1:-1]]
                background.append(subprocess.Popen(program, stderr=subprocess.DEVNULL))
                wait_for(port)
            else:
                command.check(perform(command.typed, capsys))
            for path in (tmp_path / "reports").glob("*/results.json"):
                record = Record.load(path)
                tested[record.suite] = [check.candidates.tested for check in record.checks]
                assert SECRET not in path.read_text(encoding="utf-8")
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]
    suites = {name.removesuffix(".yaml") for name in FILES if name.endswith(".yaml")}
    assert set(tested) == suites
    assert all(counts and min(counts) >= 10 for counts in tested.values())


def test_every_model_of_the_plugin_is_in_the_first_table_and_in_an_example() -> None:
    names = {line.split("`")[1] for line in PAGE.sections[""].splitlines() if line.startswith("| `")}
    table = {name for name in names if "/" not in name}  # the others are of other plugins
    assert table == {name for name in robustfim_offers()["models"] if "/" not in name}  # one takes a script's object
    commands = "\n".join(command.typed for page, title in SECTIONS for command in page.commands(title))
    used = "".join(FILES.values()) + commands
    assert all(
        f"use: {name}" in used or f"use={name}" in used for name in table - {"windows"}
    )  # its suite is in decisions.md
