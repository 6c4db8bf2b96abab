"""A run on a random sample, and the answers that it keeps."""

from __future__ import annotations

from robustfim.builtin import Invariant
from robustfim_study.sample_run import Answers, _Noted
from tests.robustfim.toys import Bench, Swap, check, example


def test_a_candidate_is_noted_once_though_a_run_judges_it_twice() -> None:
    source, answers = example("good film", "positive"), Answers()
    noted = _Noted(Invariant(), "swap", answers)
    counts, _ = Bench([source]).run(check(Swap({"good": ["bad", "fine"]}), expectation=noted))
    assert sorted(answer.failed for answer in answers["swap", source.id]) == [False, True]
    assert (counts.candidates.tested, counts.candidates.failed) == (2, 1)
