"""What is missed and what is a false alarm, against a literal count and in simulation."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

import robustfim
from robustfim.decision import DecisionRule, EachRule
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.comparison import compare
from robustfim.judge.design import Design
from robustfim.judge.errors import with_errors, with_slices
from robustfim.judge.estimate import Estimate
from robustfim.judge.trials import Trials
from robustfim.judge.verdicts import decide, error_text
from robustfim.outcome import Outcome
from robustfim.prediction import Prediction
from robustfim.record import ArmRecord, ErrorRecord
from robustfim.statistics import percent, wilson
from robustfim.statistics.clusters import effective_number
from robustfim.statistics.mean import Mean
from robustfim.statistics.stratified import Stratum, stratified_rate
from robustfim.statistics.threshold import FewAlarms, few_alarms
from tests.present import present
from tests.robustfim.toys import CountingModel, Swap, probabilities

RULE = DecisionRule(0.7, "positive")


def reviews(limit: Any = None, **check: Any) -> robustfim.Run:
    model = {"use": "reference/fasttext", "decide": {"label": "positive", "at": 0.7}}
    checks = {"typos": {"perturb": "typos", **({} if limit is None else {"limit": limit}), **check}}
    return robustfim.run(model=model, data={"use": "reviews", "limit": 120}, checks=checks)


CHANGES = {"use": "invariant", "counts": "changes"}
"""Perturbs what is wrong before, too, so that every error is counted by hand."""


def literal(run: robustfim.Run, check: str) -> dict[str, tuple[int, int, int]]:
    """Count by hand: of each kind how many are tested, wrong before, and wrong before or after."""
    record = run.record
    found = {"missed": [0, 0, 0], "false_alarm": [0, 0, 0]}
    tested = next(record_check for record_check in record.checks if record_check.name == check)
    for example in record.examples:
        if example.id not in tested.examples or example.label is None or example.prediction is None:
            continue
        kind = "missed" if example.label == "positive" else "false_alarm"
        good = "positive" if kind == "missed" else "not positive"
        after = [
            failure.after.label
            for failure in record.failures
            if failure.example == example.id and failure.check == tested.id
        ]
        before = example.prediction != good
        found[kind][0] += 1
        found[kind][1] += before
        found[kind][2] += before or any(each != good for each in after)
    return {kind: (tested, before, after) for kind, (tested, before, after) in found.items()}


def test_errors_are_counted_before_and_after_the_edits() -> None:
    run = reviews(expect=CHANGES)
    errors = run.record.checks[0].errors
    expected = literal(run, "typos")
    assert {kind: (error.tested, error.before, error.failing) for kind, error in errors.items()} == expected
    assert all(before < after for _, before, after in expected.values()), "the edits cost something"
    for error in errors.values():
        assert error.interval == wilson(error.failing, error.tested)
        assert error.rate == error.failing / error.tested
    message = run.record.checks[0].message
    assert f"missed {errors['missed'].failing} of {errors['missed'].tested} with the label" in message


def test_what_is_wrong_before_counts_as_an_error_and_nobody_asks_about_it_again() -> None:
    broken, changes = reviews(), reviews(expect=CHANGES)
    assert broken.record.checks[0].errors == changes.record.checks[0].errors
    assert broken.record.checks[0].tested < changes.record.checks[0].tested
    assert broken.record.model_calls < changes.record.model_calls


@pytest.mark.parametrize(("limit", "outcome"), [(0.99, Outcome.PASSED), (0.01, Outcome.FAILED)])
def test_each_kind_of_error_is_held_to_its_limit(limit: float, outcome: Outcome) -> None:
    check = reviews({"missed": limit, "false_alarm": 0.99}).record.checks[0]
    assert check.outcome is outcome
    assert check.errors["missed"].limit == limit
    assert check.message.startswith("missed " if outcome is Outcome.FAILED else ("missed ", "false alarms "))


def test_arms_are_weighed_by_what_they_stand_for() -> None:
    run = robustfim.run(
        model={"use": "reference/fasttext", "decide": {"label": "positive", "at": 0.7}},
        data="reviews", select={"by": "margin", "difficult": 60, "control": 120},
        checks={"typos": {"perturb": "typos", "expect": CHANGES}},
    )  # fmt: skip
    record, check = run.record, run.record.checks[0]
    arms = {example.id: example.arm for example in record.examples}
    weights = {"difficult": 1.0, "control": (record.data.examples - 60) / 120}
    expected = literal(run, "typos")
    for kind in expected:
        error = check.errors[kind]
        label = "positive" if kind == "missed" else "not positive"
        ids = [example.id for example in record.examples if example.label == label and example.id in check.examples]
        assert len(ids) == expected[kind][0]
        wrong = {failure.example for failure in record.failures if failure.after.label != label} | {
            example.id for example in record.examples if example.prediction not in (None, label)
        }
        total = sum(weights[str(arms[id])] for id in ids)
        share = sum(weights[str(arms[id])] for id in ids if id in wrong) / total
        assert error.rate == pytest.approx(share, abs=0.01)
        assert error.interval is not None
        assert error.interval[0] < share < error.interval[1]


THRESHOLDS = {"toxic": 0.5, "insult": 0.3}
FLAGGED = [
    {"text": f"{'awful ' * (n % 2)}{'idiot ' * (n % 3 == 0)}and {n} words of a long and quiet film",
     "label": ["toxic"] * (n % 2) + ["insult"] * (n % 4 == 0)} for n in range(60)
]  # fmt: skip


def flags(texts: list[str]) -> list[list[float]]:
    return [[0.9 if "awful" in text else 0.2, 0.6 if "idiot" in text else 0.1] for text in texts]


def several(limit: Any = None, data: Any = FLAGGED, **check: Any) -> robustfim.Run:
    swap = {"perturb": {"use": Swap({"awful": ["a wful"], "quiet": ["idiot"]})}, **check}
    return robustfim.run(
        model=flags, labels=[*THRESHOLDS], decide={"each": THRESHOLDS}, data=data,
        checks={"swap": swap if limit is None else {**swap, "limit": limit}},
    )  # fmt: skip


def test_of_several_labels_each_is_counted_by_itself() -> None:
    run = several()
    check = run.record.checks[0]
    expected: dict[str, tuple[int, ...]] = {}
    gold = {each["text"]: each["label"] for each in FLAGGED}
    for place, label in enumerate(THRESHOLDS):
        counts = {kind: [0, 0, 0] for kind in ("broken", "missed", "false_alarm")}
        for example in run.record.examples:
            text = example.fields["text"]
            after = [failure.fields["text"] for failure in run.record.failures if failure.example == example.id]
            was, *now = [row[place] >= THRESHOLDS[label] for row in flags([text, *after])]
            has = label in gold[text]
            changed, kind = any(each is not was for each in now), "missed" if has else "false_alarm"
            wrong = any(each is not has for each in (was, *now))
            for name, row in (("broken", (0, changed)), (kind, (was is not has, wrong))):
                if name == kind or was is has:
                    counts[name] = [a + b for a, b in zip(counts[name], (1, *row), strict=True)]
        expected |= {f"{kind} {label}": tuple(count) for kind, count in counts.items()}
    assert {name: (error.tested, error.before, error.failing) for name, error in check.errors.items()} == expected
    assert all(failing for name, (_, _, failing) in expected.items() if name != "false_alarm toxic")
    (right, _, flips), (_, before, missed) = expected["broken insult"], expected["missed insult"]
    assert f"; insult: {flips} of {right} broken, {missed} of 15 missed ({before} before), " in check.message


def test_a_limit_for_an_error_holds_of_every_label() -> None:
    check = several({"missed": 0.9, "false_alarm": 0.5}).record.checks[0]
    limits = {name: error.limit for name, error in check.errors.items()}
    assert limits["broken toxic"] is None
    assert limits["missed toxic"] == limits["missed insult"] == 0.9
    assert check.outcome is Outcome.FAILED
    assert check.message.startswith("false alarms 45 of 45 without insult, ")
    one = several({"missed": 0.9}, [each for each in FLAGGED if "insult" not in each["label"]]).record.checks[0]
    assert one.outcome is Outcome.ERROR
    assert "tested no text with the label insult" in one.message


def test_what_a_change_to_the_right_decision_takes_away_is_counted_of_none() -> None:
    assert not [
        name for name in several(expect="correct").record.checks[0].errors if name.startswith(("broken", "changed"))
    ]


def test_a_label_that_is_named_is_watched_whatever_becomes_of_the_others() -> None:
    watch = {"use": "directional", "direction": "same", "tolerance": 0.05}
    swap = {"perturb": {"use": Swap({"quiet": ["idiot"]})}}  # P(insult) rises, P(toxic) stays
    failing = {
        label: several(data=FLAGGED[1:2], **swap, expect={**watch, "label": label}).record.checks[0].failing
        for label in THRESHOLDS
    }
    assert failing == {"toxic": 0, "insult": 1}


def drawn(generator: np.random.Generator, whole: int = 1000) -> tuple[ErrorRecord, float]:
    """Draw data from a population, a difficult arm and a random one from the data; the true share of missed ones."""
    hard = generator.random(whole) < 0.2
    has = generator.random(whole) < np.where(hard, 0.6, 0.4)
    wrong = generator.random(whole) < np.where(hard, 0.4, 0.1)
    difficult = np.flatnonzero(hard)[:150]
    rest = np.setdiff1d(np.arange(whole), difficult)
    arms = {"difficult": difficult, "control": generator.choice(rest, 150, replace=False)}
    rows = [
        (str(at), ["positive" if has[at] else "not positive"], arm)
        for arm, places in arms.items()
        for at in places
    ]  # fmt: skip
    probability = {True: (0.9, 0.1), False: (0.1, 0.9)}
    tested = [
        (id, gold, Prediction.of(probability[(gold[0] == "positive") is not bool(wrong[int(id)])],
                                 ("positive", "not positive"), RULE), arm)
        for id, gold, arm in rows
    ]  # fmt: skip
    strata = (
        Stratum(len(arms["difficult"]), len(arms["difficult"]), len(arms["difficult"]), 0),
        Stratum(len(rest), 150, 150, 0),
    )
    counts = CheckCounts(
        id="c", name="c", tested=len(rows), strata=strata,
        arms={"difficult": ArmRecord(drawn=len(arms["difficult"]), tested=len(arms["difficult"]), failing=0),
              "control": ArmRecord(drawn=150, tested=150, failing=0)},
    )  # fmt: skip
    truth = (0.2 * 0.6 * 0.4 + 0.8 * 0.4 * 0.1) / (0.2 * 0.6 + 0.8 * 0.4)
    return with_errors(counts, tested, {}, {}).errors["missed"], truth


@pytest.mark.slow
@pytest.mark.usefixtures("few_draws")
def test_the_interval_of_what_is_missed_holds_the_truth() -> None:
    generator = np.random.default_rng(1)
    inside, rates = 0, []
    for _ in range(600):
        error, truth = drawn(generator)
        assert error.interval is not None
        assert error.rate is not None
        inside += error.interval[0] <= truth <= error.interval[1]
        rates.append(error.rate)
    assert np.mean(rates) == pytest.approx(truth, abs=4 * np.std(rates) / 600**0.5)
    assert 0.935 <= inside / 600 <= 0.985


@pytest.mark.parametrize(
    ("model", "check", "said"),
    [
        (
            {"decide": {"label": "positive", "at": 0.7}},
            {"expect": "changes"},
            "'false_alarm' does not support 'expect: changes'",
        ),
        ({"decide": {"label": "positive", "at": 0.7}}, {"fails": "all"}, "'false_alarm' does not support 'fails: all'"),
        ({"decide": {"label": "positive", "at": 0.7}}, {"budget": 50}, "does not support 'budget'"),
    ],
)
def test_limits_that_nothing_can_tell_are_refused(model: dict[str, Any], check: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as error:
        robustfim.run(
            model={"use": "reference/fasttext", **model}, data="reviews",
            checks={"typos": {"perturb": "typos", "limit": {"missed": 0.1}, **check}},
        )  # fmt: skip
    assert said in str(error.value)


def test_without_a_text_of_the_label_there_is_no_rate_of_missed_ones() -> None:
    run = robustfim.run(
        model={"use": "reference/fasttext", "decide": {"label": "positive", "at": 0.7}},
        data=[{"text": "dull and slow", "label": "negative"}, {"text": "a bad film", "label": "negative"}],
        checks={"typos": {"perturb": "typos", "limit": {"missed": 0.1}}},
    )  # fmt: skip
    assert run.record.checks[0].outcome is Outcome.ERROR
    assert "tested no text with the label" in run.record.checks[0].message


def worn(number: int) -> list[dict[str, str]]:
    """Films, two in three with the word that is swapped; some have a gold label that is not the model's."""
    endings = ["good", "good bad", "bad", "good good", "dull", "good fine"]
    rows = []
    for row in range(number):
        ending = endings[row % 6]
        positive = ending.startswith("good") is not (row % 181 == 0)
        rows.append({"text": f"film {row} is {ending}", "label": "positive" if positive else "negative"})
    return rows


def recall_by_hand(rows: list[dict[str, str]], at: float) -> tuple[int, int, int]:
    """Of the tested texts with the label: how many, missed before, and missed before or in any of their texts."""
    having = [row["text"] for row in rows if row["label"] == "positive" and "good" in row["text"]]
    edited = [[text, *(text.replace("good", word, 1) for word in ("fine", "dull"))] for text in having]
    edited = [
        [*texts, *(text.replace("good good", f"good {word}") for text in texts[:1] for word in ("fine", "dull"))]
        for texts in edited
    ]
    return (
        len(having),
        sum(probabilities(text)[1] < at for text in having),
        sum(any(probabilities(text)[1] < at for text in texts) for texts in edited),
    )


def test_recall_at_one_percent_is_told_before_and_after_the_edits() -> None:
    rows = worn(600)
    run = robustfim.run(
        model=CountingModel(), decide={"label": "positive", "at": 0.5}, data=rows,
        checks={"swap": {"perturb": {"use": Swap({"good": ["fine", "dull"]}), "words": 1}}},
    )  # fmt: skip
    benign = [probabilities(row["text"])[1] for row in rows if row["label"] == "negative"]
    few = present(few_alarms(benign, 0.01))
    error = run.record.checks[0].errors["missed_at_1_percent"]
    assert error.at == few.at
    tested, before, after = recall_by_hand(rows, few.at)
    assert (error.tested, error.before, error.failing) == (tested, before, after)
    assert before < after
    assert error.interval is not None
    plain = present(wilson(after, tested))
    assert error.interval[0] <= plain[0]
    assert error.interval[1] >= plain[1]
    told = error_text("missed_at_1_percent", error)
    assert told in run.record.checks[0].message
    assert told.startswith(f"recall at 1 % false alarms (P ≥ {few.at:.2g}) {percent(1 - after / tested)} [")


def test_few_texts_without_the_label_tell_no_recall_at_one_percent() -> None:
    run = robustfim.run(
        model=CountingModel(), decide={"label": "positive", "at": 0.5}, data=worn(120),
        checks={"swap": {"perturb": Swap({"good": ["fine", "dull"]})}},
    )  # fmt: skip
    assert {*run.record.checks[0].errors} == {"missed", "false_alarm"}


def test_of_a_guard_by_rules_no_threshold_reaches_one_percent() -> None:
    rows = [f"attack {row}" if row % 4 == 0 else f"plant {row}" for row in range(400)]
    run = robustfim.run(
        model=Words(), decide={"label": "block", "at": 0.5},
        data=[{"text": row, "label": "block" if row.startswith("attack") else "benign"} for row in rows],
        checks={"swap": {"perturb": {"use": Swap({"attack": ["a tack"], "plant": ["herb"]})}}},
    )  # fmt: skip
    (check,) = run.record.checks
    rare = check.errors["missed_at_1_percent"]
    assert (rare.tested, rare.at, rare.rate) == (0, None, None)
    assert "; no threshold reaches 1 % false alarms" in check.message
    assert "recall" not in check.message
    assert "missed_at_1_percent" not in run.compare(run).checks[0].errors


class Words:
    """A guard that goes by a word: every text without it has the same score."""

    labels = ("benign", "block")
    fingerprint = "words"

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        return [[0.1, 0.9] if "attack" in example.text else [1.0, 0.0] for example in examples]


def test_of_several_labels_each_has_its_recall_at_one_percent() -> None:
    rule = EachRule.of({"rude": 0.5, "long": 0.3})
    names = ["rude", "long"]

    def said(rude: float, long: float) -> Prediction:
        return Prediction.of(rule.probabilities([rude, long], names), rule.decisions(names), rule)

    texts = [("a", said(0.6, 0.9)), ("a", said(0.95, 0.2)), ("b", said(0.99, 0.9))]
    lowest: dict[tuple[str, str], float] = {}
    for id, prediction in texts:
        lowest |= {(id, name): min(prediction.alone(name), lowest.get((id, name), 1.0)) for name in names}
    counts = CheckCounts(
        id="c", name="c", expectation={"use": "invariant"}, tested=2, lowest=lowest,
        arms={"all": ArmRecord(drawn=2, tested=2, failing=0)},
    )  # fmt: skip
    tested = [(id, ["rude + long"], said(0.99, 0.99), "all") for id in "ab"]
    strict = {"rude": FewAlarms(0.7, 0.65, 0.75), "long": FewAlarms(0.5, 0.1, 0.95)}
    errors = with_errors(counts, tested, {}, {}, strict).errors
    assert errors["missed_at_1_percent rude"].wrong == errors["missed_at_1_percent long"].wrong == ["a"]
    assert errors["missed_at_1_percent long"].at == 0.5
    ends = present(wilson(1, 2))
    assert errors["missed_at_1_percent rude"].interval == pytest.approx(ends)
    assert errors["missed_at_1_percent long"].interval == FewAlarms.interval(0.5, ends, 0.0, 1.0)


SLICED = """\
suite: sliced
model: {use: reference/fasttext}
data: {use: reviews, limit: 240}
select: %s
slices: {short: {words: [null, 20], limit: 0.02}, long: {words: [21, null], limit: 0.9}, film: {contains: film}}
checks: {typos: {perturb: typos, limit: 0.9}, punctuation: {perturb: punctuation}}
"""


def sliced(tmp_path: Path, select: str, **options: Any) -> robustfim.Run:
    path = tmp_path / "sliced.yaml"
    path.write_text(SLICED % select, encoding="utf-8")
    return robustfim.run(path, **options)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The record of all examples."""
    return sliced(tmp_path_factory.mktemp("whole"), "null").record


def test_every_check_is_held_to_the_limit_of_a_slice_on_its_tested_examples(whole: Any) -> None:
    short = {example.id for example in whole.examples if len(example.fields["text"].split()) <= 20}
    for check in whole.checks:
        failing = {failure.example for failure in whole.failures if failure.check == check.id} & short
        found = check.errors["slice short"]
        assert (found.tested, found.failing) == (len(short & set(check.examples)), len(failing))
        assert found.interval == wilson(found.failing, found.tested)
        assert set(check.limited) == {"slice short", "slice long"}
    typos, punctuation = whole.checks
    assert typos.outcome is Outcome.FAILED
    alone = binomtest(typos.errors["slice short"].failing, typos.errors["slice short"].tested, 0.02, "greater").pvalue
    assert typos.p_value == pytest.approx(5.1 * alone), "the first of five limits, with the association's tenth (Holm)"
    assert "examples of the slice short fail" in typos.message
    assert punctuation.outcome is not Outcome.MEASURED


def test_the_rate_of_a_slice_from_two_arms_weighs_what_each_stands_for(tmp_path: Path) -> None:
    record = sliced(tmp_path, "{by: margin, difficult: 60, control: 60}").record
    check = record.checks[0]
    found, fields = check.errors["slice short"], {example.id: example.fields["text"] for example in record.examples}
    short = {id for id, text in fields.items() if len(text.split()) <= 20}
    failing = {failure.example for failure in record.failures if failure.check == check.id}
    arms = {example.id: example.arm for example in record.examples}
    sizes = {"difficult": 60, "control": 180}
    share, rate = {}, {}
    for arm, size in sizes.items():
        tested = [example for example in check.examples if arms[example] == arm]
        own = [each for each in tested if each in short]
        share[arm], rate[arm] = size * len(own) / check.arms[arm].drawn, len(failing.intersection(own)) / len(own)
    expected = sum(share[arm] * rate[arm] for arm in sizes) / sum(share.values())
    assert found.rate == pytest.approx(expected, abs=0.01)
    assert found.rate != pytest.approx(found.failing / found.tested, abs=0.01)


@pytest.mark.slow
def test_of_a_slice_that_a_baseline_held_too_what_newly_fails_is_a_test_of_the_comparison(
    tmp_path: Path, whole: Any
) -> None:
    after = sliced(tmp_path, "null", model={"use": "reference/cnn"}, baseline=whole)
    (comparison,) = after.record.comparisons
    found = comparison.checks[0].errors["slice short"]
    was = set(whole.checks[0].errors["slice short"].wrong)
    now = set(after.record.checks[0].errors["slice short"].wrong)
    right = [{example.id for example in record.examples if example.correct} for record in (whole, after.record)]
    assert set(found.newly_broken) == (now - was) & right[0] & right[1]
    assert found.newly_broken
    assert found.p_value is not None
    assert "slice long" in comparison.checks[1].errors
    others = [
        each.model_copy(update={"definition": {"words": [1, 2]}}) if each.name == "short" else each
        for each in whole.slices
    ]
    apart = compare(whole.model_copy(update={"slices": others}), after.record)
    assert "of other examples than in the baseline, and not compared: slice short." in apart.notes
    assert {kind for check in apart.checks for kind in check.errors if kind.startswith("slice ")} == {"slice long"}


GATED = """\
suite: gated
model: {use: reference/fasttext}
data: {use: reviews, limit: 120}
slices: {unsure: {confidence: [null, 0.6], limit: 0.1}}
checks: {typos: {perturb: typos}}
reports: [html, json, junit, sarif, markdown]
"""


def test_a_slice_alone_fails_the_run_and_every_report_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gated.yaml").write_text(GATED, encoding="utf-8")
    run = robustfim.run("gated.yaml", reports="out")
    (check,) = run.record.checks
    members = {example.id for example in run.record.examples if max(example.probabilities or ()) <= 0.6}
    assert set(check.errors["slice unsure"].examples) == members & set(check.examples)
    assert check.outcome is Outcome.FAILED
    assert run.record.exit_code == 1
    error = check.errors["slice unsure"]
    told = f"{error.failing} of {error.tested} examples of the slice unsure fail"
    texts = {path.suffix: path.read_text("utf-8", "replace") for path in Path("out/gated").iterdir()}
    assert "slice unsure" in texts.pop(".md")
    assert "slice unsure" in texts.pop(".sqlite")
    assert len(texts) == 4
    assert all(told in text for text in texts.values())


def test_with_every_slice_at_its_limit_few_runs_fail() -> None:
    random = np.random.default_rng(11)
    runs, ids = 1200, [str(number) for number in range(120)]
    slices = {"one": frozenset(ids[:60]), "two": frozenset(ids[40:])}
    wrong = 0
    for failing in random.random((runs, 3, len(ids))) < 0.1:
        checks = []
        for place, row in enumerate(failing):
            bad = {id for id, fails in zip(ids, row, strict=True) if fails}
            check = counted_check(len(bad), len(ids), id=f"s.yaml::{place}", limit=0.1)
            own = trials(ids, bad)
            checks.append(with_slices(check, {name: (own.within(each), 0.1) for name, each in slices.items()}))
        wrong += any(check_record.outcome is Outcome.FAILED for check_record in decide(checks, {}))
    assert wrong / runs <= 0.025 + 3 * (0.025 * 0.975 / runs) ** 0.5


def trials(ids: Iterable[str], failing: Collection[str], clusters: Mapping[str, str] | None = None) -> Trials:
    """One check on examples of one arm."""
    ids = [*ids]
    value, cluster = [id in failing for id in ids], map((clusters or {}).get, ids)
    return Trials.made(ids, value=value, stratum=["all"] * len(ids), cluster=cluster)


def counted_check(failing: int, tested: int, **more: Any) -> CheckCounts:
    arms = {"all": ArmRecord(drawn=tested, tested=tested, failing=failing)}
    fields: dict[str, Any] = {"id": "s.yaml::c", "name": "c", "failing": failing, "tested": tested, "arms": arms}
    return CheckCounts(**(fields | more))


def test_gold_spans_that_a_tagger_misses_are_counted_of_the_tested_examples_and_the_labels_that_count() -> None:
    plain = Prediction.of([0.4, 0.6], ("a", "b"))
    tested = [(id, ["x"], plain, arm) for id, arm in (("e1", "all"), ("e2", "all"), ("e3", "all"))]
    missed = [
        ("e1", "PER", True, True), ("e2", "PER", False, True), ("e3", "PER", False, False),
        ("e1", "LOC", False, True), ("gone", "PER", True, True),
    ]  # fmt: skip
    counts = CheckCounts(
        id="c", name="c", tested=3, missed=missed, arms={"all": ArmRecord(drawn=3, tested=3, failing=2)}
    )
    errors = with_errors(counts, tested, {}, {"missed": 0.5}).errors
    found = {
        name: (error.label, error.tested, error.before, error.failing, error.wrong) for name, error in errors.items()
    }
    assert found == {"missed PER": ("PER", 3, 1, 2, ["e1", "e2"]), "missed LOC": ("LOC", 1, 0, 1, ["e1"])}
    assert {error.limit for error in errors.values()} == {0.5}
    one = counts.model_copy(update={"expectation": {"use": "invariant", "labels": ["LOC"]}})
    assert [*with_errors(one, tested, {}, {}).errors] == ["missed LOC"]


def test_the_examples_of_a_slice_are_counted_as_they_fail_and_are_not_wrong_before() -> None:
    counts = CheckCounts(id="c", name="c", tested=5, arms={"all": ArmRecord(drawn=5, tested=5, failing=2)})
    own = trials("vwxyz", {"v", "x", "q"})
    errors = with_slices(
        counts, {"short": (own.within({"v", "w", "x", "gone"}), 0.3), "none": (own.within(()), 0.1)}
    ).errors
    assert [*errors] == ["slice short", "slice none"]
    short, none = errors.values()
    assert (short.tested, short.failing, short.before, short.limit) == (3, 2, 0, 0.3)
    assert (short.examples, short.wrong, short.interval) == ([*"vwx"], ["v", "x"], wilson(2, 3))
    assert (none.tested, none.failing, none.interval, none.limit) == (0, 0, None, 0.1)


def decided(*arms: tuple[str, int, int, int]) -> CheckCounts:
    """Examples with the label in arms of (name, size, drawn, missed), all of them tested, with what is missed counted.

    Every second one that is missed after the edits is missed before them.
    """
    tested, after = [], {}
    for name, _, drawn, missed in arms:
        for row in range(drawn):
            wrong = row < missed and row % 2 == 0
            said = Prediction.of((0.1, 0.9) if wrong else (0.9, 0.1), ("positive", "not positive"), RULE)
            tested.append((f"{name}{row}", ["positive"], said, name))
            if row < missed:
                after[f"{name}{row}"] = ["not positive"]
    counts = CheckCounts(
        id="c", name="c", tested=len(tested),
        strata=tuple(Stratum(size, drawn, drawn, 0) for _, size, drawn, _ in arms),
        arms={name: ArmRecord(drawn=drawn, tested=drawn, failing=0) for name, _, drawn, _ in arms},
    )  # fmt: skip
    return with_errors(counts, tested, after, {})


def estimated(check: CheckCounts, kind: str) -> Estimate:
    estimate = check.estimates[kind]
    assert isinstance(estimate, Estimate)
    return estimate


def test_two_arms_stand_for_their_parts_of_the_data_before_and_after_the_edits() -> None:
    check = decided(("hard", 40, 40, 20), ("rest", 300, 60, 6))
    error = check.errors["missed"]
    strata = (Stratum(40, 40, 40, 20), Stratum(300, 60, 60, 6))
    after, before = (
        stratified_rate(strata),
        stratified_rate([replace(stratum, failing=stratum.failing // 2) for stratum in strata]),
    )
    assert after is not None
    assert before is not None
    assert (error.rate, error.interval) == (after[0], after[1])
    assert error.rate == pytest.approx((40 * 20 / 40 + 300 * 6 / 60) / 340)
    assert error.rate_before == before[0]
    assert (error.before, error.failing, error.tested, error.effective) == (13, 26, 100, None)
    assert estimated(check, "missed").strata == strata


@pytest.mark.parametrize("arms", [(("all", 300, 60, 6),), (("hard", 40, 40, 20), ("rest", 60, 60, 6))])
def test_one_arm_and_arms_that_were_drawn_whole_stand_for_themselves(arms: Any) -> None:
    check = decided(*arms)
    (error,) = check.errors.values()
    assert (error.weighted, estimated(check, "missed").strata) == (False, ())
    assert error.interval == wilson(error.failing, error.tested)


def test_of_an_arm_of_a_single_example_its_part_is_all_that_the_arm_stands_for() -> None:
    strata = estimated(decided(("hard", 1, 1, 1), ("rest", 8, 1, 0)), "missed").strata
    assert strata == (Stratum(1, 1, 1, 1), Stratum(8, 1, 1, 0))


def test_without_a_gold_label_an_example_is_neither_missed_nor_a_false_alarm() -> None:
    said = Prediction.of((0.9, 0.1), ("positive", "not positive"), RULE)
    rows = [("a", ["positive"], said, "all"), ("b", [], said, "all")]
    counts = CheckCounts(id="c", name="c", tested=2, arms={"all": ArmRecord(drawn=2, tested=2, failing=0)})
    errors = with_errors(counts, rows, {}, {}).errors
    assert {name: error.examples for name, error in errors.items()} == {"missed": ["a"]}, "no example has no label"
    held = with_errors(counts, rows, {}, {"false_alarm": 0.1}).errors["false_alarm"]
    assert (held.tested, held.limit, held.interval) == (0, 0.1, None)


def of_writers(missing: int, strata: tuple[Stratum, ...] = (), **more: Any) -> CheckCounts:
    """Texts of 40 writers, every one with the label: 6 of each, in two arms; of the first writers all are missed.

    The flips of the check lie elsewhere, one in every cluster.
    """
    said = Prediction.of((0.9, 0.1), ("positive", "not positive"), RULE)
    ids = [f"{writer}-{text}" for writer in range(40) for text in range(6)]
    arm = {id: ("hard" if strata and id.endswith(("0", "1", "2")) else "rest") for id in ids}
    arms = {
        name: ArmRecord(drawn=number, tested=number, failing=0)
        for name in ("hard", "rest") if (number := sum(each == name for each in arm.values()))
    }  # fmt: skip
    counts = CheckCounts(
        id="s.yaml::c", name="c", tested=len(ids), failing=40, effective=240.0, clusters=40, strata=strata, arms=arms,
        limit={"missed": 0.2}, **more,
    )  # fmt: skip
    rows = [(id, ["positive"], said, arm[id]) for id in ids]
    lost = {id: ["not positive"] for id in ids if int(id.partition("-")[0]) < missing}
    return with_errors(counts, rows, lost, {"missed": 0.2}, clusters=writer_of(ids))


def writer_of(ids: Iterable[str]) -> dict[str, str]:
    return {id: id.partition("-")[0] for id in ids}


def test_a_kind_of_error_takes_the_clusters_of_its_own_texts() -> None:
    check = of_writers(4)
    error = check.errors["missed"]
    effective = effective_number([6] * 4 + [0] * 36, [6] * 40)
    assert (error.failing, error.tested) == (24, 240)
    assert error.effective == pytest.approx(effective)
    assert effective < 40, "whole writers are missed: each is one unit, whatever the flips of the check are"
    assert error.interval == Mean({(6.0, 6): 4, (0.0, 6): 36}).interval
    alone = present(wilson(24, 240))
    assert alone[1] < 0.15, "as independent texts they would pass"
    (record,) = decide([check.model_copy(update={"tested": 800})], {})  # the other 560 are texts without the label
    assert (record.outcome, record.clusters) == (Outcome.INCONCLUSIVE, 40)
    assert record.needed is not None
    more = f"draw about {record.needed:,} more examples in {-(-record.needed * 40 // 240):,} more clusters"
    assert more in record.message


def test_a_kind_of_error_in_two_arms_takes_the_clusters_of_its_own_texts() -> None:
    strata = (Stratum(120, 120, 120, 20), Stratum(600, 120, 120, 20))
    check = of_writers(4, strata)
    # Of each writer three texts stand for themselves, and three for five texts each.
    assert present(estimated(check, "missed").clustered).trials == {(18.0, 18.0): 4, (0.0, 18.0): 36}
    assert check.errors["missed"].interval == pytest.approx(Mean({(18.0, 18.0): 4, (0.0, 18.0): 36}).interval)
    assert decide([check], {})[0].outcome is Outcome.INCONCLUSIVE


def test_an_arm_without_a_tested_text_may_hold_one_more_cluster_and_the_clusters_of_the_other_count() -> None:
    strata = {"hard": Stratum(120, 40, 0, 0), "rest": Stratum(600, 240, 0, 0)}
    ids = [f"{writer}-{text}" for writer in range(40) for text in range(6)]
    own = trials(ids, {id for id in ids if id.startswith("1-")}, writer_of(ids))
    found = Design(strata).estimate(replace(own, stratum=np.array(["rest"] * 240, dtype=object)))
    # Each text stands for 2.5, and one of the arm without any for 3. Its cluster fails against "passed", not "failed".
    passed, failed = ({(15.0, 15.0): 1, (0.0, 15.0): 39, (wrong, 18.0): 1} for wrong in (18.0, 0.0))
    for limit in (0.02, 0.1, 0.2):
        expected = Mean(passed).p_value(limit, Outcome.PASSED)
        assert present(found.clustered).p_value(limit, Outcome.PASSED) == pytest.approx(expected)
        expected = Mean(failed).p_value(limit, Outcome.FAILED)
        assert present(found.clustered).p_value(limit, Outcome.FAILED) == pytest.approx(expected)
    assert found.counts.interval == present(found.clustered).interval
    assert found.rate == pytest.approx(1 / 40)


def test_a_slice_takes_the_clusters_of_its_own_texts_and_of_a_single_one_is_worth_one_example() -> None:
    ids = [f"{writer}-{text}" for writer in range(20) for text in range(10)]
    check = counted_check(20, 200, clusters=20, effective=200.0, examples=ids)
    some, alone = [id for id in ids if id < "15"], [id for id in ids if id.startswith("3-")]
    failing = {id for id in some if id.startswith(("0-", "1-"))}
    own = trials(ids, failing, writer_of(ids))
    errors = with_slices(check, {"some": (own.within(some), 0.4), "alone": (own.within(alone), 0.5)}).errors
    sums, sizes = [10, 10, *[0] * (len(some) // 10 - 2)], [10] * (len(some) // 10)
    assert errors["slice some"].effective == pytest.approx(effective_number(sums, sizes))
    assert errors["slice alone"].effective == 1
    assert errors["slice alone"].interval == Mean({(0.0, 10): 1}).interval


def test_no_recall_is_read_off_below_the_threshold_of_the_decision_where_nothing_was_edited() -> None:
    """Of 4 texts with the label two reach the threshold of 0.7, and one of these falls to 0.5 after an edit."""
    said = {name: Prediction.of((at, 1 - at), ("positive", "not positive"), RULE)
            for name, at in {"kept": 0.9, "fell": 0.8, "near": RULE.at - 0.1, "far": 0.01}.items()}  # fmt: skip
    rows = [(name, ["positive"], prediction, "all") for name, prediction in said.items()]
    low = FewAlarms(0.05, 0.04, 0.06)
    arms = {"all": ArmRecord(drawn=4, tested=4, failing=0)}
    found = {}
    for counts in ("broken", "changes"):
        check = CheckCounts(id="c", name="c", tested=4, arms=arms, counts=counts, lowest={("fell", "positive"): 0.1})
        found[counts] = with_errors(check, rows, {}, {}, {"positive": low}).errors["missed_at_1_percent"]
    assert (found["broken"].at, found["broken"].before, found["broken"].failing) == (RULE.at, 2, 3)
    assert (found["changes"].at, found["changes"].before, found["changes"].failing) == (0.05, 1, 1), "all were edited"


def test_a_probability_of_the_threshold_itself_is_not_below_it() -> None:
    said = Prediction.of((0.6, 0.4), ("positive", "not positive"), RULE)
    counts = CheckCounts(id="c", name="c", tested=1, arms={"all": ArmRecord(drawn=1, tested=1, failing=0)})

    def strict(few: FewAlarms) -> ErrorRecord:
        rows = [("a", ["positive"], said, "all")]
        return with_errors(counts, rows, {}, {}, {"positive": few}).errors["missed_at_1_percent"]

    ends, at = wilson(0, 1), said.alone("positive")
    assert ends is not None
    held = strict(FewAlarms(at, at, at))
    assert (held.before, held.failing) == (0, 0)
    assert held.interval == FewAlarms.interval(0.0, ends, 0.0, 0.0)
    ends = present(wilson(1, 1))
    lost = strict(FewAlarms(at + 0.1, at - 0.1, at + 0.2))
    assert (lost.before, lost.failing) == (1, 1)
    assert lost.interval == FewAlarms.interval(1.0, ends, 0.0, 1.0)
