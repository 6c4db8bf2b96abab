"""Every example of docs/chat.md is run as it is printed, but for the port of its server."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from robustfim.record import Record
from tests.docs.page import Page, perform

pytest.importorskip("httpx")

PAGE = Page.read("chat.md")


def test_the_examples_do_what_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("HTTP_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "300")
    PAGE.write_files()
    own: dict[str, Any] = {}
    exec(Path("server.py").read_text(), own)  # noqa: S102  # the page's own server
    with own["serve"](0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        here = f"127.0.0.1:{server.server_port}"
        for path in tmp_path.glob("*.yaml"):
            path.write_text(path.read_text().replace("127.0.0.1:8424", here))
        for title in PAGE.sections:
            for command in PAGE.commands(title):
                if not command.typed.endswith("&"):
                    shown = perform(command.typed.replace("127.0.0.1:8424", here), capsys)
                    command.check(shown.replace(here, "127.0.0.1:8424"))
        server.shutdown()
        thread.join()
    record = Record.load(Path("reports/rewritten/results.json"))
    assert [check.tested > 0 for check in record.checks] == [True, True]
