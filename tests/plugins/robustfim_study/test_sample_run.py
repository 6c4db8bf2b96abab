"""A run on a random sample, and what it tallies of each example."""

from __future__ import annotations

from robustfim.builtin import Invariant
from robustfim_study.sample_run import Tally, _Tallied
from tests.robustfim.toys import Bench, Swap, check, example


def test_a_candidate_is_tallied_once_though_a_run_judges_it_twice() -> None:
    source, tally = example("good film", "positive"), Tally()
    tallied = _Tallied(Invariant(), "swap", tally)
    counts, _ = Bench([source]).run(check(Swap({"good": ["bad", "fine"]}), expectation=tallied))
    key = "swap", source.id
    assert (tally.tested[key], tally.failed[key], len(tally.answers[key])) == (2, 1, 2)
    assert (counts.candidates.tested, counts.candidates.failed) == (2, 1)
