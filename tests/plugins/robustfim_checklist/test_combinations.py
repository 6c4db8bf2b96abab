from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from robustfim.candidate import Candidate
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.judgement import Judgement, Verdict
from robustfim.parts import ExpectationPart
from robustfim.prediction import Prediction
from robustfim_checklist.combinations import AllOf, AnyOf, PerSlice
from tests.robustfim.command_line import CommandLine, refused
from tests.robustfim.toys import prediction

BEFORE = prediction("good")
CANDIDATE = Candidate(Example({"text": "good"}))
PASSED, FAILED, NOT = Verdict.PASSED, Verdict.FAILED, Verdict.NOT_APPLICABLE


@dataclass
class Says:
    """An expectation that says the same of everything."""

    verdict: Verdict
    margin: float = 0.0
    prepared: list[Any] = field(default_factory=list)

    def prepare(self, context: Any) -> None:
        self.prepared.append(context)

    def judge(self, before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        return Judgement(self.verdict, self.margin, f"{self.verdict.value} by {self.margin}")


def context(**slices: str) -> Any:
    return SimpleNamespace(slices={name: frozenset(ids.split()) for name, ids in slices.items()})


@pytest.mark.parametrize("verdicts", list(product([PASSED, FAILED, NOT], repeat=3)))
def test_all_and_any_are_the_and_and_or_of_the_parts_that_apply(verdicts: tuple[Verdict, ...]) -> None:
    parts = [Says(each) for each in verdicts]
    held = [each is PASSED for each in verdicts if each is not NOT]
    for combination, holds in (
        (AllOf([*map(ExpectationPart, parts)]), all(held)),
        (AnyOf([*map(ExpectationPart, parts)]), any(held)),
    ):
        verdict = combination.judge(BEFORE, BEFORE, CANDIDATE).verdict
        assert verdict is ((PASSED if holds else FAILED) if held else NOT)


def test_all_tells_every_failure_and_the_widest_margin() -> None:
    judgement = AllOf([*map(ExpectationPart, (Says(FAILED, 0.1), Says(PASSED, -0.5), Says(FAILED, 0.3)))]).judge(
        BEFORE, BEFORE, CANDIDATE
    )
    assert judgement.margin == 0.3
    assert judgement.reason == "failed by 0.1; failed by 0.3"


def test_any_is_as_near_as_its_nearest_part() -> None:
    judgement = AnyOf([*map(ExpectationPart, (Says(FAILED, 0.4), Says(FAILED, 0.1), Says(NOT, -9)))]).judge(
        BEFORE, BEFORE, CANDIDATE
    )
    assert judgement.margin == 0.1
    assert judgement.reason == "failed by 0.4 and failed by 0.1"


def test_a_combination_prepares_its_parts() -> None:
    parts = [Says(PASSED), Says(PASSED)]
    here = context()
    AllOf([ExpectationPart(AnyOf([ExpectationPart(parts[0])])), ExpectationPart(parts[1])]).prepare(here)
    assert [part.prepared for part in parts] == [[here], [here]]


def test_each_slice_has_its_own_expectation_and_an_example_of_two_slices_both() -> None:
    lenient, strict, rest = Says(PASSED), Says(FAILED), Says(NOT)
    expectation = PerSlice({"short": ExpectationPart(lenient), "new": ExpectationPart(strict)}, ExpectationPart(rest))
    first, second, third, both = (Candidate(Example({"text": text})) for text in "abcd")
    ids = {"short": f"{first.source.id} {both.source.id}", "new": f"{second.source.id} {both.source.id}"}
    expectation.prepare(context(**ids))
    verdicts = [expectation.judge(BEFORE, BEFORE, candidate).verdict for candidate in (first, second, third, both)]
    assert verdicts == [PASSED, FAILED, NOT, FAILED]
    assert rest.prepared


def test_without_an_expectation_for_the_rest_the_rest_is_not_judged() -> None:
    expectation = PerSlice({"short": ExpectationPart(Says(FAILED))})
    expectation.prepare(context(short=""))
    assert expectation.judge(BEFORE, BEFORE, CANDIDATE).verdict is NOT


def test_a_slice_that_the_run_does_not_have_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown slice 'short'"):
        PerSlice({"short": ExpectationPart(Says(PASSED))}).prepare(context(long=""))


@pytest.mark.parametrize("combination", [AllOf, AnyOf])
def test_a_combination_of_nothing_is_refused(combination: type[AllOf]) -> None:
    with pytest.raises(ValueError, match="lists no expectation"):
        combination([])


def test_combinations_are_written_in_a_suite(robustfim: CommandLine) -> None:
    checks = (
        "{all: {perturb: rename, expect: {use: all, of: [invariant, {use: directional, tolerance: 0.05}]}}, "
        "any: {perturb: rename, expect: {use: any, of: [invariant, {use: changes, to: positive}]}}, "
        "slice: {perturb: rename, expect: {use: per_slice, slices: {films: {use: all, of: [invariant]}}}}}"
    )
    name = robustfim.suite(checks, rest="slices: {films: {contains: film}}")
    assert robustfim(f"run {name} --no-store").code in (0, 1, 6)
    record = robustfim.record("other")
    by_name = {check.name: check for check in record.checks}
    assert by_name["all"].expectation["of"][1] == {"use": "directional", "tolerance": 0.05}
    films = {example.id for example in record.examples if "film" in example.fields["text"]}
    assert set(by_name["slice"].examples) == films & set(by_name["all"].examples)
    assert by_name["slice"].candidates.not_applicable > 0
    assert by_name["all"].failing >= by_name["any"].failing


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ("{use: all, of: [invariant, equal]}", "unknown expectation 'equal'. Did you mean 'equals'?"),
        ("{use: all, of: [{use: directional, tolerence: 0.1}]}", "Did you mean 'tolerance'?"),
        ("{use: all, of: []}", "'of' lists no expectation"),
        ("{use: any}", "the option 'of' is missing"),
        ("{use: all, of: [3]}", "3 names no expectation"),
        ("{use: per_slice, slices: {film: invariant}}", "unknown slice 'film'. Did you mean 'films'? Known: films."),
    ],
)
def test_a_mistake_in_a_combination_is_told_with_its_line(robustfim: CommandLine, expect: str, message: str) -> None:
    name = robustfim.suite(f"{{all: {{perturb: rename, expect: {expect}}}}}", rest="slices: {films: {contains: film}}")
    refused(robustfim(f"run {name}"), "other.yaml:5: ", message)
