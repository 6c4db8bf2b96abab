from __future__ import annotations

from typing import Any

import pytest

from robustfim.blame import blame, part_name, told
from robustfim.errors import DataError, ModelError, PluginError, SkipCheck
from tests.robustfim.command_line import CommandLine

QUITS = '''
"""Every part of it leaves the process, as if all were well."""

import sys

from robustfim import hookimpl
from robustfim.contract import ScoreContract


class Quits:
    if "{kind}" == "models":
        labels, fingerprint = ("negative", "positive"), "x"
    if "{kind}" == "scorers":
        contract = ScoreContract(hardest="highest")

    def _quit(self, *given, **named):
        sys.exit(0)

    {method} = _quit


@hookimpl
def robustfim_offers():
    return {{"{kind}": {{"quits": Quits}}}}
'''

SUITE = """
suite: s
plugins: [toy.py, quits.py]
model: {models}
data: {data}
scores: [{scorers}]
checks: {{one: {{perturb: {perturbations}, constrain: [{constraints}], expect: {expectations}}}}}
reports: [json, {reports}]
"""

PARTS = {
    "models": "wordsum", "data": "films", "scorers": "", "perturbations": "rename", "constraints": "",
    "expectations": "invariant", "reports": "",
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "method", "who"),
    [
        ("models", "predict", "plugin 'quits', model 'quits' (Quits) raised SystemExit: 0"),
        ("data", "load", "plugin 'quits', data source 'quits' (Quits) raised SystemExit: 0"),
        ("scorers", "score", "plugin 'quits', score 'quits' (Quits) raised SystemExit: 0"),
        ("perturbations", "edits", "plugin 'quits', perturbation 'quits' (Quits) raised SystemExit: 0"),
        ("perturbations", "propose", "plugin 'quits', perturbation 'quits' (Quits) raised SystemExit: 0"),
        ("constraints", "reject", "plugin 'quits', constraint 'quits' (Quits) raised SystemExit: 0"),
        ("expectations", "judge", "plugin 'quits', expectation 'quits' (Quits) raised SystemExit: 0"),
        ("reports", "write", "plugin 'quits', report 'quits' (Quits) raised SystemExit: 0"),
        ("perturbations", "__init__", "plugin 'quits': Quits raised SystemExit: 0"),
    ],
)
def test_a_part_that_calls_exit_is_an_error_of_its_plugin_and_the_run_has_its_record(
    robustfim: CommandLine, kind: str, method: str, who: str
) -> None:
    robustfim.write("quits.py", QUITS.format(kind=kind, method=method))
    robustfim.write("s.yaml", SUITE.format(**{**PARTS, kind: "quits"}))
    shown = robustfim("run s.yaml")
    assert shown.code == (4 if method == "__init__" else 1)
    assert who in shown.out + shown.err
    if method != "__init__":  # the suite cannot be collected
        assert (robustfim.folder / "reports" / "s" / "results.json").exists()
        assert kind == "reports" or robustfim.record("s").exit_code == 1


@pytest.mark.parametrize(
    "name",
    [
        "robustfim_run_start", "robustfim_selection_finish", "robustfim_check_start", "robustfim_check_finish",
        "robustfim_sections", "robustfim_run_finish", "robustfim_session_finish", "robustfim_terminal_summary",
    ],
)  # fmt: skip
def test_a_hook_that_calls_exit_is_an_error_of_its_plugin_and_the_run_has_its_record(
    robustfim: CommandLine, name: str
) -> None:
    robustfim.write("quits.py", f"import robustfim\n\n@robustfim.hookimpl\ndef {name}():\n    raise SystemExit(0)\n")
    shown = robustfim("run toy.yaml -p quits.py")
    assert shown.code == 1
    assert f"plugin 'quits': {name} raised SystemExit: 0" in shown.out + shown.err
    assert (robustfim.folder / "reports" / "toy" / "results.json").exists()


@pytest.mark.parametrize("error", [SystemExit(0), BaseException("odd")])
@pytest.mark.parametrize(
    ("command", "place"),
    [("run toy.yaml", "robustfim.session.session.stages"), ("plugins", "robustfim.commands.Chosen.manager")],
)
def test_whatever_leaves_where_no_plugin_is_at_work_is_an_error_all_the_same(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch, error: BaseException, command: str, place: str
) -> None:
    def leave(*_: object) -> None:
        raise error

    monkeypatch.setattr(place, leave)
    shown = robustfim(command)
    assert shown.code == 1
    assert f"raised {told(error)}" in shown.err + shown.out
    if command == "run toy.yaml":
        assert {check.outcome.value for check in robustfim.record().checks} == {"error"}


@pytest.mark.parametrize("source", ["raise SystemExit(0)", "import sys\nsys.exit()"])
def test_a_plugin_file_that_calls_exit_is_told_with_its_name(robustfim: CommandLine, source: str) -> None:
    robustfim.write("quits.py", source)
    shown = robustfim("run toy.yaml -p quits.py")
    assert shown.code == 4
    assert "plugin file quits.py cannot be run: SystemExit" in shown.err


@pytest.mark.parametrize("error", [SkipCheck("no words"), DataError("no rows"), KeyboardInterrupt(), GeneratorExit()])
def test_our_own_errors_and_the_users_wish_pass(error: BaseException) -> None:
    with pytest.raises(type(error)) as caught, blame("plugin 'x'"):
        raise error
    assert caught.value is error


@pytest.mark.parametrize(
    "error", [ValueError("no"), SystemExit(3), StopIteration(), BaseException("odd"), MemoryError()]
)
def test_anything_else_names_who_did_it_and_has_its_cause(error: BaseException) -> None:
    with pytest.raises(ModelError) as caught, blame("the model", ModelError):
        raise error
    assert caught.value.__cause__ is error
    assert str(caught.value) == f"the model raised {type(error).__name__}: {error}"


def test_an_exception_that_cannot_be_written_is_told_all_the_same() -> None:
    class Mute(Exception):
        def __str__(self) -> Any:
            raise RuntimeError("no words")

    assert told(Mute()) == "Mute: (its message cannot be read)"
    with (
        pytest.raises(PluginError, match="plugin 'x' cannot be imported: Mute"),
        blame("plugin 'x'", did="cannot be imported:"),
    ):
        raise Mute


def test_a_part_is_named_with_its_plugin_where_it_has_one() -> None:
    assert part_name("words", "perturbation", "typos", object()) == "plugin 'words', perturbation 'typos' (object)"
    assert part_name("", "model", "mine", object()) == "model 'mine' (object)"
