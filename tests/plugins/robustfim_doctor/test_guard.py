"""``robustfim scan --guard``: its table says what the record holds, the worst first."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

import pytest
import yaml

from robustfim.parts import PerturbationPart
from robustfim.plugin.options import options_model
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.record import CheckRecord, Record
from robustfim.statistics import percent
from robustfim_doctor import guard
from robustfim_doctor.guard import FAMILIES, family_of
from tests.robustfim.command_line import CommandLine, refused

FEW = {
    name: {**FAMILIES[name], "kinds": FAMILIES[name]["kinds"][:2]}
    for name in ("alphabets", "case", "encodings", "markup")
} | {"typos": FAMILIES["typos"]}
"""Few families, so that a scan of them is quick."""
SCAN = "scan --guard --model reference/guard --data requests --examples 20 --seconds 300"


@pytest.fixture
def robustfim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(guard, "FAMILIES", FEW)
    return CommandLine(tmp_path, capsys)


def test_the_table_has_each_family_with_the_errors_of_the_record_and_the_worst_first(robustfim: CommandLine) -> None:
    shown = robustfim(f"{SCAN} --block oos --at 0.05")
    assert shown.code == 0, shown.err
    record = Record.load(robustfim.folder / "reports" / "scan-guard-requests" / "results.json")
    kinds = [check for check in record.checks if check.errors and family_of(check.name) in FAMILIES]
    table, texts = record.sections[0].tables
    assert [row[0] for row in table.rows] == [check.name for check in kinds]
    assert len({family_of(check.name) for check in kinds}) == len(FEW)
    assert [name for name, _ in groupby(map(family_of, (kind.name for kind in kinds)))] == list(
        dict.fromkeys(family_of(check.name) for check in kinds)
    ), "the kinds of a family stand together"
    firsts = [surely_missed(next(group)) for _, group in groupby(kinds, key=lambda kind: family_of(kind.name))]
    assert firsts == sorted(firsts, reverse=True)
    for check, row in zip(kinds, table.rows, strict=True):
        for place, kind in ((1, "missed"), (2, "false_alarm")):
            error = check.errors.get(kind)
            if error is None:
                assert row[place] == "–"
                continue
            assert error.interval is not None
            low, high = (f"{100 * end:.0f}" for end in error.interval)
            assert error.rate is not None
            assert error.rate_before is not None
            assert row[place] == f"{100 * error.rate_before:.0f} → {100 * error.rate:.0f} [{low}, {high}]"
    assert "alphabets.fullwidth" in [check.name for check in kinds]
    assert len(texts.rows) == len({family for family, _ in texts.rows})
    for family, text in texts.rows:
        assert f"{family} " in shown.out
        assert text[:20] in shown.out
    page = (robustfim.folder / "reports" / "scan-guard-requests" / "report.html").read_text(encoding="utf-8")
    assert record.sections[0].title in page


@pytest.mark.slow
def test_what_is_wrong_before_any_change_is_that_of_the_unchanged_texts(robustfim: CommandLine) -> None:
    shown = robustfim(f"{SCAN} --block oos --at 0.05")
    record = Record.load(robustfim.folder / "reports" / "scan-guard-requests" / "results.json")
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
    shown = robustfim(f"scan --guard {options} --data prompts.csv --block block --examples 20 --seconds 300")
    assert shown.code == 0, shown.err
    assert "missed at 1 %" not in shown.unbroken
    assert "threshold of 1 %" not in shown.unbroken
    assert ("No threshold reaches 1 % false alarms" in shown.unbroken) is told


def test_the_flag_needs_the_label_and_gold_labels(robustfim: CommandLine) -> None:
    refused(robustfim("scan --model reference/guard --data requests --block oos"), "--block LABEL is an option")
    refused(robustfim("scan --guard --model reference/guard --data requests"), "--guard needs --block LABEL")
    (robustfim.folder / "bare.jsonl").write_text('{"text": "what is it"}\n' * 3, encoding="utf-8")
    bare = "--data use=jsonl --data path=bare.jsonl --data label=null"
    refused(
        robustfim(f"scan --guard --model reference/guard --block oos {bare}"),
        "needs gold labels", "--data label=COLUMN",
    )  # fmt: skip


@pytest.mark.slow
def test_a_scan_of_a_guard_writes_a_suite_with_limits_for_both_errors(robustfim: CommandLine) -> None:
    shown = robustfim(f"{SCAN} --examples 80 --block oos --at 0.05 --write guard.yaml")
    assert shown.code == 0, shown
    suite = yaml.safe_load((robustfim.folder / "guard.yaml").read_text(encoding="utf-8"))
    assert suite["model"]["decide"] == {"label": "oos", "at": 0.05}
    limits = [check["limit"] for check in suite["checks"].values() if "limit" in check]
    assert limits
    assert all(set(limit) <= {"missed", "false_alarm"} for limit in limits)
    assert (robustfim.folder / "reports" / "scan-guard-guard" / "results.json").is_file()
    assert robustfim("run guard.yaml").code in (0, 6)


def test_a_label_that_the_guard_does_not_have_is_refused(robustfim: CommandLine) -> None:
    refused(robustfim(f"{SCAN} --block ooze"), "'ooze'", "oos", code=1)


def test_every_family_is_a_perturbation_of_texts_with_options_that_it_has() -> None:
    offered = load_plugins(PluginOptions()).offers("perturbations")
    for name, options in FAMILIES.items():
        assert not PerturbationPart(offered[name].cls).takes_steps
        own = options_model(offered[name].cls, offered[name].owner).model_fields
        assert not set(options) - set(own) - {"words", "candidates"}
        assert set(options.get("kinds", ())) <= set(getattr(offered[name].cls(), "_kinds", ()))


def surely_missed(check: CheckRecord) -> list[float]:
    ends = [check.errors[kind].interval if kind in check.errors else None for kind in ("missed", "false_alarm")]
    return [-1.0 if end is None else end[0] for end in ends]
