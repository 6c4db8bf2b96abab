"""Fetching from a hub: a real server on this machine, asked by the real client in a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

pytest.importorskip("huggingface_hub")

COMMIT = "0123456789abcdef0123456789abcdef01234567"

ASK = """
import json, sys
from robustfim import RobustfimError
from robustfim_huggingface.classifier.model import SequenceClassifier

answers = []
for path, options in json.loads(sys.argv[1]):
    try:
        model = SequenceClassifier(path, **options)
        answer = {"labels": model.labels, "fingerprint": model.fingerprint, "folder": str(model._checkpoint.folder)}
    except RobustfimError as error:
        answer = {"error": type(error).__name__, "message": str(error)}
    answers.append(answer)
answers.append(sorted({"torch", "transformers"} & set(sys.modules)))
print(json.dumps(answers))
"""


class Hub(BaseHTTPRequestHandler):
    """The part of the hub's protocol that a download needs."""

    models: Path

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def log_message(self, format: str, *args: Any) -> None:
        """Stay quiet."""

    def _answer(self, *, body: bool) -> None:
        parts = self.path.partition("?")[0].strip("/").split("/")
        listing = parts[:2] == ["api", "models"]
        name, rest = "/".join(parts[2:4] if listing else parts[:2]), parts[4 if listing else 2 :]
        folder = self.models / name
        if name == "owner/gated":
            self._send(403, b"", {"X-Error-Code": "GatedRepo"}, body=body)
        elif not folder.is_dir():
            self._send(404, b"", {"X-Error-Code": "RepoNotFound"}, body=body)
        elif len(rest) > 1 and rest[1] not in ("main", COMMIT):
            self._send(404, b"", {"X-Error-Code": "RevisionNotFound"}, body=body)
        elif listing:
            files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
            names = [file.relative_to(folder).as_posix() for file in files]
            found: Any = {"id": name, "sha": COMMIT, "siblings": [{"rfilename": each} for each in names]}
            if rest[:1] == ["tree"]:
                sizes = [file.stat().st_size for file in files]
                found = [
                    {"type": "file", "path": path, "size": size, "oid": f"{path}-{size}"}
                    for path, size in zip(names, sizes, strict=True)
                ]
            self._send(200, json.dumps(found).encode(), {"Content-Type": "application/json"}, body=body)
        else:
            contents = folder.joinpath(*rest[2:]).read_bytes()
            self._send(200, contents, {"ETag": f'"{"-".join(rest[2:])}"', "X-Repo-Commit": COMMIT}, body=body)

    def _send(self, status: int, contents: bytes, headers: dict[str, str], *, body: bool) -> None:
        self.send_response(status)
        for key, value in {**headers, "Content-Length": str(len(contents))}.items():
            self.send_header(key, value)
        self.end_headers()
        if body:
            self.wfile.write(contents)


@pytest.fixture(scope="module")
def hub(folders: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a model, one with pickled weights only, and a gated one; return the server's address."""
    models = tmp_path_factory.mktemp("hub")
    shutil.copytree(folders("bert"), models / "owner" / "bert")
    (models / "owner" / "bert" / "training_args.bin").write_bytes(b"pickle")
    (models / "owner" / "bert" / "onnx").mkdir()
    (models / "owner" / "bert" / "onnx" / "config.json").write_text("{}", encoding="utf-8")
    shutil.copytree(folders("bert"), models / "owner" / "pickled")
    (models / "owner" / "pickled" / "model.safetensors").rename(models / "owner" / "pickled" / "pytorch_model.bin")
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("ServedHub", (Hub,), {"models": models}))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def ask(endpoint: str, home: Path, *models: tuple[str, dict[str, Any]], **environment: str) -> Any:
    """Ask for models in a fresh process with a cache of its own; also tell which heavy modules it imported."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("HF_", "TRANSFORMERS_"))}
    environment = {
        **clean,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "HF_ENDPOINT": endpoint,
        "HF_HOME": str(home),
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "-c", ASK, json.dumps(models)], capture_output=True, text=True, env=environment, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow  # three processes
def test_a_hub_model_is_fetched_once_and_found_again_offline(hub: str, tmp_path: Path) -> None:
    first, heavy = ask(hub, tmp_path, ("owner/bert", {}))
    assert first["labels"] == ["negative", "positive", "neutral"]
    assert heavy == [], "labels and fingerprint need no torch"
    names = {path.relative_to(first["folder"]).as_posix() for path in Path(first["folder"]).rglob("*")}
    assert names == {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}

    closed = "http://127.0.0.1:9"
    by_option, other, _ = ask(closed, tmp_path, ("owner/bert", {"offline": True}), ("owner/else", {"offline": True}))
    assert by_option == first
    assert other["error"] == "UsageError"
    assert "no folder owner/else, and no hub model of that name could be fetched (offline)" in other["message"]
    by_environment, _ = ask(closed, tmp_path, ("owner/bert", {}), HF_HUB_OFFLINE="1")
    assert by_environment == first


def test_the_fingerprint_of_a_hub_model_is_of_its_commit_and_its_options(hub: str, tmp_path: Path) -> None:
    main, commit, longer, _ = ask(
        hub,
        tmp_path,
        *[("owner/bert", options) for options in ({}, {"revision": COMMIT}, {"max_length": 9})],
    )
    assert main["fingerprint"] == commit["fingerprint"] != longer["fingerprint"]


def test_what_the_hub_refuses_is_told_with_the_way_out(hub: str, tmp_path: Path) -> None:
    missing, gated, revision, pickled, impossible, _ = ask(
        hub,
        tmp_path,
        ("owner/missing", {}),
        ("owner/gated", {}),
        ("owner/bert", {"revision": "v9"}),
        ("owner/pickled", {}),
        ("models/my/bert", {}),
    )
    assert missing["error"] == "UsageError"
    assert "no folder owner/missing, and no hub model of that name could be fetched" in missing["message"]
    assert gated["error"] == "ModelError"
    assert "accepted its terms" in gated["message"]
    assert "HF_TOKEN" in gated["message"]
    assert revision["error"] == "UsageError"
    assert "no revision='v9'" in revision["message"]
    assert pickled["error"] == "ModelError"
    assert "no model.safetensors" in pickled["message"]
    assert impossible["error"] == "UsageError"
    assert "no folder models/my/bert" in impossible["message"]


def test_a_hub_that_cannot_be_reached_is_told_with_the_reason(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    answer, _ = ask("http://127.0.0.1:9", tmp_path, ("owner/bert", {}))
    assert answer["error"] == "ModelError"
    assert "no folder owner/bert, and fetching the hub model failed: " in answer["message"]
    assert "refused" in answer["message"]
    assert "Check the connection" in answer["message"]
