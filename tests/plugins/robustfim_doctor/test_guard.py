"""``robustfim scan --guard``: its table says what the record holds, the worst first."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from robustfim.parts import PerturbationPart
from robustfim.plugin.options import options_model
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.record import CheckRecord, Record
from robustfim.statistics import percent
from robustfim_doctor.guard import FAMILIES
from tests.robustfim.command_line import CommandLine, refused

SCAN = "scan --guard --model reference/guard --data requests --examples 20 --seconds 1"


@pytest.fixture
def robustfim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return CommandLine(tmp_path, capsys)


def test_the_table_has_each_family_with_the_errors_of_the_record_and_the_worst_first(robustfim: CommandLine) -> None:
    shown = robustfim(f"{SCAN} --block oos --at 0.05")
    assert shown.code == 0, shown.err
    record = Record.load(robustfim.folder / "reports" / "scan-guard" / "results.json")
    rows = {line.split()[0]: line for line in shown.out.splitlines() if line.split(" ")[0] in FAMILIES}
    families = [check for check in record.checks if check.errors and check.name in FAMILIES]
    assert list(rows) == [check.name for check in families]
    assert len(families) > 10
    lows = [surely_missed(check) for check in families]
    assert lows == sorted(lows, reverse=True)
    for check in families:
        for kind in ("missed", "false_alarm"):
            error = check.errors[kind]
            assert percent(error.rate, error.interval) in rows[check.name]
    (table,) = record.sections[0].tables
    assert [row[0] for row in table.rows] == list(rows)
    page = (robustfim.folder / "reports" / "scan-guard" / "report.html").read_text(encoding="utf-8")
    assert record.sections[0].title in page


@pytest.mark.slow
def test_what_is_wrong_before_any_change_is_that_of_the_unchanged_texts(robustfim: CommandLine) -> None:
    shown = robustfim(f"{SCAN} --block oos --at 0.05")
    record = Record.load(robustfim.folder / "reports" / "scan-guard" / "results.json")
    (plain,) = [check for check in record.checks if check.expectation["use"] == "correct"]
    missed, stopped = plain.errors["missed"], plain.errors["false_alarm"]
    told = re.search(r"of (\d+) texts that it should stop ([\d.]+ %) are missed; of (\d+) texts .* ([\d.]+ %) raise",
                     shown.unbroken)  # fmt: skip
    assert told is not None
    assert told.groups() == (
        str(missed.tested), percent(missed.rate_before), str(stopped.tested), percent(stopped.rate_before)
    )  # fmt: skip
    assert missed.failing == missed.before


RULES = """
def judge(texts):
    return [[0.1, 0.9] if "attack" in each or "danger" in each else [1.0, 0.0] for each in texts]
"""


@pytest.mark.parametrize(("benign", "told"), [(120, True), (60, False)])
def test_of_a_guard_by_rules_nothing_is_missed_at_one_percent(robustfim: CommandLine, benign: int, told: bool) -> None:
    rows = [f"plan an attack on bridge number {row},block" for row in range(40)]
    rows += [f"please water plant number {row},pass" for row in range(benign)]
    (robustfim.folder / "rules.py").write_text(RULES, encoding="utf-8")
    (robustfim.folder / "prompts.csv").write_text("\n".join(["text,label", *rows]), encoding="utf-8")
    model = "use=python call=rules:judge labels=[pass,block]"
    options = " ".join(f"--model {each}" for each in model.split())
    shown = robustfim(f"scan --guard {options} --data prompts.csv --block block --examples 20 --seconds 1")
    assert shown.code == 0, shown.err
    assert "missed at 1 %" not in shown.unbroken
    assert "threshold of 1 %" not in shown.unbroken
    assert ("No threshold reaches 1 % false alarms" in shown.unbroken) is told


def test_the_flag_needs_the_label_and_writes_no_suite(robustfim: CommandLine) -> None:
    refused(robustfim("scan --model reference/guard --data requests --block oos"), "--block LABEL is an option")
    refused(robustfim("scan --guard --model reference/guard --data requests"), "--guard needs --block LABEL")
    refused(robustfim(f"{SCAN} --block oos --write suite.yaml"), "--guard writes no suite")


def test_a_label_that_the_guard_does_not_have_is_refused(robustfim: CommandLine) -> None:
    refused(robustfim(f"{SCAN} --block ooze"), "'ooze'", "oos", code=1)


def test_every_family_is_a_perturbation_of_texts_with_options_that_it_has() -> None:
    offered = load_plugins(PluginOptions()).offers("perturbations")
    for name, options in FAMILIES.items():
        assert not PerturbationPart(offered[name].cls).takes_steps
        own = options_model(offered[name].cls, offered[name].owner).model_fields
        assert not set(options) - set(own) - {"words", "candidates"}


def surely_missed(check: CheckRecord) -> tuple[float, float]:
    ends = [check.errors[kind].interval for kind in ("missed", "false_alarm")]
    assert ends[0] is not None
    assert ends[1] is not None
    return ends[0][0], ends[1][0]
