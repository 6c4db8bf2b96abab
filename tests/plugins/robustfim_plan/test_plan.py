import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from robustfim.errors import UsageError
from robustfim.exhibit import Bar
from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.comparison import compare
from robustfim.judge.verdicts import decide
from robustfim.outcome import Outcome
from robustfim.record import (
    ArmRecord,
    CandidateCounts,
    CheckRecord,
    DataRecord,
    Environment,
    ErrorRecord,
    ModelRecord,
    Record,
    SelectionRecord,
)
from robustfim.statistics import Aim, Rate, corrected, limit_power, tail
from robustfim_plan.plan import make_plan
from robustfim_power import Churn, paired_power


def check(name: str, tested: int, failing: int, *, drawn: int = 100, **more: object) -> CheckRecord:
    """A check of a pilot; its tested examples are the first of the data."""
    parts: dict[str, object] = {
        "arms": {"all": ArmRecord(drawn=drawn, tested=tested, failing=failing)},
        "candidates": CandidateCounts(tested=3 * tested),
        "examples": [f"e{number}" for number in range(tested)],
        "limit": 0.1,
    }
    found = {"id": f"s.yaml::{name}", "name": name, "tested": tested, "failing": failing}
    (decided,) = decide([CheckCounts.model_validate(found | parts | more)], {})
    return decided


def pilot(*checks: CheckRecord, **more: object) -> Record:
    return Record.model_validate(
        {
            "suite": "s",
            "model": ModelRecord(use="toy"),
            "data": DataRecord(use="rows", examples=1000),
            "environment": Environment(robustfim="0", python="3"),
            "seed": 0,
            "started": "2026-01-01",
            "checks": list(checks),
            "duration_s": 10.0,
            "model_calls": 500,
        }
        | more
    )


def test_drawn_examples_are_scaled_by_the_share_that_can_be_tested() -> None:
    (line,) = make_plan(pilot(check("a", 25, 1)), rates={}).limits
    assert line.rate == 0.04
    assert line.testable == 0.25
    (feared,) = make_plan(pilot(check("a", 25, 1)), rates={"": 0.04}).limits
    (whole,) = make_plan(pilot(check("a", 100, 4)), rates={"": 0.04}).limits
    drawn, tested = feared.drawn[0.8], feared.tested(0.8)
    assert drawn is not None
    assert tested is not None
    assert tested == pytest.approx(drawn / 4, abs=1)
    assert tested == pytest.approx(whole.drawn[0.8], rel=0.15), "counts are whole, numbers come in steps of 5 %"
    assert limit_power(Aim(0.04, 0.1), tested) == pytest.approx(0.8, abs=0.05)


def test_a_small_pilot_leaves_more_open_than_a_large_one_and_a_feared_rate_nothing() -> None:
    few, many = (make_plan(pilot(check("a", size, size // 20, drawn=size)), rates={}) for size in (40, 2000))
    known = make_plan(pilot(check("a", 40, 2, drawn=40)), rates={"a": 0.05})
    for made in (few, many, known):
        assert sum(made.codes[0.8]) == pytest.approx(1)
    numbers = [made.limits[0].drawn[0.8] or 10**6 for made in (few, many, known)]
    assert numbers[0] > 1.3 * numbers[1]
    assert numbers[1] == pytest.approx(numbers[2], rel=0.15)
    assert many.codes[0.8][0] == pytest.approx(0.8, abs=0.05)


def test_the_chances_of_the_exit_codes_are_those_of_runs_that_are_judged() -> None:
    made = make_plan(pilot(check("a", 100, 4), check("b", 50, 6)), rates={"a": 0.05, "b": 0.14})
    drawn, random = made.drawn(0.8), np.random.default_rng(3)
    ends = Counter[int]()
    for _ in range(1000):
        counts = [random.binomial(drawn, 0.05), random.binomial(round(drawn / 2), 0.14)]
        tails = [tail(counts[0], drawn, 0.1), tail(counts[1], round(drawn / 2), 0.1)]
        sides = [each.side for each in corrected(tails)]
        proved = all(side is Outcome.PASSED for side in sides)
        ends[1 if Outcome.FAILED in sides else 0 if proved else 6] += 1
    assert [ends[code] / 1000 for code in (0, 1, 6)] == pytest.approx(made.codes[0.8], abs=0.05)


def test_a_feared_rate_takes_the_place_of_the_pilots_for_one_check_or_for_all() -> None:
    made = make_plan(pilot(check("a", 50, 1), check("b", 50, 1)), rates={"a": 0.3, "": 0.02})
    assert [limit.rate for limit in made.limits] == [0.3, 0.02]


def test_each_arm_with_a_limit_of_its_own_is_planned() -> None:
    arms = {
        "difficult": ArmRecord(drawn=50, tested=50, failing=30, limit=0.4),
        "control": ArmRecord(drawn=50, tested=25, failing=1, limit=0.1),
    }
    made = make_plan(
        pilot(check("a", 75, 31, arms=arms, limit={"difficult": 0.4, "control": 0.1})), rates={"a.control": 0.02}
    )
    assert [(limit.arm, limit.rate, limit.testable) for limit in made.limits] == [
        ("difficult", 0.6, 1),
        ("control", 0.02, 0.5),
    ]
    assert set(made.rows(0.8)) == {"difficult", "control"}
    assert made.drawn(0.8) == sum(made.rows(0.8).values())


def test_the_cost_counts_the_examples_and_their_candidates() -> None:
    made = make_plan(pilot(check("a", 50, 2), check("b", 100, 2)), rates={})
    assert made.per_example == pytest.approx(1.5 + 3)
    assert made.calls(0.8) == 1000 + round(made.drawn(0.8) * 4.5 + 0.49)
    assert made.seconds == 10 / 500
    assert make_plan(pilot(check("a", 50, 2), cached_calls=900), rates={}).seconds is None


LABELLED = {
    "model": ModelRecord(use="toy", accuracy=Rate(720, 800)),
    "data": DataRecord(use="rows", examples=1000, labelled=800),
}


def test_an_equal_model_is_proved_no_worse_in_accuracy_and_robust_accuracy_at_once_as_often_as_planned() -> None:
    made = make_plan(pilot(check("a", 100, 4), check("b", 100, 4), **LABELLED), rates={}, margin=0.05, churn=0.02)
    drawn = made.release[0.8]
    assert drawn is not None
    assert [margin.name for margin in made.margins] == ["accuracy", "robust accuracy"]
    assert 1 - sum(1 - margin.power(drawn) for margin in made.margins) >= 0.8
    assert 1 - sum(1 - margin.power(drawn - 1) for margin in made.margins) < 0.8, "and no fewer do"
    assert paired_power(made.margins[1].churn, drawn, 0.05) == made.margins[1].power(drawn)
    assert made.margins[0].power(drawn) == paired_power(made.margins[0].churn, 800, 0.05), "all labelled ones count"


def test_the_verdict_of_a_release_comes_as_often_as_its_plan_says() -> None:
    from robustfim.statistics.paired import Paired

    made = make_plan(pilot(check("a", 100, 4), **LABELLED), rates={}, margin=0.03, churn=0.02)
    drawn, random = made.release[0.8], np.random.default_rng(0)
    assert drawn is not None
    tested = np.array([drawn, 800])
    changes = random.multinomial(tested, [0.01, 0.01, 0.98], size=(4000, 2))
    proved = [
        all(Paired(int(b), int(f), int(n)).is_no_worse(0.03) for (b, f, _), n in zip(run, tested, strict=True))
        for run in changes
    ]
    assert 0.8 - 0.02 <= np.mean(proved) <= 0.9, "independent checks; the plan holds for any dependence"


def test_too_few_labelled_examples_for_accuracy_leave_the_release_unplanned_and_say_how_many_it_takes() -> None:
    from robustfim_plan.shown_plan import findings

    made = make_plan(pilot(check("a", 100, 4), **LABELLED), rates={}, margin=0.005, churn=0.02)
    assert made.release == {0.8: None, 0.9: None}
    told, _ = (line for line in findings(made) if line.startswith("Accuracy is compared on all 800 labelled"))
    number = int(told.split(" alone")[0].rpartition(" ")[2].replace(",", ""))
    assert paired_power(made.margins[0].churn, number, 0.005) >= 0.8
    assert paired_power(made.margins[0].churn, number - 1, 0.005) < 0.8


def test_accuracy_has_no_plan_without_gold_labels_and_robust_accuracy_takes_the_failures_of_the_pilot() -> None:
    (alone,) = make_plan(pilot(check("a", 100, 0)), rates={}, margin=0.05).margins
    assert (alone.name, alone.churn) == ("robust accuracy", Churn.of(0.0))


@pytest.mark.slow
def test_a_limit_for_all_is_planned_at_the_estimate_from_both_arms_and_at_what_they_are_worth() -> None:
    arms = {
        "difficult": ArmRecord(drawn=50, tested=50, failing=25),
        "control": ArmRecord(drawn=50, tested=50, failing=2),
    }
    weighted: dict[str, Any] = {"arms": arms, "rate": 0.064, "interval": (0.03, 0.17)}
    selection = SelectionRecord(difficult=50, control=50)
    (line,) = make_plan(pilot(check("a", 100, 27, **weighted), selection=selection), rates={}).limits
    assert line.rate == 0.064, "not the 27 % of both arms together"
    random = np.random.default_rng(0)
    rates = 25.5 / 51, 2.5 / 51
    mean = 0.05 * rates[0] + 0.95 * rates[1]
    drawn = 0.05 * random.binomial(50, rates[0], 200_000) / 50 + 0.95 * random.binomial(50, rates[1], 200_000) / 50
    assert line.testable / line.counted == pytest.approx(
        drawn.var() / (random.binomial(100, mean, 200_000) / 100).var(), rel=0.03
    )
    (plain,) = make_plan(pilot(check("a", 100, 27)), rates={"": 0.064}).limits
    (feared,) = make_plan(pilot(check("a", 100, 27, **weighted), selection=selection), rates={"": 0.064}).limits
    assert feared.drawn[0.8] == pytest.approx((plain.drawn[0.8] or 0) * line.testable / line.counted, rel=0.1)


def test_what_the_pilot_found_against_its_baseline_is_its_churn() -> None:
    from robustfim.record import Failure, PredictionRecord

    side = PredictionRecord(label="x", probabilities=[1.0])

    def broken(*numbers: int) -> list[Failure]:
        return [
            Failure(id=f"f{n}", check="s.yaml::a", example=f"e{n}", fields={}, before=side, after=side) for n in numbers
        ]

    new = pilot(check("a", 100, 4), failures=broken(0, 1, 2, 3))
    alone = make_plan(new, rates={}, margin=0.05)
    new = new.compared([compare(pilot(check("a", 100, 4), failures=broken(2, 3, 4, 5)), new)])
    made = make_plan(new, rates={}, margin=0.05)
    assert (made.limits, made.notes) == (alone.limits, alone.notes)  # a comparison is no further limit
    assert [(margin.churn.broken, margin.churn.fixed) for margin in made.margins] == [(0.02, 0.02)]


def test_what_cannot_be_planned_is_said() -> None:
    none = check("none", 0, 0, ended=Outcome.ERROR, message="tested nothing: no names.")
    made = make_plan(pilot(check("a", 50, 1), check("zero", 50, 1, limit=0.0), check("at", 50, 5), none), rates={})
    assert [limit.check for limit in made.limits] == ["a", "at"]
    assert made.notes == (
        "none tested nothing in the pilot: tested nothing: no names.",
        "zero has a limit of 0, which one failing example decides, or none.",
    )
    feared = make_plan(pilot(check("a", 50, 1), check("at", 50, 5)), rates={"at": 0.1})
    assert [limit.check for limit in feared.limits] == ["a"]
    assert feared.notes == ("at has a rate of just its limit, 0.1, which no number of examples decides.",)
    with pytest.raises(UsageError, match="no check 'peeple'"):
        make_plan(pilot(check("people", 50, 1)), rates={"peeple": 0.1})
    with pytest.raises(UsageError, match="tested nothing, so there is nothing to plan"):
        make_plan(pilot(none), rates={})


def test_a_limit_for_an_error_is_planned_for_every_label_of_what_the_data_hold_of_it() -> None:
    errors = {
        f"{kind} {label}": ErrorRecord(drawn=size, tested=size, failing=failing, label=label, limit=limit)
        for kind, label, size, failing, limit in [
            ("missed", "toxic", 25, 1, 0.2), ("missed", "insult", 10, 1, 0.2), ("changed", "toxic", 100, 1, None)
        ]
    }  # fmt: skip
    made = make_plan(pilot(check("a", 100, 1, limit={"missed": 0.2}, errors=errors)), rates={})
    assert {limit.name: (limit.rate, limit.testable) for limit in made.limits} == {
        "a, missed toxic": (0.04, 0.25), "a, missed insult": (0.1, 0.1)
    }  # fmt: skip


def test_limits_for_two_kinds_of_error_are_planned() -> None:
    from robustfim.record import ErrorRecord

    error = ErrorRecord(drawn=50, tested=50, failing=2, limit=0.1)
    kinds = {"missed": error, "false_alarm": error}
    made = make_plan(pilot(check("a", 100, 4, limit={"missed": 0.1, "false_alarm": 0.1}, errors=kinds)), rates={})
    assert [limit.arm for limit in made.limits] == ["missed", "false_alarm"]


def test_the_limit_of_a_slice_is_planned_by_the_share_of_the_examples_that_lie_in_it() -> None:
    short = ErrorRecord(drawn=20, tested=20, failing=1, limit=0.2)
    one, two = make_plan(pilot(check("a", 100, 4, errors={"slice short": short})), rates={}).limits
    assert (one.arm, two.arm) == ("", "slice short")
    assert (two.rate, two.limit, two.testable) == (0.05, 0.2, 0.2)
    assert two.tested(0.8) == math.ceil((two.drawn[0.8] or 0) / 5)
    (alone,) = make_plan(pilot(check("b", 100, 4, limit=None, errors={"slice short": short})), rates={}).limits
    assert alone.arm == "slice short"


def test_the_headline_speaks_of_every_limit_and_of_the_release() -> None:
    from robustfim_plan.shown_plan import answer

    both = make_plan(pilot(check("a", 100, 4), **LABELLED), rates={"": 0.02}, margin=0.1, churn=0.02)
    number = max(both.limits[0].drawn[0.8] or 0, both.release[0.8] or 0)
    assert answer(both) == [
        f"{number:,} examples decide each limit and prove an equal model no worse in 80 % of cases."
    ]
    unproved = make_plan(pilot(check("a", 100, 4), **LABELLED), rates={"": 0.02}, margin=0.005, churn=0.02)
    assert answer(unproved) == [
        f"{unproved.drawn(0.8):,} examples decide each limit in 80 % of cases; no number that can be drawn proves an "
        "equal model no worse so often; the data hold 1,000."
    ]
    near = make_plan(pilot(check("a", 100, 10), check("b", 100, 1)), rates={"a": 0.0999, "b": 0.01})
    assert near.limits[0].drawn[0.8] is None
    assert answer(near) == ["No number that can be drawn decides a so often; the data hold 1,000."]
    assert answer(make_plan(pilot(check("a", 100, 4, limit=None)), rates={})) == []


def test_the_axis_ends_beyond_the_decision_and_marks_the_data_at_hand() -> None:
    from robustfim_plan.shown_plan import figures

    for rate, about in ((0.05, 234), (0.09, 7125)):
        made = make_plan(pilot(check("a", 100, 4), check("b", 100, 1)), rates={"a": rate, "b": 0.01})
        needed = made.drawn(0.8)
        assert needed == pytest.approx(about, rel=0.1)
        (figure,) = figures(made)
        last = max(10 ** (point[0] or 0) for series in figure.series for point in series.points)
        assert needed <= last <= 1.5 * needed
        assert figure.along is not None
        assert 10 ** figure.along[1] == pytest.approx(max(last, 1000)), "whatever is more"
        assert (figure.upright, figure.upright_name) == (3.0, "the 1,000 at hand")
        assert all(f"{10**place:,.0f}" == name for place, name in figure.places)


def test_a_row_holds_the_interval_of_the_pilot_unless_the_rate_is_feared() -> None:
    from robustfim_plan.shown_plan import tables

    ends = (0.0157, 0.0984)
    both = pilot(check("a", 100, 4, interval=ends), check("b", 100, 1, interval=(0.0018, 0.0545)))
    (table,) = tables(make_plan(both, rates={"b": 0.02}))
    rows = {row[0]: (row[1], bar) for row, bar in zip(table.rows, table.bars, strict=True)}
    assert rows["a"] == ("4 % [1.6, 9.8]", Bar(rate=0.04, interval=ends, limit=0.1))
    assert rows["b"] == ("2 %", Bar(rate=0.02, limit=0.1))
