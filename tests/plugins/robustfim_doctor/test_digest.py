from __future__ import annotations

from typing import Literal

import pytest

from robustfim.outcome import Outcome
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.record import (
    ArmRecord,
    AssociationRecord,
    CheckCounts,
    CheckRecord,
    DataRecord,
    ModelRecord,
    Record,
    SelectionRecord,
)
from robustfim_doctor.digest import digest, ranked
from tests.robustfim.command_line import CommandLine


def test_each_check_is_a_sentence_with_its_counts_and_its_worst_text(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    record = Record.load(robustfim.folder / "reports/toy/results.json")
    found = digest(record, load_plugins(PluginOptions(("toy.py",))), ["steps: no gradients."]).findings
    checks = {check.name: check for check in record.checks}
    both = next(each for each in found if "'both'" in each)
    assert both.startswith(f"Too few to say: {checks['both'].failing} of {checks['both'].tested} texts, ")
    assert "change their label under 'both' (puts other words in); worst: “" in both
    failures = [each for each in record.failures if each.check.endswith("both")]
    right = {each.id for each in record.examples if each.correct}
    worst = max((each for each in failures if each.example in right), key=lambda each: each.margin)
    assert f"({worst.before.label} → {worst.after.label})." in both
    assert found.index(both) < next(index for index, each in enumerate(found) if "'calm'" in each)
    assert found[-1] == "Not tested: steps: no gradients."


def test_a_text_that_was_right_is_quoted_before_one_that_was_wrong_by_more(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    record = Record.load(robustfim.folder / "reports/toy/results.json")
    (check,) = (each for each in record.checks if each.name == "both")
    failures = sorted((each for each in record.failures if each.check == check.id), key=lambda each: -each.margin)
    least = failures[-1].example
    examples = [each.model_copy(update={"correct": each.id == least}) for each in record.examples]
    record = record.model_copy(update={"examples": examples})
    sentence = next(
        each for each in digest(record, load_plugins(PluginOptions(("toy.py",)))).findings if "'both'" in each
    )
    quoted = next(each for each in failures if each.example == least)
    assert sentence.endswith(f"({quoted.before.label} → {quoted.after.label}).")
    assert failures[0].example != least


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
    (sentence,) = (each for each in digest(record, manager).findings if "'often'" in each)
    if examples == 480:
        assert sentence.startswith("131 of 480 texts, 27.3 % [23.5, 31.4], ")
        assert "random" not in sentence
    else:
        assert sentence.startswith(
            "31 of 240 texts drawn at random from the others, 12.9 % [9.3, 17.8], and 100 of 240 "
        )


def test_checks_of_too_few_texts_share_a_sentence_behind_the_others_with_the_way_out(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    record = Record.load(robustfim.folder / "reports/toy/results.json")
    few = [each.model_copy(update={"failing": 0, "tested": 3, "arms": {}}) for each in record.checks]
    found = digest(record.model_copy(update={"checks": few}), load_plugins(PluginOptions(("toy.py",)))).findings
    assert found[-2:] == [
        "No tested text changes its answer.",
        "Too few texts to say anything, none of which fails: 'both' (3), 'rename' (3), 'calm' (3); give more with "
        "--examples, or texts that they change.",
    ]
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
        model = ModelRecord(use="toy", accuracy=0.39, accuracy_interval=(0.36, 0.42), majority=0.977, association=weak)
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
