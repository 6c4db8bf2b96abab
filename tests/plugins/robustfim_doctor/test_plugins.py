from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from robustfim.plugin.sources import PluginOptions
from robustfim_doctor.plugins import diagnose_device, diagnose_hub, diagnose_plugins, diagnose_resources

FACE = """\
from robustfim import hookimpl

@hookimpl
def robustfim_offers():
    return {"models": {"far": "a_module_that_is_missing:Model"}}
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Install plugins, as files with entry points, for one test."""
    import sys

    monkeypatch.syspath_prepend(tmp_path)
    made = []

    def plugin(name: str, text: str) -> None:
        module = f"robustfim_test_{name}"
        (tmp_path / f"{module}.py").write_text(text, encoding="utf-8")
        folder = tmp_path / f"{module}-1.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1\n", encoding="utf-8")
        (folder / "entry_points.txt").write_text(f"[robustfim]\n{name} = {module}\n", encoding="utf-8")
        made.append(module)

    yield plugin
    for module in made:
        sys.modules.pop(module, None)


def test_the_plugins_that_ship_with_robustfim_load_with_all_they_offer() -> None:
    found, manager = diagnose_plugins(PluginOptions())
    assert manager is not None
    assert {"files", "fisher", "words"} <= {diagnosis.name for diagnosis in found}
    assert [diagnosis for diagnosis in found if diagnosis.state != "ok"] == []


def test_a_plugin_that_raises_is_a_problem_and_the_others_still_load(install) -> None:  # type: ignore[no-untyped-def]  # a fixture that is a function
    install("torn", "raise RuntimeError('torn')")
    install("bent", "from robustfim import hookimpl\n@hookimpl\ndef robustfim_offer(): ...")
    found, manager = diagnose_plugins(PluginOptions())
    problems = {diagnosis.name: diagnosis for diagnosis in found if diagnosis.state == "problem"}
    assert "RuntimeError: torn" in problems["torn"].message
    assert "Did you mean 'robustfim_offers'?" in problems["bent"].message
    assert problems["torn"].remedy == ("-p no:torn",)
    assert manager is not None
    assert "files" in manager.names


def test_an_offer_whose_body_is_missing_is_a_problem_of_its_plugin(install) -> None:  # type: ignore[no-untyped-def]  # a fixture that is a function
    install("far", FACE)
    found, manager = diagnose_plugins(PluginOptions())
    (problem,) = (diagnosis for diagnosis in found if diagnosis.state == "problem")
    assert problem.name == "far"
    assert "No module named 'a_module_that_is_missing'" in problem.message
    assert manager is not None
    assert "far" in manager.names


def test_a_name_of_two_plugins_is_a_note_that_names_both(install) -> None:  # type: ignore[no-untyped-def]  # a fixture that is a function
    install("twin", FACE.replace("far", "reference/cnn"))
    found, manager = diagnose_plugins(PluginOptions())
    assert manager is not None
    (note,) = (diagnosis for diagnosis in found if diagnosis.name == "together")
    assert note.state == "note"
    assert "model reference/reference/cnn, model twin/reference/cnn" in note.message
    assert manager.get("models", "reference/reference/cnn").owner == "reference"


def test_a_blocked_plugin_is_a_note(install) -> None:  # type: ignore[no-untyped-def]  # a fixture that is a function
    install("torn", "raise RuntimeError('torn')")
    found, manager = diagnose_plugins(PluginOptions(block=("torn",)))
    assert next(diagnosis for diagnosis in found if diagnosis.name == "torn").state == "note"
    assert manager is not None


def test_the_shipped_resources_are_there() -> None:
    manager = diagnose_plugins(PluginOptions())[1]
    assert manager is not None
    found = {resource.name: resource for resource in diagnose_resources(manager)}
    assert {"tagger", "weights"} <= set(found)
    assert found["weights"].state == "ok"


def test_a_hook_that_tells_of_resources_in_another_form_is_a_problem(install) -> None:  # type: ignore[no-untyped-def]  # a fixture that is a function
    install("odd", "from robustfim import hookimpl\n@hookimpl\ndef robustfim_resources(): return {'odd': True}")
    manager = diagnose_plugins(PluginOptions())[1]
    assert manager is not None
    (found,) = diagnose_resources(manager)
    assert found.state == "problem"
    assert "must be ('ok' or 'note' or 'problem', 'a sentence'), not True" in found.message


def test_the_device_tells_the_threads_that_may_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    cpu, accelerator = diagnose_device()
    assert cpu.message.endswith("OMP_NUM_THREADS bounds them to 3")
    assert accelerator.state == "ok"


def test_a_torch_that_cannot_be_imported_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    pytest.importorskip("torch")
    monkeypatch.delitem(sys.modules, "torch")
    (tmp_path / "torch.py").write_text(
        "raise OSError('libcudart.so: cannot open shared object file')", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    accelerator = list(diagnose_device())[1]
    assert accelerator.state == "problem"
    assert "OSError: libcudart.so" in accelerator.message


@pytest.mark.parametrize(("status", "state"), [(200, "ok"), (404, "ok"), (503, "problem")])
def test_the_hub_is_well_when_it_answers(status: int, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Hub(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.send_response(status)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Stay silent."""

    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with HTTPServer(("127.0.0.1", 0), Hub) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        found = diagnose_hub()
        server.shutdown()
        thread.join()
    assert (found.state, str(status) in found.message) == (state, True)


def test_a_hub_that_does_not_answer_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        port = server.server_port
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{port}")
    found = diagnose_hub()
    assert found.state == "problem"
    assert "does not answer" in found.message
    monkeypatch.setenv("HF_ENDPOINT", "ftp://hub")
    assert "begins with http" in diagnose_hub().message
