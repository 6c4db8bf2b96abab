"""Every example of docs/models.md and its sister pages is run as it is printed, but for the servers' addresses."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from robustfim.record import Record
from robustfim_blackbox import robustfim_offers
from tests.docs.page import Page, perform
from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request, completion, positive
from tests.plugins.robustfim_huggingface.conftest import save_causal

pytest.importorskip("httpx")
pytest.importorskip("sklearn")
pytest.importorskip("transformers")

PAGE = Page.read("models.md")
PAGES = (PAGE, *(Page.read(f"{name}.md") for name in ("endpoints", "language-models")))
SECTIONS = [(page, title) for page in PAGES for title in page.sections]
FILES = {name: text for page, title in SECTIONS for name, text in page.files(title)}
SECRET = "not-in-any-record"  # noqa: S105  # the page's own example


def answered(request: Request) -> Reply:
    """The endpoint of the page, and a chat server without log-probabilities, always sure of itself."""
    if request.path == "/classify":
        rows = [[1 - positive(text), positive(text)] for text in request.body["inputs"]]
        return Reply({"outputs": [{"scores": row} for row in rows]})
    text = request.body["messages"][0]["content"].partition("\n\n")[2]
    return Reply(completion("Favourable." if positive(text) > 0.5 else "Negative."))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalServer]:
    for name in ("HTTP_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    local = LocalServer(answered)
    yield local
    local.close()


@pytest.mark.slow
def test_the_examples_do_what_the_page_shows(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    server: LocalServer,
) -> None:
    for name, text in FILES.items():
        here = re.sub(r"http://127\.0\.0\.1:842\d", server.url, text)
        (tmp_path / name).write_text(here, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    save_causal("gpt2", tmp_path / "tiny", n_positions=96)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setenv("COLUMNS", "200")
    known = set(sys.modules)
    tested: dict[str, list[int]] = {}
    for page, title in SECTIONS:
        for command in page.commands(title):
            words = shlex.split(command.typed)
            if words[0] == "export":
                monkeypatch.setenv(*words[1].split("=", 1))
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
    assert set(tested) == suites - {"elsewhere"}, "whose answers a reader gives"
    assert all(counts and min(counts) >= 10 for counts in tested.values())


def test_every_model_of_the_plugin_is_in_the_first_table() -> None:
    names = {line.split("`")[1] for line in PAGE.sections[""].splitlines() if line.startswith("| `")}
    table = {name for name in names if "/" not in name}  # the others are of other plugins
    assert table == {name for name in robustfim_offers()["models"] if "/" not in name}  # one takes a script's object
