"""Suites that hold every pair of features: each is refused with the names of both, or says what is counted by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

import pytest
from scipy.stats import binom

import robustfim
from benchmarks.pairs import (
    ARM,
    CANDIDATES,
    EASY,
    NUMBER,
    REDUCERS,
    SAMPLE,
    SUITES,
    Endings,
    Model,
    Rows,
    Suite,
    chance,
    fields,
    gold,
    held_pairs,
    pairs,
    red,
    suites,
)
from benchmarks.pairs import run as run_suite
from robustfim import Example
from robustfim.collect.supports import FEATURES as DECLARED
from robustfim.errors import UsageError
from robustfim.record import Record
from robustfim.session import open_session
from robustfim.statistics import allocation
from robustfim.suite import SuiteFile

NAMES = {
    "decision": ("decide",), "sampling": ("control", "difficult", "arm", "examples", "strata", "select"),
    "reducer": ("mean", "all", "at_most", "share", "fails"), "limit": ("limit",), "of": ("of: file", "'of'"),
    "slices": ("slice",), "repeat": ("repeat",), "counts": ("counts", "changes"), "budget": ("budget",),
    "cluster": ("cluster",), "baseline": ("baseline",),
}  # fmt: skip
"""What an error calls a feature."""


@cache
def probability(version: int, row: int, ending: str) -> float:
    """P(b) of a text: mostly on the side of its label, and seldom changed by its last word."""
    right = chance(version, "right", row) < 0.85
    if ending != "end" and chance(version, "moved", row, ending) < 0.12:
        right = not right
    sure = 0.5 + 0.02 + 0.45 * chance(version, row, ending)
    return sure if (gold(row) == "b") is right else 1 - sure


def decision(suite: Suite, version: int, row: int, ending: str) -> str:
    """What a text is decided for: a, b or nothing."""
    b = probability(version, row, ending)
    if suite["decision"] == "label":
        return "b" if b >= 0.6 else "a"
    if suite["decision"] == "abstain" and max(b, 1 - b) < 0.6:
        return "nothing"
    return "b" if b >= 0.5 else "a"


def run(suite: Suite, version: int, baseline: Record | None = None) -> Record:
    return run_suite(suite, Model(partial(probability, version), version), baseline)


ROWS = {Example(fields(row)).id: row for row in range(NUMBER)}


class Literal:
    """What a run finds, counted row by row from what the model is known to say.

    Args:
        suite: The suite.
        version: The model.
        record: Which rows were drawn, and from which part of the data.
    """

    def __init__(self, suite: Suite, version: int, record: Record) -> None:
        self.suite, self.version = suite, version
        self.arms = {ROWS[example.id]: str(example.arm) for example in record.examples if example.arm is not None}
        self.arms |= {ROWS[id]: name for name, ids in record.selection.drawn.items() for id in ids}
        self.sizes = {"all": NUMBER, "difficult": ARM, "control": NUMBER - ARM - EASY, "easiest": EASY}
        if suite["sampling"] == "random":
            self.sizes["control"] = NUMBER
        if suite["sampling"] == "strata":
            self.sizes = {f"stratum {n}": size for n, (size, _) in enumerate(allocation(NUMBER, SAMPLE), 1)}

    def right(self, row: int, ending: str = "end") -> bool:
        return decision(self.suite, self.version, row, ending) == gold(row)

    def value(self, row: int) -> float:
        """By how much a row fails."""
        endings = [f"x{number}" for number in range(CANDIDATES)]
        if self.suite["counts"] == "broken":
            return REDUCERS[self.suite["reducer"]][1](sum(not self.right(row, ending) for ending in endings))
        before, *after = (decision(self.suite, self.version, row, ending) for ending in ("end", *endings))
        return REDUCERS[self.suite["reducer"]][1](sum(each != before for each in after))

    def wrong_on_any(self, row: int) -> bool:
        """Whether the model is wrong about a row before any change, or after one."""
        return not self.right(row) or self.wrong_after(row)

    def wrong_after(self, row: int) -> bool:
        """Whether the model is wrong about a row after a change."""
        return not all(self.right(row, f"x{number}") for number in range(CANDIDATES))

    def failing(self, row: int) -> float:
        """Whether it is not robustly right: 1 or 0."""
        return float(not self.right(row) or self.value(row) > 0)

    @property
    def at_risk(self) -> list[int]:
        """The drawn rows that can fail."""
        return [row for row in self.arms if self.suite["counts"] == "changes" or self.right(row)]

    def mean(self, values: Mapping[int, float], drawn: Mapping[str, int]) -> float:
        """Weigh the means of each part of the data by what it stands for: N t / n.

        Args:
            values: The numbers of the tested rows.
            drawn: Rows drawn from each part.
        """
        weights = {row: self.sizes[self.arms[row]] / drawn[self.arms[row]] for row in values}
        return sum(weights[row] * value for row, value in values.items()) / sum(weights.values())

    def of(self, values: Mapping[int, float], drawn: Mapping[str, int]) -> float:
        """The rate of a part of the data: of what it stands for where a design says so, else of the tested rows."""
        plain = self.suite["reducer"] == "mean" or self.suite["sampling"] in ("all", "random")
        if plain and (self.suite["of"] == "population" or self.suite["reducer"] == "mean"):
            return sum(values.values()) / len(values)
        return self.mean(values, drawn)


def counted(value: float | None) -> Any:
    return pytest.approx(value, abs=1e-9)


def exact(failing: int, tested: int, limit: float) -> tuple[str, float]:
    """The verdict and the p-value of the binomial tests on both sides, each at 2.5 %."""
    sides = {"passed": binom.cdf(failing, tested, limit), "failed": binom.sf(failing - 1, tested, limit)}
    side = min(sides, key=lambda each: sides[each])
    return (side, sides[side]) if sides[side] <= 0.025 else ("inconclusive", 1.0)


def test_the_suites_hold_every_pair_of_features() -> None:
    assert set[frozenset[tuple[str, str]]]().union(*map(held_pairs, suites(SUITES))) == pairs()


@pytest.mark.parametrize(
    "place", [*range(0, SUITES, 25), *(pytest.param(n, marks=pytest.mark.slow) for n in range(SUITES) if n % 25)]
)
def test_a_suite_is_refused_with_both_names_or_says_what_is_counted_by_hand(place: int) -> None:
    suite, refusal = suites(SUITES)[place], ""
    try:
        before = run(suite, 0) if suite["baseline"] == "accepted" else None
        record = run(suite, 1, before)
    except UsageError as error:
        refusal = str(error)
    if refusal:
        named = [name for name, words in NAMES.items() if any(word in refusal for word in words)]
        assert len(named) >= 2, refusal
        return
    (check,), literal = record.checks, Literal(suite, 1, record)
    drawn = {name: arm.drawn for name, arm in check.arms.items()}
    tested = {ROWS[id] for id in check.examples}
    values = {row: literal.value(row) for row in tested}
    assert tested <= set(literal.at_risk)
    assert suite["budget"] == "drawn" or tested == set(literal.at_risk)
    assert check.failing == sum(value > 0 for value in values.values())
    plain = suite["sampling"] in ("all", "random") and suite["of"] == "population"
    plain = plain or suite["repeat"] == "asked" or suite["reducer"] == "mean" or suite["limit"] in ("zero", "none")
    weighted = check.weighted or not plain
    assert check.rate == counted(literal.mean(values, drawn) if weighted else sum(values.values()) / len(values))
    usual = {"limit": "rate", "of": "population", "cluster": "none", "repeat": "none", "budget": "none"}
    alone = suite["slices"] != "limited" and suite["sampling"] in ("all", "random") and suite["reducer"] != "mean"
    if alone and usual.items() <= suite.items():
        side, p_value = exact(check.failing, len(values), 0.2)
        assert (check.outcome, check.p_value) == (side, counted(p_value))
    if suite["repeat"] == "none":
        red_ones = {row: value for row, value in values.items() if red(row)}
        for part in record.slices:
            assert part.failures.rate == part.checks[check.id].rate == counted(literal.of(red_ones, drawn))
    if suite["slices"] == "limited":
        assert check.errors["slice red"].rate == record.slices[0].failures.rate
    for kind, has in (("missed", "b"), ("false_alarm", "a")) if suite["budget"] == "none" else ():
        if kind in check.errors and suite["repeat"] == "asked":  # how many more are wrong after changes than before
            own = [literal.wrong_after(row) - (not literal.right(row)) for row in values if gold(row) == has]
            assert check.errors[kind].rate == counted(sum(own) / len(own))
        elif kind in check.errors:
            wrong = {row: float(literal.wrong_on_any(row)) for row in literal.arms if gold(row) == has}
            assert check.errors[kind].rate == counted(literal.of(wrong, drawn))
    if before is not None and suite["repeat"] == suite["budget"] == "none":
        old = Literal(suite, 0, record)
        lost = {row: literal.failing(row) - old.failing(row) for row in literal.arms}
        assert record.comparisons[0].whole.estimate.rate == counted(literal.mean(lost, drawn))


class Tagger:
    fingerprint = "tagger"

    def tag(self, examples: Sequence[Example]) -> list[list[Any]]:
        return [[] for _ in examples]


class Speaker:
    fingerprint = "speaker"

    def answer(self, examples: Sequence[Example]) -> list[list[tuple[str, float]]]:
        return [[("b", 1.0)] for _ in examples]


PARTS: Mapping[str, Mapping[str, Any]] = {
    "valid": {"limit": {"valid": 0.1}}, "errors": {"limit": {"missed": 0.3}}, "arms": {"limit": {"control": 0.2}},
    "zero": {"limit": 0}, "repeat": {"suite": {"repeat": 2}}, "mean": {"fails": "mean"},
    "gap": {"fails": "hard_as_easy"}, "of_file": {"of": "file"}, "budget": {"budget": 60},
    "search": {"perturb": {"use": Endings(), "search": "greedy"}}, "steps": {"perturb": {"use": "eigenvector"}},
    "slices": {"suite": {"slices": {"red": {"contains": ["red"], "limit": 0.3}}}},
    "slices_of_all": {"suite": {"slices": {"red": {"contains": ["red"], "limit": 0.3}}}},
    "uneven": {"suite": {"select": {"by": "margin", "difficult": ARM, "control": ARM}}},
    "several": {"fails": "all"}, "passing": {"fails": {"share": 0.5}}, "other_reducer": {"fails": "all"},
    "other_expectation": {"expect": "changes"}, "small_budget": {"budget": 30}, "of_all": {"limit": 0.2},
    "strata": {"suite": {"select": {"by": "margin", "examples": SAMPLE}}},
    "false_alarm": {"limit": {"false_alarm": 0.3}},
    "unlimited": {"limit": None}, "xfail": {"xfail": "known"}, "answers": {"suite": {"model": {"use": Speaker()}}},
    "tagger": {"suite": {"model": {"use": Tagger()}}},
    "no_control": {
        "limit": {"difficult": 0.2}, "suite": {"select": {"by": "margin", "difficult": ARM, "control": 0}},
    },
}  # fmt: skip
"""A suite's keys for each feature that the core declares."""


def holding(*keys: str) -> Mapping[str, Any]:
    """A suite of one check that has some features."""
    check: dict[str, Any] = {"perturb": {"use": Endings()}, "expect": "invariant", "limit": 0.2}
    whole: dict[str, Any] = {
        "suite": "two",
        "model": {"use": Model(partial(probability, 0), 0)},
        "data": {"use": Rows(clustered=False)},
    }
    for key in keys:
        check |= {name: each for name, each in PARTS[key].items() if name != "suite"}
        whole |= PARTS[key].get("suite", {})
    return whole | {"scores": ["margin"], "checks": {"endings": check}}


@pytest.mark.parametrize(
    ("key", "other"), [(key, other) for key, feature in DECLARED.items() for other in feature.lacks]
)
def test_what_a_feature_does_not_support_is_refused_with_both_names_and_the_reason(key: str, other: str) -> None:
    suite = holding(key, other)
    with pytest.raises(UsageError) as refused:
        robustfim.run(suite)
    fails, expect = suite["checks"]["endings"].get("fails", "any"), suite["checks"]["endings"]["expect"]
    reducer = next(iter(fails)) if isinstance(fails, dict) else fails
    first, second = (DECLARED[each].name.format(fails=reducer, expect=expect) for each in (key, other))
    assert f"{first} does not support {second}: {DECLARED[key].lacks[other]}." in str(refused.value)


def test_a_slice_of_the_chosen_examples_alone_may_have_no_failure() -> None:
    suite = dict(holding("no_control"), slices={"red": {"contains": ["red"], "limit": 0}})
    (check,) = open_session(SuiteFile.of(suite)).collection.checks
    assert check.name == "endings"


@pytest.mark.parametrize("key", DECLARED)
def test_a_feature_alone_is_not_refused(key: str) -> None:
    suite = holding("uneven", key) if key == "arms" else holding(key)
    (check,) = open_session(SuiteFile.of(suite)).collection.checks
    assert check.name == "endings"
