"""Clusters, from the data to the verdicts of a run."""

from typing import Any

import pytest

from robustfim.collect.clusters import clusters_of
from robustfim.errors import UsageError
from robustfim.example import Example
from tests.robustfim.command_line import CommandLine, refused

GROUPED = """
from robustfim import hookimpl
from robustfim.example import Example


class Grouped:
    skipped = {}

    def __init__(self, key: str = "film"):
        self.key = key

    def load(self):
        for group in range(8):
            for member in range(5):
                words = "a good film" if group in (0, 1) else "a great film"
                yield Example({"text": f"{words} {group} {member}"}, "positive", {self.key: f"f{group}"})


@hookimpl
def robustfim_offers():
    return {"data": {"grouped": Grouped}}
"""
SUITE = """
suite: grouped
plugins: [toy.py, grouped.py]
model: wordsum
data: {use: grouped%s}
%s
checks:
  rename: {perturb: {use: rename, table: {good: awful, film: movie}}, limit: 0.3%s}
reports: [json]
"""


def run(robustfim: CommandLine, data: str = "", more: str = "", check: str = "") -> str:
    robustfim.write("grouped.py", GROUPED)
    robustfim.write("grouped.yaml", SUITE % (data, more, check))
    shown = robustfim("run grouped.yaml")
    assert "ERROR" not in shown.out + shown.err, shown
    return shown.out


def only(robustfim: CommandLine) -> Any:
    (check,) = robustfim.record("grouped").checks
    return check


def test_the_suite_names_a_field_or_a_column() -> None:
    examples = [Example({"text": "a"}, None, {"film": 7}), Example({"text": "b"}, None, {"film": None})]
    assert clusters_of(examples, "film") == {examples[0].id: "7"}
    assert clusters_of(examples, "text") == {example.id: example.text for example in examples}
    assert clusters_of(examples, None) == {}
    more = [*examples, Example({"text": "c"}, None, {"film": 8}), Example({"text": "d"}, None, {"film": 7})]
    found = clusters_of(more, "film")
    for _ in range(2):
        assert [*found.values()] == [found[id] for id in found] == ["7", "8", "7"]


def test_data_names_its_clusters_itself() -> None:
    one = Example({"text": "a"}, None, {"cluster": "x", "film": "y"})
    assert clusters_of([one], None) == {one.id: "x"}
    assert clusters_of([one], "film") == {one.id: "y"}


def test_a_field_that_no_example_has_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no example has 'fild'. Did you mean 'film'\? .*Known: film, text."):
        clusters_of([Example({"text": "a"}, None, {"film": "y"})], "fild")


def test_a_cluster_is_the_unit_of_a_runs_intervals_and_verdicts(robustfim: CommandLine) -> None:
    run(robustfim)
    plain: Any = robustfim.record("grouped").checks[0]
    text = run(robustfim, more="cluster: film")
    record: Any = robustfim.record("grouped")
    (check,) = record.checks
    assert (check.rate, check.tested) == (plain.rate, plain.tested)
    assert (check.clusters, plain.clusters) == (8, None)
    assert check.effective < 8 < plain.tested
    assert check.interval[0] < plain.interval[0] < plain.interval[1] < check.interval[1]
    assert check.arms["all"].effective == check.effective
    assert ", in 8 clusters" in text
    assert {example.cluster for example in record.examples} == {f"f{number}" for number in range(8)}
    assert (check.needed or 0) > (plain.needed or 0)


def test_a_column_named_cluster_needs_no_word_and_a_budget_draws_clusters(robustfim: CommandLine) -> None:
    run(robustfim, data=", key: cluster", check=", budget: 40")
    check = only(robustfim)
    assert check.clusters == 8
    assert check.budget is not None
    assert check.effective is None, "a confidence sequence over clusters"
    run(robustfim, check=", budget: 40")
    plain = only(robustfim)
    assert check.interval[0] < plain.interval[0]
    assert check.interval[1] > plain.interval[1]


def test_a_budget_over_strata_bets_as_if_members_of_a_cluster_failed_together(robustfim: CommandLine) -> None:
    found = {}
    for key in ("cluster", "film"):
        robustfim.write("grouped.py", GROUPED.replace("range(8)", "range(80)"))
        drawn = "scores: [long]\nselect: {by: long, examples: 120}\nbudget: 70"
        robustfim.write("grouped.yaml", SUITE.replace("0.3", "0.05") % (f", key: {key}", drawn, ""))
        robustfim("run grouped.yaml")
        check = only(robustfim)
        found[key] = check, check.budget.tails[""].evidence
    (clustered, less), (plain, more) = found["cluster"], found["film"]
    assert less < more
    assert clustered.interval[1] > plain.interval[1]


def test_a_wrong_cluster_is_refused_before_anything_is_predicted(robustfim: CommandLine) -> None:
    robustfim.write("grouped.py", GROUPED)
    robustfim.write("grouped.yaml", SUITE % ("", "cluster: movie", ""))
    refused(robustfim("run grouped.yaml"), "cluster: no example has 'movie'.")


def test_a_baseline_is_compared_cluster_by_cluster(robustfim: CommandLine) -> None:
    run(robustfim, more="cluster: film")
    robustfim("accept reports/grouped/results.json")
    robustfim("run grouped.yaml --baseline baselines --margin 0.2")
    clustered = robustfim.record("grouped").comparisons[0].whole
    run(robustfim)
    robustfim("accept reports/grouped/results.json")
    robustfim("run grouped.yaml --baseline baselines --margin 0.2")
    plain = robustfim.record("grouped").comparisons[0].whole
    assert clustered.estimate.ends[0] < plain.estimate.ends[0] < plain.estimate.ends[1] < clustered.estimate.ends[1]
