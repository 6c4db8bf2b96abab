"""From a file and the command line to a session."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from robustfim.commands import Chosen
from robustfim.errors import SuiteError, UsageError
from robustfim.plugin.sources import PluginOptions
from robustfim.run_options import RunOptions
from robustfim.session.open import open_session, open_sessions
from tests.robustfim.command_line import CommandLine, refused


def test_another_model_drops_the_suites_own_options_and_an_option_alone_keeps_them(robustfim: CommandLine) -> None:
    suite = Path(robustfim.suite("{x: {perturb: rename}}", model="{use: wordsum, nan_on: great}"))
    kept = open_session(Chosen(model=("batch_size=3",)).suite(suite)).config.suite.model
    assert (kept.use, kept.options) == ("wordsum", {"nan_on": "great", "batch_size": 3})
    dropped = open_session(Chosen(model=("batch_size=3", "use=wordsum")).suite(suite)).config.suite.model
    assert (dropped.use, dropped.options) == ("wordsum", {"batch_size": 3})


def test_values_are_yaml_and_dots_go_down(robustfim: CommandLine) -> None:
    chosen = Chosen(
        override=("checks.both.perturb.words=0.5", "scores=[long]", "checks.calm.marks=[a, b]"),
        data=("rows=[[a good film, positive]]",),
    )
    session = open_session(chosen.suite(Path("toy.yaml")))
    suite = session.config.suite
    assert (suite.checks["both"].perturb.words, [use.use for use in suite.scores]) == (0.5, ["long"])
    assert suite.checks["calm"].marks == ["a", "b"]
    assert suite.data is not None
    assert suite.data.options == {"rows": [["a good film", "positive"]]}


def test_a_wrong_value_is_told_as_the_option_and_a_wrong_file_with_its_line(robustfim: CommandLine) -> None:
    with pytest.raises(UsageError, match=r"^-o checks\.both\.limit=7: checks\.both\.limit: 7 is not a rate") as raised:
        open_session(Chosen(override=("checks.both.limit=7",)).suite(Path("toy.yaml")))
    assert not isinstance(raised.value, SuiteError)
    robustfim.write("wrong.yaml", Path("toy.yaml").read_text(encoding="utf-8").replace("limit: 0.5", "limit: 7"))
    with pytest.raises(SuiteError, match=r"^wrong\.yaml:6: checks\.rename\.limit: 7 is not a rate"):
        open_session(Path("wrong.yaml"))


def test_a_report_to_a_file_replaces_the_suites_own(robustfim: CommandLine) -> None:
    (session,) = open_sessions(Path("toy.yaml"), reports={"--json": ("json", Path("one.json"))})
    uses = {use.use: use.options for use in session.config.suite.reports}
    assert uses == {"html": {}, "json": {"path": "one.json"}}


def test_a_suite_that_lists_no_reports_has_the_pages_and_the_record(robustfim: CommandLine) -> None:
    assert sorted(open_session(Path("toy.yaml")).collection.reports) == ["html", "json"]
    blocked = open_session(Path("toy.yaml"), plugins=PluginOptions.parse(["no:html"]))
    assert list(blocked.collection.reports) == ["json"]
    robustfim.write("none.yaml", Path("toy.yaml").read_text(encoding="utf-8") + "reports: []\n")
    assert list(open_session(Path("none.yaml")).collection.reports) == []


def test_a_path_of_the_command_line_starts_from_here_and_one_of_the_suite_from_its_folder(
    robustfim: CommandLine,
) -> None:
    robustfim.write("deep/toy.py", Path("toy.py").read_text(encoding="utf-8"))
    text = Path("toy.yaml").read_text(encoding="utf-8").replace("wordsum", "{use: wordsum, log: seen.txt}")
    robustfim.write("deep/toy.yaml", text)
    model = open_session(Path("deep/toy.yaml")).collection.model
    assert getattr(model, "log") == Path("deep/seen.txt").absolute()  # noqa: B009  # no such attribute of the role
    model = open_session(Chosen(model=("log=seen.txt",)).suite(Path("deep/toy.yaml"))).collection.model
    assert getattr(model, "log") == Path("seen.txt").absolute()  # noqa: B009  # no such attribute of the role


def test_offline_is_said_to_the_libraries_that_fetch(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "0")
    open_session(Path("toy.yaml"))
    assert os.environ["HF_HUB_OFFLINE"] == "0"
    open_session(Path("toy.yaml"), options=RunOptions(offline=True))
    assert (os.environ["HF_HUB_OFFLINE"], os.environ["HF_DATASETS_OFFLINE"]) == ("1", "1")


def test_plugins_of_the_command_line_come_before_those_of_the_suite(robustfim: CommandLine) -> None:
    robustfim.write("extra.py", Path("toy.py").read_text(encoding="utf-8").split("@hookimpl")[0] + (
        "@hookimpl\ndef robustfim_offers():\n    return {'perturbations': {'again': Rename}}\n"
    ))  # fmt: skip
    chosen = Chosen(plugins=("extra.py",), override=("checks.calm.perturb.use=again",))
    session = open_session(chosen.suite(Path("toy.yaml")), plugins=chosen.plugin_options)
    assert {"extra", "toy"} <= set(session.config.plugins)
    assert session.collection.checks[2].perturbation.owner == "extra"


def test_mistakes_of_form_and_of_names_are_told_together(robustfim: CommandLine) -> None:
    robustfim.write(
        "wrong.yaml",
        "suite: wrong\nplugins: [toy.py]\nmodel: wordsun\ndata: {use: films, pth: x}\nsed: 1\nchecks:\n"
        "  a: {perturb: renam, limit: 7}\n  b: {perturb: rename, constrain: [nothing], expect: invariand}\n",
    )
    shown = robustfim("run wrong.yaml")
    assert shown.code == 4
    lines = shown.err.splitlines()
    assert [line.split(":")[1:3] for line in lines] == [[" wrong.yaml", str(n)] for n in (3, 4, 5, 7, 7, 8, 8)]
    assert "unknown model 'wordsun'. Did you mean 'wordsum'?" in lines[0]
    assert "unknown key 'sed'" in lines[2]


@pytest.mark.parametrize("command", ["lock two.yaml", "plan two.yaml", "run two.yaml --shard 1/2 --store part.sqlite"])
def test_what_asks_one_model_refuses_several_until_one_is_named(robustfim: CommandLine, command: str) -> None:
    toy = Path("toy.yaml").read_text(encoding="utf-8")
    robustfim.write("two.yaml", toy.replace("model: wordsum", "models: [wordsum, {use: wordsum, batch_size: 2}]"))
    refused(
        robustfim(command), "two.yaml names several models, wordsum, wordsum, and one is asked here", "--model NAME"
    )
    assert robustfim(f"{command} --model wordsum").code == 0
    assert robustfim("list two.yaml").out == robustfim("list toy.yaml").out.replace("toy.yaml", "two.yaml")
