"""On how many of the tested examples a model breaks: what was not tested counts nowhere."""

from __future__ import annotations

from random import Random

import pytest

from robustfim.judge.harm import Harm, harm_of
from robustfim.judge.reach import reaches
from robustfim.outcome import Outcome
from robustfim.record import (
    CheckRecord,
    DataRecord,
    Environment,
    ExampleRecord,
    Failure,
    ModelRecord,
    PredictionRecord,
    Record,
    StepRecord,
)
from robustfim.statistics import clustered_rate, wilson

LABELS = ["negative", "positive"]


def example(name: str, *, label: str | None = "positive", arm: str | None = "control") -> ExampleRecord:
    return ExampleRecord.model_validate({"id": name, "fields": {"text": name}, "label": label, "arm": arm})


def failure(name: str, check: str, *, before: str = "positive", after: str = "negative", step: bool = False) -> Failure:
    return Failure(
        id=f"{check}-{name}-{step}",
        check=check,
        example=name,
        fields={"text": f"{name}!"},
        step=StepRecord(direction="eigenvector", norm=1.0) if step else None,
        before=PredictionRecord(label=before, probabilities=[0.4, 0.6]),
        after=PredictionRecord(label=after, probabilities=[0.6, 0.4]),
    )


def record(examples: list[ExampleRecord], tested: dict[str, list[str]], failures: list[Failure]) -> Record:
    checks = [
        CheckRecord(id=name, name=name, outcome=Outcome.FAILED, tested=len(ids), examples=ids)
        for name, ids in tested.items()
    ]
    return Record(
        suite="s",
        model=ModelRecord(use="m", labels=LABELS),
        data=DataRecord(use="d"),
        environment=Environment(robustfim="0", python="3"),
        seed=0,
        started="",
        examples=examples,
        checks=checks,
        failures=failures,
    )


def test_an_example_that_no_check_tested_counts_nowhere() -> None:
    examples = [example(f"e{number}") for number in range(200)]
    (found,) = reaches(record(examples, {"places": [f"e{number}" for number in range(7)]}, [failure("e3", "places")]))
    assert (found.arm, found.rate.tested, found.rate.count) == ("control", 7, 1)
    assert found.rate.rate == 1 / 7
    assert found.rate.interval == wilson(1, 7)


def test_examples_of_one_cluster_count_as_the_few_that_they_are_worth() -> None:
    names = [f"e{number}" for number in range(40)]
    clusters = {name: f"c{place // 10}" for place, name in enumerate(names)}
    examples = [example(name).model_copy(update={"cluster": clusters[name]}) for name in names]
    (found,) = reaches(record(examples, {"a": names}, [failure(name, "a") for name in names[:10]]))
    assert found.rate == clustered_rate(set(names[:10]), set(names), clusters)[0]
    low, high = found.rate.ends
    independent = wilson(10, 40) or (0.0, 1.0)
    assert low < independent[0] < independent[1] < high


def test_steps_and_examples_that_were_wrong_before_are_told_apart() -> None:
    examples = [example(name) for name in ("text", "both", "step", "sound")] + [example("wrong", label="negative")]
    failures = [
        failure("text", "a"),
        failure("both", "a"),
        failure("both", "b", step=True),
        failure("step", "b", step=True),
        failure("wrong", "a"),
    ]
    names = [example_record.id for example_record in examples]
    (found,) = reaches(record(examples, {"a": names, "b": names}, failures))
    assert (found.rate.tested, found.rate.count, found.by_step, found.wrong, found.failing) == (5, 2, 1, 1, 4)


def test_a_text_that_fails_as_it_is_was_wrong_before_and_no_changed_text_breaks_it() -> None:
    """As CheckList's cases of a minimum functionality test do, whose labels the test has and not the data."""
    examples = [example(name, label=None) for name in ("case", "both", "edited")]
    same = [failure(name, "mft").model_copy(update={"fields": {"text": name}}) for name in ("case", "both")]
    failures = [*same, failure("both", "inv"), failure("edited", "inv")]
    names = [example_record.id for example_record in examples]
    (found,) = reaches(record(examples, {"mft": names, "inv": names}, failures))
    assert (found.rate.tested, found.rate.count, found.wrong) == (3, 2, 1)


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        ({"expectation": {"use": "invariant"}, "counts": "broken"}, 1),
        ({"expectation": {"use": "found"}}, 1),
        ({"expectation": {"use": "correct"}}, 0),
    ],
)
def test_a_label_or_a_span_breaks_of_an_answer_that_is_wrong_as_a_whole(kind: dict[str, object], broken: int) -> None:
    run = record(
        [example("half", label="negative"), example("right")], {"a": ["half", "right"]}, [failure("half", "a")]
    )
    run = run.model_copy(update={"checks": [check.model_copy(update=kind) for check in run.checks]})
    (found,) = reaches(run)
    assert (found.rate.tested, found.rate.count, found.wrong) == (2, broken, 1 - broken)


@pytest.mark.parametrize("seed", range(5))
def test_the_counts_are_those_of_a_slow_count(seed: int) -> None:
    random = Random(seed)  # counts, not secrets
    examples = [
        example(f"e{n}", label=random.choice([*LABELS, None]), arm=random.choice(["difficult", "control", None]))
        for n in range(60)
    ]
    tested = {
        name: [example_record.id for example_record in examples if example_record.arm and random.random() < 0.5]
        for name in "abc"
    }
    failures = [
        failure(each, check, step=check == "c")
        for check, ids in tested.items()
        for each in ids
        if random.random() < 0.3
    ]
    labels = {example_record.id: example_record.label for example_record in examples}
    for found in reaches(record(examples, tested, failures)):
        own = {
            example_record.id
            for example_record in examples
            if example_record.arm == found.arm and any(example_record.id in ids for ids in tested.values())
        }
        own_failures = [each for each in failures if each.example in own]
        wrong = {own_failure.example for own_failure in own_failures if labels[own_failure.example] == "negative"}
        text = {own_failure.example for own_failure in own_failures if own_failure.step is None} - wrong
        step = {own_failure.example for own_failure in own_failures} - wrong - text
        counted = (found.rate.tested, found.rate.count, found.by_step, found.wrong)
        assert counted == tuple(map(len, (own, text, step, wrong)))


@pytest.mark.parametrize(
    ("label", "before", "after", "harm"),
    [
        ("positive", "positive", "negative", Harm.BROKEN),
        ("positive", "positive", "positive", Harm.SAME),
        ("negative", "positive", "negative", Harm.WRONG),
        (None, "positive", "negative", Harm.UNKNOWN),
        ("unheard of", "positive", "negative", Harm.UNKNOWN),
    ],
)
def test_the_harm_is_told_by_the_gold_label(label: str | None, before: str, after: str, harm: Harm) -> None:
    found = failure("e", "a", before=before, after=after)
    assert harm_of(found, example("e", label=label), LABELS) is harm
    assert harm_of(found, None, LABELS) is Harm.UNKNOWN


def test_what_only_a_yardstick_breaks_is_told_apart() -> None:
    made = record(
        [example(name) for name in "abc"],
        {"typos": ["a", "b", "c"], "neighbours": ["a", "b", "c"]},
        [
            failure("a", "typos"),
            failure("a", "neighbours"),
            failure("b", "neighbours"),
            failure("b", "typos", step=True),
        ],
    )
    checks = [check.model_copy(update={"yardstick": check.name == "neighbours"}) for check in made.checks]
    (reach,) = reaches(made.model_copy(update={"checks": checks}))
    assert (reach.rate.count, reach.by_yardstick, reach.by_step, reach.failing) == (1, 1, 0, 2)
    (before,) = reaches(made)
    assert (before.rate.count, before.by_yardstick) == (2, 0)


@pytest.mark.parametrize(
    ("correct", "after", "harm"),
    [
        (True, "another", Harm.BROKEN),
        (True, "said", Harm.SAME),
        (True, "gold", Harm.SAME),
        (False, "another", Harm.WRONG),
        (None, "another", Harm.UNKNOWN),
    ],
)
def test_of_answers_in_the_models_own_words_the_record_says_which_were_right(
    correct: bool | None, after: str, harm: Harm
) -> None:
    source = example("e", label="gold").model_copy(update={"correct": correct})
    assert harm_of(failure("e", "c", before="said", after=after), source, []) is harm
    assert harm_of(failure("e", "c", before="said", after=after), None, []) is Harm.UNKNOWN
