"""``robustfim push``: the datasets library reads what was sent to a hub, which here is a local server."""

from __future__ import annotations

import base64
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from robustfim.result import Run
from tests.robustfim.command_line import CommandLine, refused

constants = pytest.importorskip("huggingface_hub.constants")
pytest.importorskip("pyarrow")

RESULTS = "reports/toy/results.json"


class Hub(ThreadingHTTPServer):
    """As much of the hub as a commit of small files asks for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answers)
        self.created: dict[str, object] = {}
        self.tokens: set[str | None] = set()
        self.files: dict[str, bytes] = {}
        self.commits = 0

    @property
    def private(self) -> bool:
        """Whether nobody else may read it; huggingface_hub says so in two ways, before its version 1 and since."""
        return bool(self.created.get("private", self.created.get("visibility") == "private"))


class Answers(BaseHTTPRequestHandler):
    server: Hub

    def do_GET(self) -> None:
        assert self.path.startswith("/api/datasets/me/failures/tree/main?")
        self.answer([{"type": "file", "path": name, "oid": "1", "size": 1} for name in self.server.files])

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.tokens.add(self.headers["Authorization"])
        host = f"http://127.0.0.1:{self.server.server_port}"
        if self.path == "/api/repos/create":
            self.server.created = json.loads(body)
            answer: object = {"url": f"{host}/datasets/me/failures"}
        elif self.path == "/api/validate-yaml":
            yaml.safe_load(json.loads(body)["content"].split("---")[1])
            answer = {"errors": [], "warnings": []}
        elif self.path == "/api/datasets/me/failures/preupload/main":
            answer = {
                "files": [
                    {**each, "uploadMode": "regular", "shouldIgnore": False} for each in json.loads(body)["files"]
                ]
            }
        else:
            assert self.path == "/api/datasets/me/failures/commit/main"
            for line in map(json.loads, body.splitlines()):
                if line["key"] == "file":
                    self.server.files[line["value"]["path"]] = base64.b64decode(line["value"]["content"])
            self.server.commits += 1
            answer = {"success": True, "commitOid": "1", "commitUrl": f"{host}/datasets/me/failures/commit/1"}
        self.answer(answer)

    def answer(self, value: object) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    server = Hub()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def robustfim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    """A folder with the record of a run."""
    monkeypatch.chdir(tmp_path)
    commands = CommandLine(tmp_path, capsys)
    commands("run toy.yaml")
    return commands


def read(folder: Path, cache: Path) -> list[dict[str, object]]:
    datasets = pytest.importorskip("datasets")
    return list(datasets.load_dataset(str(folder), split="failures", cache_dir=str(cache)))


def test_datasets_reads_the_failing_texts_that_were_pushed(robustfim: CommandLine, hub: Hub, tmp_path: Path) -> None:
    shown = robustfim(f"push {RESULTS} --to me/failures")
    assert shown.code == 0, shown.err
    run = Run.load(RESULTS)
    assert re.search(
        rf"pushed {len(run.failures)} failing texts to http://\S+/datasets/me/failures$", shown.out.strip()
    )
    assert (hub.created["name"], hub.created["type"], hub.private) == ("failures", "dataset", True)
    assert hub.tokens == {"Bearer hf_secret"}
    for name, data in hub.files.items():
        (tmp_path / "clone" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "clone" / name).write_bytes(data)
    rows = read(tmp_path / "clone", tmp_path / "cache")
    assert rows == [{"suite": "toy", "model": "wordsum", **each} for each in run.failures]


def test_a_later_push_replaces_the_table_and_leaves_the_card(robustfim: CommandLine, hub: Hub) -> None:
    hub.files = {"README.md": b"mine", "failures/toy.parquet": b"old"}
    assert robustfim(f"push {RESULTS} --to me/failures --public").code == 0
    assert (hub.commits, hub.files["README.md"], hub.private) == (1, b"mine", False)
    assert hub.files["failures/toy.parquet"].startswith(b"PAR1")


def test_a_folder_holds_the_same_files_and_nothing_is_sent(robustfim: CommandLine, hub: Hub, tmp_path: Path) -> None:
    shown = robustfim("push reports/toy --out failing")
    assert "wrote failing: " in shown.out, shown
    assert hub.tokens == set()
    assert len(read(tmp_path / "failing", tmp_path / "cache")) == len(Run.load(RESULTS).failures)


def test_what_cannot_be_pushed_is_told_in_a_line(robustfim: CommandLine, hub: Hub) -> None:
    refused(robustfim(f"push {RESULTS}"), "--to REPO", "--out FOLDER")
    refused(robustfim(f"push {RESULTS} --to 'no good'"), "no good could not be written")
    Run(Run.load(RESULTS).record.model_copy(update={"failures": []})).report("calm.json")
    refused(robustfim("push calm.json --to me/failures"), "has no failing text")
    assert hub.files == {}
