"""What is shared of a run names no place of the machine it ran on, and no secret."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from robustfim.record.privacy import private_text, private_value, short_path
from tests.robustfim.command_line import CommandLine


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder, beside which other folders lie."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_a_path_in_the_working_folder_becomes_relative(here: Path) -> None:
    assert short_path(f"{here}/data/test.csv") == "data/test.csv"
    assert private_text(f"no file {here}/data/test.csv.") == "no file data/test.csv."
    assert short_path("data/test.csv") == "data/test.csv"
    assert short_path(str(here)) == "."


def test_a_path_elsewhere_keeps_its_last_part(here: Path) -> None:
    assert short_path(f"{here.parent}/alice/model") == "model"
    assert private_text(f"path={here.parent}/alice/model") == "path=model"
    assert private_text(f"cannot read '{here.parent}/alice/a.csv', nor {Path.home()}/b.csv") == (
        "cannot read 'a.csv', nor b.csv"
    )


def test_a_frame_of_an_installed_module_is_named_as_it_is_imported(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(here.parent / "lib"), str(here.parent / "lib" / "site-packages")])
    line = f'  File "{here.parent}/lib/site-packages/torch/nn/functional.py", line 3, in forward'
    assert private_text(line) == '  File "torch/nn/functional.py", line 3, in forward'


@pytest.mark.parametrize(
    "text",
    [
        "https://host.example/v1/predict is away",
        "positive/negative and/or 1/2",
        "a / b",
        "the pointer /no_such_folder/0/label",
        "tokens=all",
        "~/models/x",
        "",
    ],
)
def test_what_is_no_path_of_this_machine_stays(here: Path, text: str) -> None:
    assert private_text(text) == text
    assert private_value(text) == text


def test_the_value_of_a_secret_variable_is_replaced_by_its_name(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUB_TOKEN", "hf_abcdefghij")
    monkeypatch.setenv("SHORT_KEY", "abc")
    monkeypatch.setenv("EDITOR", "an-editor-of-mine")
    text = "401 for hf_abcdefghij, abc, an-editor-of-mine"
    assert private_text(text) == "401 for $HUB_TOKEN, abc, an-editor-of-mine"


def test_the_value_of_a_secret_key_is_hidden_wherever_it_stands(here: Path) -> None:
    options = {"url": "x", "headers": {"Authorization": "Bearer 1"}, "api_key": "k", "token": None, "tokens": "all"}
    hidden = {"url": "x", "headers": {"Authorization": "…"}, "api_key": "…", "token": None, "tokens": "all"}
    assert private_value({"a": [options]}) == {"a": [hidden]}
    assert private_text("model.token=abc") == "model.token=…"
    assert private_text("the token=abc of nobody") == "the token=abc of nobody"


def test_a_working_folder_with_a_blank_in_its_name_is_taken_out_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "my work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert private_text(f"no file {folder}/data.csv") == "no file data.csv"


def test_numbers_and_nothing_stay_as_they_are(here: Path) -> None:
    assert private_value({"a": 1, "b": 0.5, "c": None, "d": True, "e": []}) == {
        "a": 1, "b": 0.5, "c": None, "d": True, "e": []
    }  # fmt: skip


def test_no_report_of_a_run_names_the_machine_and_the_terminal_still_does(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = robustfim.folder.parent / "elsewhere-of-alice"
    outside.mkdir(exist_ok=True)
    monkeypatch.setenv("MY_API_KEY", "sesame-open-up")
    log = outside / "seen by the model.txt"
    checks = "{x: {perturb: {use: broken, how: raises}}, y: {perturb: rename, limit: 0}}"
    suite = robustfim.suite(checks, model="{use: wordsum, raise_on: sesame-open-up}", rest="reports: [json, html]")
    command = (
        f"run {robustfim.folder / suite} --model 'log={log}' --data 'rows=[[a good film with a dull end, positive]]'"
    )
    shown = robustfim(command)
    assert shown.code == 1
    record = robustfim.record("other")
    assert record.path == suite
    assert record.model.options == {"raise_on": "$MY_API_KEY", "log": log.name}
    assert "toy.py" in record.checks[0].traceback
    assert record.failures[0].reproduce.endswith(
        f"::y --example {record.failures[0].example} --model 'log={log.name}' "
        "--data 'rows=[[a good film with a dull end, positive]]'"
    )
    for report in ("results.json", "report.html"):
        text = (robustfim.folder / "reports" / "other" / report).read_text(encoding="utf-8")
        for private in (str(robustfim.folder), str(outside), str(Path.home()) + "/", "sesame-open-up"):
            assert private not in text, report
    assert f"--model 'log={log}'" in shown.out, "what is on the screen can be run again"


def test_not_a_number_never_reaches_the_file(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{x: {perturb: rename}}", rest="scores: [long]", model="{use: wordsum, nan_on: awful}")
    robustfim(f"run {suite}")
    text = (robustfim.folder / "reports" / "other" / "results.json").read_text(encoding="utf-8")

    def refuse(constant: str) -> None:
        pytest.fail(f"the file holds {constant}")

    data = json.loads(text, parse_constant=refuse)
    assert data["data"]["skipped"] == {"the model gave no finite numbers": 2}


def test_no_reason_and_no_capability_of_a_check_tells_a_secret(robustfim: CommandLine) -> None:
    address = "https://ada:sesame@host/issues/3"
    checks = f"{{x: {{perturb: rename, limit: 0.9, skip: 'see {address}', capability: 'see {address}', type: INV}}, "
    checks += f"y: {{perturb: rename, limit: 0.9, capability: 'see {address}', type: INV}}, "
    checks += f"z: {{perturb: rename, limit: 0, xfail: 'see {address}'}}}}"
    name = robustfim.suite(checks, rest="reports: [json, html, junit, markdown]")
    for command in (f"run {name} -v", f"list {name}", "report reports/other/results.json", f"run {name} --co"):
        shown = robustfim(command)
        assert "sesame" not in shown.out + shown.err, command
    for path in (robustfim.folder / "reports" / "other").iterdir():
        assert b"sesame" not in path.read_bytes(), path.name
