"""The suite of examples/chat runs against the server beside it."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from threading import Thread

import pytest

from tests.robustfim.command_line import CommandLine

CHAT = Path(__file__).parents[2] / "examples" / "chat"


def test_the_suite_tests_the_chat_model_of_the_server_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("httpx")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(CHAT, tmp_path / "examples" / "chat")
    spec = importlib.util.spec_from_file_location("chat_server", CHAT / "server.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    robustfim = CommandLine(tmp_path, capsys)
    with module.serve(0) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/v1"
        shown = robustfim(f"run examples/chat/chat.yaml --model url={url} --data limit=12 --no-store")
        server.shutdown()
        thread.join()
    assert shown.code in (0, 1, 6), shown
    record = robustfim.record("chat")
    assert not record.message
    assert record.model_calls > 12
    assert record.model.accuracy.rate is not None
    assert record.model.accuracy.rate > 0.6
    assert {check.name for check in record.checks if check.tested} >= {"typos", "neutral_sentence"}
    assert all(0 < share < 1 for example in record.examples for share in example.probabilities or ())
