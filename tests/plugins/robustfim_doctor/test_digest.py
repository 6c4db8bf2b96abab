from __future__ import annotations

from typing import Any, Literal

import pytest

from robustfim.judge import CheckCounts
from robustfim.outcome import Outcome
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.record import (
    ArmRecord,
    AssociationRecord,
    CauseRecord,
    CheckRecord,
    DataRecord,
    EditRecord,
    ModelRecord,
    Record,
    SelectionRecord,
)
from robustfim.statistics import Rate
from robustfim_doctor.digest import digest, edit_text, ranked
from tests.robustfim.command_line import CommandLine


def lines(record: Record, names: tuple[str, ...] = ("toy.py",)) -> dict[str, list[str]]:
    """Each change's line, by its name."""
    tables = digest(record, load_plugins(PluginOptions(names))).tables
    return {row[0]: row for table in tables for row in table.rows}


def of_many(record: Record, failing: int | None = None) -> Record:
    """The same with more tested examples, enough for a line."""
    checks = []
    for check in record.checks:
        rate = Rate(check.failing if failing is None else failing, 60)
        many: dict[str, Any] = {"tested": 60, "failing": rate.count, "interval": rate.interval, "arms": {}}
        checks.append(check.model_copy(update=many))
    return record.model_copy(update={"checks": checks})


def test_the_interval_of_a_change_is_that_of_its_check_which_knows_the_clusters(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    record = of_many(Record.load(robustfim.folder / "reports/toy/results.json"))
    checks = [check.model_copy(update={"interval": (0.1, 0.45)}) for check in record.checks]
    section = digest(record.model_copy(update={"checks": checks}), load_plugins(PluginOptions(("toy.py",))))
    assert "[10.0, 45.0] of 60" in section.tables[0].rows[0][1]


def test_each_change_is_a_line_with_its_rate_and_its_worst_edit_of_a_text_that_was_right(
    robustfim: CommandLine,
) -> None:
    robustfim("run toy.yaml")
    record = of_many(Record.load(robustfim.folder / "reports/toy/results.json"))
    (check,) = (check for check in record.checks if check.name == "both")
    found = digest(record, load_plugins(PluginOptions(("toy.py",))), ["steps: no gradients."], "robustfim run it.yaml")
    (table,) = found.tables
    assert table.header == ["change", "breaks", "worst edit of a text that was right"]
    _, rate, edit = next(row for row in table.rows if row[0] == "both")
    assert rate == str(Rate(check.failing, 60))
    right = {example.id for example in record.examples if example.correct}
    edits = {
        f"{failure.edits[0].before} → {failure.edits[0].after}"
        for failure in record.failures
        if failure.check == check.id and failure.example in right
    }
    assert any(edit.startswith(each) for each in edits), (edit, edits)
    assert edit.endswith(")")
    assert found.findings[-2:] == ["Not tested: steps: no gradients.", "Next: robustfim run it.yaml"]
    wrong = [example.model_copy(update={"correct": False}) for example in record.examples]
    assert lines(record.model_copy(update={"examples": wrong}))["both"][2] == "", "no text was right"


def test_a_cause_comes_before_the_rates_of_whole_changes(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    record = Record.load(robustfim.folder / "reports/toy/results.json")
    cause = CauseRecord(
        check=record.checks[0].id, edit="`’` for `'`", where="in \"n't\"", inside=Rate(6, 28), elsewhere=Rate(0, 470),
        p_value=0.001,
    )  # fmt: skip
    found = digest(record.model_copy(update={"causes": [cause]}), load_plugins(PluginOptions(("toy.py",))))
    name = record.checks[0].name
    line = f"`’` for `'` in \"n't\": breaks 6 of 28, elsewhere 0 of 470 ({name})."
    assert found.findings[found.findings.index(line) + 1].startswith("The model is right on")


def test_what_breaks_nothing_shares_a_sentence_and_is_no_line(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    record = of_many(Record.load(robustfim.folder / "reports/toy/results.json"), failing=0)
    found = digest(record, load_plugins(PluginOptions(("toy.py",))))
    assert "No answer broke under both (60), rename (60), calm (60)." in found.findings
    assert found.tables == []


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("boring", "borin", "boring → borin"),
        ("", " Sorry for any typos.", "+ Sorry for any typos."),
        ("a very good film of the old days", "a very bad film of the old days", "good → bad"),
        (" ", "", "the film → thefilm"),
        ("x" * 50, "y", f"{'x' * 32}… → y"),
    ],
)
def test_an_edit_is_shown_without_what_it_leaves(before: str, after: str, shown: str) -> None:
    text, start = ("the film", 3) if before == " " else (before, 0)
    edit = EditRecord(field="text", start=start, end=start + len(before), before=before, after=after, origin="")
    assert edit_text(edit, text) == shown


def test_checks_stand_worst_first_and_those_with_too_few_texts_last() -> None:
    def check(name: str, failing: int, tested: int, outcome: Outcome = Outcome.MEASURED) -> CheckRecord:
        return CheckCounts(
            id=f"s.yaml::{name}", name=name, failing=failing, tested=tested,
            rate=failing / tested if tested else None,
        ).record(outcome)  # fmt: skip

    checks = [
        check("few", 2, 4), check("calm", 0, 90), check("rare", 9, 90), check("often", 58, 90),
        check("none", 0, 0, Outcome.ERROR), check("both", 0, 2),
    ]  # fmt: skip
    record = Record.model_construct(checks=checks)
    names = [check.name for check in ranked(record, load_plugins(PluginOptions()))]
    assert names == ["often", "rare", "calm", "few", "both", "none"]


@pytest.mark.parametrize(("examples", "first"), [(480, "often"), (481, "evenly")])
def test_arms_that_are_all_of_the_data_are_reported_and_ranked_as_a_whole(examples: int, first: str) -> None:
    def check(name: str, difficult: int, control: int) -> CheckRecord:
        arms = {
            arm: ArmRecord(drawn=240, tested=240, failing=failing)
            for arm, failing in (("difficult", difficult), ("control", control))
        }
        failing = difficult + control
        return CheckCounts(
            id=f"s.yaml::{name}", name=name, failing=failing, tested=480, rate=failing / 480, arms=arms,
        ).record(Outcome.MEASURED)  # fmt: skip

    record = Record.model_construct(
        checks=[check("often", 100, 31), check("evenly", 40, 40)],
        selection=SelectionRecord(by="margin", difficult=240, control=240),
        data=DataRecord(use="reviews", examples=examples),
        model=ModelRecord(use="toy"),
        failures=[],
    )
    manager = load_plugins(PluginOptions())
    assert ranked(record, manager)[0].name == first
    (table,) = digest(record, manager).tables
    (row,) = (row for row in table.rows if row[0] == "often")
    if examples == 480:
        assert (table.header[1], row[1]) == ("changes", "27.3 % [23.5, 31.4] of 480")
    else:
        assert (table.header[1], row[1]) == ("changes, at random", "12.9 % [9.3, 17.8] of 240")


def test_changes_of_too_few_texts_share_a_sentence_with_the_way_out(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    record = Record.load(robustfim.folder / "reports/toy/results.json")
    few = [check.model_copy(update={"failing": 0, "tested": 3, "arms": {}}) for check in record.checks]
    found = digest(record.model_copy(update={"checks": few}), load_plugins(PluginOptions(("toy.py",)))).findings
    assert found[-1] == (
        "Too few texts to say anything: both (0 of 3), rename (0 of 3), calm (0 of 3); give more texts that they "
        "change, or more --seconds."
    )
    spans = [record.examples[0].model_copy(update={"label": label}) for label in ("⟦0:4 NAME⟧", "⟦⟧")]
    tagged = record.model_copy(update={"checks": few, "examples": spans})
    last = digest(tagged, load_plugins(PluginOptions(("toy.py",)))).findings[-1]
    assert last.endswith("; 1 of 2 tested texts have a gold span; give more with --examples or in the data.")


@pytest.mark.parametrize(
    ("verdict", "begin"),
    [
        (
            "negative",
            "The answers go against the gold labels (Matthews' coefficient −0.11 [−0.16, −0.05] of 1,000 texts",
        ),
        (
            "inconclusive",
            "It is not shown that the answers have anything to do with the gold labels (Matthews' coefficient",
        ),
    ],
)
def test_a_weak_model_is_the_first_finding_unless_it_is_allowed(verdict: Literal["negative"], begin: str) -> None:
    def first(allowed: bool) -> str:
        weak = AssociationRecord(coefficient=-0.11, interval=(-0.16, -0.05), verdict=verdict, allowed=allowed)
        model = ModelRecord(use="toy", accuracy=Rate(390, 1000, (0.36, 0.42)), majority=0.977, association=weak)
        record = Record.model_construct(model=model, data=DataRecord(use="films", labelled=1000), checks=[], message="")
        return digest(record, load_plugins(PluginOptions())).findings[0]

    assert first(allowed=False).startswith(begin)
    assert "always giving the commonest label is right on 97.7 %" in first(allowed=False)
    assert first(allowed=True).startswith("The model is right on 39 %")


def test_what_broke_a_run_is_told_once_with_the_names_of_what_was_not_tested(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml --model use=wordsum --model raise_on=awful")
    record = Record.load(robustfim.folder / "reports/toy/results.json")
    assert "I cannot read 'awful'" in record.message
    found = digest(record, load_plugins(PluginOptions(("toy.py",)))).findings
    assert found == [f"Not everything was looked at: {record.message}", "Not tested: rename, both, calm."]


@pytest.mark.parametrize(
    ("german", "english", "said"),
    [
        (0, 20, None),
        (20, 0, "The texts are German (100 %), as far as they show it: changes of English are left out."),
        (10, 10, "The texts are German (50 %), English (50 %), as far as they show it: changes of English leave the "
                 "others alone."),
    ],
)  # fmt: skip
def test_the_languages_of_the_texts_are_named_unless_they_are_english(
    robustfim: CommandLine, german: int, english: int, said: str | None
) -> None:
    robustfim("run toy.yaml")
    record = Record.load(robustfim.folder / "reports/toy/results.json")
    texts = ["Das ist nicht gut."] * german + ["It is not what they were."] * english
    examples = [record.examples[0].model_copy(update={"fields": {"text": text}}) for text in texts]
    found = digest(record.model_copy(update={"examples": examples}), load_plugins(PluginOptions(("toy.py",)))).findings
    assert [each for each in found if each.startswith("The texts are")] == ([said] if said else [])
