"""Models that answer labels only: both kinds of error of each label, their excess over noise, and confusion tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

import robustfim
from robustfim.errors import UsageError
from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.confusion import CONFUSION
from robustfim.judge.errors import with_excess
from robustfim.outcome import Outcome
from robustfim.prediction import Prediction
from robustfim.statistics import Paired

LABELS = ["billing", "sales", "tech"]
WORDS = {"invoice": "billing", "quote": "sales", "crash": "tech"}
ROWS = [
    {"text": f"my {word} number {n} {'bad' if n % 3 else 'sad'}", "label": label}
    for n in range(40)
    for word, label in WORDS.items()
]


def route(texts: Sequence[str]) -> list[str]:
    """Route by a word, and without a known one to tech."""
    return [next((label for word, label in WORDS.items() if word in text), "tech") for text in texts]


def noisy(noise: float, seed: int = 0) -> Callable[[Sequence[str]], list[str]]:
    """The same, with another label now and then, by chance."""
    random = Random(seed)

    def ask(texts: Sequence[str]) -> list[str]:
        others = (random.choice([each for each in LABELS if each != label]) for label in route(texts))
        return [other if random.random() < noise else label for label, other in zip(route(texts), others, strict=True)]

    return ask


def run(call: Any = route, limit: Any = None, rows: Any = ROWS, **more: Any) -> Any:
    model = {"use": "python", "call": call, "labels": more.pop("labels", LABELS), **more.pop("model", {})}
    check = {"perturb": {"use": "typos", "candidates": 3}, "limit": limit or {"missed": 0.9, "false_alarm": 0.9}}
    return robustfim.run({"suite": "s", "model": model, "checks": {"typos": check}, **more}, data=rows).record


def literal(record: Any) -> dict[str, tuple[int, int, int]]:
    """Count by hand, of each kind and label, the texts that are tested, wrong before, and wrong before or after."""
    counted: dict[str, list[int]] = {}
    (check,) = record.checks
    for example in record.examples:
        after = [failure.after.label for failure in record.failures if failure.example == example.id]
        for label in LABELS:
            has = example.label == label
            before = (example.prediction == label) is not has
            row = counted.setdefault(f"{'missed' if has else 'false_alarm'} {label}", [0, 0, 0])
            row[0] += 1
            row[1] += before
            row[2] += before or any((each == label) is not has for each in after)
    assert {example.id for example in record.examples} == set(check.examples)
    return {name: (tested, before, wrong) for name, (tested, before, wrong) in counted.items()}


def test_each_label_of_a_router_has_limits_for_both_kinds_of_error() -> None:
    record = run()
    (check,) = record.checks
    assert {name: (e.tested, e.before, e.failing) for name, e in check.errors.items()} == literal(record)
    assert {error.limit for error in check.errors.values()} == {0.9}
    assert "billing: " in check.message


def test_a_confusion_table_counts_each_text_before_and_after() -> None:
    record = run()
    (section,) = (record_section for record_section in record.sections if record_section.name == CONFUSION)
    cells: Counter[tuple[str, str]] = Counter()
    for example in record.examples:
        after = {failure.after.label for failure in record.failures if failure.example == example.id}
        cells.update((example.label, each) for each in {example.prediction, *after})
    (table,) = section.tables
    assert table.header == ["gold, decided as", *LABELS]
    assert {row[0]: [int(cell.split(" → ")[1]) for cell in row[1:]] for row in table.rows} == {
        gold: [cells[gold, label] for label in LABELS] for gold in LABELS
    }


def test_without_a_limit_for_errors_nothing_is_counted_of_each_label() -> None:
    record = run(limit=0.9)
    assert record.checks[0].errors == {}
    assert not any(section.name == CONFUSION for section in record.sections)


def test_a_guard_that_answers_labels_has_a_limit_for_the_label_that_it_stops() -> None:
    def guard(texts: Sequence[str]) -> list[str]:
        return ["block" if "crash" in text else "allow" for text in texts]

    rows = [{**row, "label": "block" if row["label"] == "tech" else "allow"} for row in ROWS]
    stops = {"labels": ["allow", "block"], "rows": rows, "model": {"decide": {"label": "block"}}}
    (check,) = run(guard, {"missed": 0.1, "false_alarm": 0.01}, **stops).checks
    assert check.outcome is Outcome.FAILED
    assert {name: (error.tested, error.limit) for name, error in check.errors.items()} == {
        "missed": (40, 0.1), "false_alarm": (80, 0.01),
    }  # fmt: skip
    assert check.errors["false_alarm"].failing == 0
    threshold = run(guard, None, **{**stops, "model": {"decide": {"label": "block", "at": 0.7}}})
    assert "name the label alone, 'decide: {label: LABEL}'" in threshold.message


def test_a_model_that_answers_in_its_own_words_has_no_such_limits() -> None:
    with pytest.raises(UsageError, match="only a model that decides for labels, or finds spans"):
        robustfim.run(
            model="reference/lexical-qa", data=[{"question": "who?", "context": "Ann.", "label": "Ann"}],
            checks={"typos": {"perturb": "typos", "limit": {"missed": 0.1}}},
        )  # fmt: skip


def test_the_excess_of_an_error_is_that_of_the_same_examples_by_as_many_answers() -> None:
    said = {
        "a": (["sales", "tech"], ["billing", "billing"]),  # missed perturbed alone
        "b": (["tech", "billing"], ["billing", "sales"]),  # missed on both sides
        "c": (["billing", "billing"], ["billing", "tech"]),  # missed unchanged alone
        "d": (["billing", "billing"], ["billing", "billing"]),
    }
    counts = CheckCounts(id="s::x", name="x", said=said, limit={"missed": 0.1})
    before = Prediction.of((1.0, 0.0, 0.0), tuple(LABELS))
    tested = [(id, ("billing",), before, "all") for id in said]
    found = with_excess(counts, tested, {"missed": 0.1})
    missed = found.errors["missed billing"]
    assert (missed.failing, missed.unchanged, missed.tested, missed.rate) == (2, 2, 4, 0.0)
    assert missed.interval == pytest.approx(Paired(1, 1, 4).interval)
    alarm = found.errors["false_alarm tech"]
    assert (alarm.failing, alarm.unchanged, alarm.limit) == (2, 1, None)


def test_noise_alone_is_no_error_and_a_change_beyond_it_is() -> None:
    rows = [{"text": f"{row['text']} {n}", "label": row["label"]} for n in range(2) for row in ROWS]
    same = robustfim.run(
        {
            "suite": "s", "repeat": 3, "model": {"use": "python", "call": noisy(0.1), "labels": LABELS},
            "checks": {"marks": {"perturb": {"use": "punctuation", "candidates": 3}, "limit": {"missed": 0.3}}},
        },
        data=rows,
    ).record  # fmt: skip
    assert same.checks[0].outcome is Outcome.PASSED
    assert all(present(each) > 0 for each in (e.unchanged for e in same.checks[0].errors.values()))
    moved = run(noisy(0.1), {"missed": 0.05}, rows=rows, repeat=3)
    assert moved.checks[0].outcome is Outcome.FAILED
    assert "unchanged, " in moved.checks[0].message
    assert "points [" in moved.checks[0].message


def present(value: int | None) -> int:
    assert value is not None
    return value
