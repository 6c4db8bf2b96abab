"""Every example of docs/chat.md is run as it is printed, against a chat server that answers by fixed rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from robustfim.record import Record
from tests.docs.page import Page, perform
from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request, completion

pytest.importorskip("httpx")

PAGE = Page.read("chat.md")
WORDS = {"and": "an'", "you": "ya", "going": "goin'", "them": "'em", "was": "were"}


def answered(request: Request) -> Reply:
    """The answers of a chat server that judges and rewrites by fixed rules."""
    prompt = request.body["messages"][-1]["content"]
    if "Text B" in prompt:
        said = completion("no" if "were" in prompt.rpartition("Text B")[2] else "yes")
        return Reply(said | {"usage": {"prompt_tokens": 1, "completion_tokens": 1}})
    text = re.findall(r"(?:Text|Sentence): (.*)", prompt)[0]
    new = re.sub(r"\w+", lambda word: WORDS.get(word[0], word[0]), text)
    usage = {"prompt_tokens": len(prompt.split()), "completion_tokens": len(new.split())}
    return Reply(completion(new if "Instruction" in prompt else f"{new} @k3vra") | {"usage": usage})


def test_the_examples_do_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("HTTP_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    PAGE.write_files()
    server = LocalServer(answered)
    here = server.url.removeprefix("http://")
    for path in tmp_path.glob("*.yaml"):
        path.write_text(path.read_text().replace("127.0.0.1:8424", here))
    for title in PAGE.sections:
        for command in PAGE.commands(title):
            shown = perform(command.typed.replace("127.0.0.1:8424", here), capsys)
            command.check(shown.replace(here, "127.0.0.1:8424"))
    server.close()
    record = Record.load(Path("reports/rewritten/results.json"))
    assert [check.tested > 0 for check in record.checks] == [True, True]
