"""Shards of a run, and what is made of them, held against one run."""

from __future__ import annotations

import math
from typing import Any

import pytest

from robustfim.record import Record
from tests.robustfim.command_line import CommandLine, refused

SUITE = """\
suite: whole
model: reference/fasttext
data: {use: reviews, limit: 120}
scores: [margin]
select: {by: fisher, difficult: 20, control: 20}
checks:
  typos: {perturb: {use: typos, words: 2, candidates: 5}, limit: 0.5}
  step: {perturb: {use: eigenvector, norms: [0.2]}, limit: 0.5}
  spaces: {perturb: spaces, limit: {difficult: 0.5, control: 0.5}}
"""
TIMES = {"started", "duration_s"}
ASKED = {"model_calls", "cached_calls", "gradient_calls", "step_calls", "cost"}


def without(value: Any, names: set[str]) -> Any:
    """A record without some fields, wherever they stand."""
    if isinstance(value, dict):
        return {key: without(inner, names) for key, inner in value.items() if key not in names}
    return [without(inner, names) for inner in value] if isinstance(value, list) else value


def plain(record: Record) -> Any:
    return without(record.model_dump(mode="json"), TIMES | ASKED)


def same(one: Any, other: Any) -> bool:
    """Whether two records are equal; a model computes numbers in other batches within 1e-6."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)
    return bool(one == other)


def shards(robustfim: CommandLine, suite: str, number: int, options: str = "", name: str = "part") -> str:
    """Run all shards of a suite, and give the names of their stores."""
    names = [f"{name}-{part}.sqlite" for part in range(1, number + 1)]
    for part, store in enumerate(names, start=1):
        shown = robustfim(f"run {suite} {options} --shard {part}/{number} --store {store}")
        assert shown.code == 0, shown
    return " ".join(names)


def test_four_shards_are_one_run_but_for_times_and_for_who_was_asked(robustfim: CommandLine) -> None:
    robustfim.write("whole.yaml", SUITE)
    whole = robustfim("run whole.yaml -q --store whole.sqlite --reports whole")
    parts = shards(robustfim, "whole.yaml", 4)
    merged = robustfim(f"merge whole.yaml {parts} -q --store merged.sqlite --reports merged")
    one, four = (robustfim.record("whole", folder) for folder in ("whole", "merged"))
    assert merged.code == whole.code
    assert same(plain(four), plain(one))
    assert one.failures
    assert one.step_calls
    assert four.model_calls == four.step_calls == four.gradient_calls == 0, "every answer is a shard's"


def test_shards_in_two_rounds_ask_for_no_text_twice(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml -q --store whole.sqlite --reports whole")
    first = shards(robustfim, "toy.yaml", 2, "--scores", "scores")
    second = shards(robustfim, "toy.yaml", 2, first)
    robustfim(f"merge toy.yaml {second} -q --store merged.sqlite --reports merged")
    one, two = (robustfim.record("toy", folder) for folder in ("whole", "merged"))
    assert plain(two) == plain(one)
    assert two.model_calls == 0


def test_what_a_missing_shard_would_have_answered_is_asked(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml -q --store whole.sqlite --reports whole")
    shards(robustfim, "toy.yaml", 2)
    robustfim("merge toy.yaml part-1.sqlite -q --store merged.sqlite --reports merged")
    one, half = (robustfim.record("toy", folder) for folder in ("whole", "merged"))
    assert plain(half) == plain(one)
    assert 0 < half.model_calls < one.model_calls


def test_a_locked_suite_is_cut_into_the_locked_texts(robustfim: CommandLine) -> None:
    robustfim("lock toy.yaml --to toy.lock.json")
    robustfim.write("toy.yaml", (robustfim.folder / "toy.yaml").read_text(encoding="utf-8") + "lock: toy.lock.json\n")
    parts = shards(robustfim, "toy.yaml", 2)
    robustfim(f"merge toy.yaml {parts} -q --store merged.sqlite")
    assert robustfim.record().model_calls == 0


SENTENCES = """\
suite: sentences
plugins: [toy.py]
model: wordsum
checks:
  use: templates
  path: words
  limit: 0.1
  tests:
    praise: {templates: ["a great {thing}", "this {thing} is good"], label: positive}
    blame: {templates: ["an awful {thing}"], label: negative}
"""


def test_sentences_that_checks_bring_are_cut_into_shards_in_both_rounds(robustfim: CommandLine) -> None:
    robustfim.write("words/thing.txt", "film\nplot\ncast\nend\n")
    robustfim.write("sentences.yaml", SENTENCES)
    robustfim("run sentences.yaml -q --store whole.sqlite --reports whole")
    first = shards(robustfim, "sentences.yaml", 2, "--scores", "scores")
    parts = shards(robustfim, "sentences.yaml", 2, first)
    robustfim(f"merge sentences.yaml {parts} -q --store merged.sqlite --reports merged")
    one, two = (robustfim.record("sentences", folder) for folder in ("whole", "merged"))
    assert one.model_calls == 12
    assert plain(two) == plain(one)
    assert two.model_calls == 0


@pytest.mark.parametrize(("part", "reason"), [("5/4", "'5/4' is not a part"), ("0/4", "0/4"), ("half", "2/4")])
def test_a_part_that_is_none_is_refused(robustfim: CommandLine, part: str, reason: str) -> None:
    refused(robustfim(f"run toy.yaml --shard {part}"), reason)


def test_an_empty_part_and_a_store_that_is_none_are_refused(robustfim: CommandLine) -> None:
    refused(robustfim("run toy.yaml --shard 99999/99999"), "part 99999/99999 is empty", "8 examples are tested")
    refused(robustfim("merge toy.yaml nowhere.sqlite"), "nowhere.sqlite: there is no such file")
    refused(robustfim("merge toy.yaml toy.yaml"), "toy.yaml is not a store")
    refused(robustfim("run toy.yaml --shard 1/2 --no-store"), "--no-store", "Name the file with --store")
    refused(robustfim("merge toy.yaml one.sqlite --store one.sqlite"), "one.sqlite")


def test_a_damaged_store_is_told_and_nothing_is_run(robustfim: CommandLine) -> None:
    shards(robustfim, "toy.yaml", 1)
    damaged = robustfim.folder / "part-1.sqlite"
    damaged.write_bytes(damaged.read_bytes()[:4096] + b"x" * 4096)
    refused(robustfim("merge toy.yaml part-1.sqlite"), "part-1.sqlite", "malformed", "Make this part again")


def test_a_model_that_breaks_ends_a_shard_as_an_error(robustfim: CommandLine) -> None:
    robustfim.suite("{rename: {perturb: rename}}", model="{use: wordsum, raise_on: awful}")
    refused(robustfim("run other.yaml --shard 1/2 --store part-1.sqlite"), "cannot read 'awful'", code=1)
