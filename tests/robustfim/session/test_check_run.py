"""One check: its counts, its failures, and what becomes of it when a part of it breaks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import pytest

from robustfim.builtin import Invariant, Where
from robustfim.candidate import Candidate
from robustfim.errors import SkipCheck
from robustfim.example import Example
from robustfim.judge.check_counts import CheckCounts
from robustfim.judgement import Judgement, Verdict
from robustfim.outcome import Outcome
from robustfim.prediction import Prediction
from robustfim.record import CandidateCounts
from robustfim.select.draw import Budget, TestedExample
from robustfim.session.check_run import check_by_blocks, run_check
from robustfim.statistics import wilson
from robustfim.statistics.gap import Gap
from tests.robustfim.toys import Bench, CountingModel, Judge, Push, Refuse, Rewrite, Swap, check, example, probabilities

GOOD, FINE, PLAIN = example("a good film", "positive"), example("a fine film", "positive"), example("a film")
FLIP = {"good": ["bad", "fine"], "fine": ["dull"]}
"""good -> bad flips the label, good -> fine does not, fine -> dull does."""


def balanced(counts: CandidateCounts) -> bool:
    """The identity that the record documents."""
    rest = counts.unchanged + counts.duplicate + sum(counts.rejected.values())
    return counts.proposed == rest + counts.undefined + counts.not_applicable + counts.tested


def test_the_unit_is_the_source_example() -> None:
    counts, failures = Bench([GOOD, FINE, PLAIN]).run(check(Swap(FLIP)))
    assert (counts.tested, counts.failing, counts.rate) == (2, 2, 1.0), "nothing was proposed for the third"
    assert (counts.candidates.tested, counts.candidates.failed) == (3, 2)
    assert counts.interval == wilson(2, 2)
    assert counts.examples == [GOOD.id, FINE.id]
    assert counts.ended is None, "its counts decide"
    assert balanced(counts.candidates)
    assert [failure.example for failure in failures] == [GOOD.id, FINE.id]


def test_a_failure_holds_all_that_is_needed_to_understand_it() -> None:
    _, (failure, *_) = Bench([GOOD]).run(check(Swap(FLIP)), {GOOD.id: "difficult"})
    assert (failure.check, failure.example, failure.arm) == ("toy.yaml::swap", GOOD.id, "difficult")
    assert failure.fields == {"text": "a bad film"}
    (edit,) = failure.edits
    assert (edit.start, edit.end, edit.before, edit.after, edit.origin) == (2, 6, "good", "bad", "good>bad")
    assert (failure.before.label, failure.after.label) == ("positive", "negative")
    assert failure.before.probabilities == probabilities("a good film")
    assert failure.after.probabilities == probabilities("a bad film")
    assert failure.reason == "positive -> negative"
    assert failure.margin == pytest.approx(failure.after.probabilities[0] - failure.after.probabilities[1])
    assert failure.reproduce == f"again swap {GOOD.id}"


def test_a_failure_to_see_first_tells_what_else_was_tried_and_at_most_three_of_a_check_do() -> None:
    _, failures = Bench([GOOD, FINE]).run(check(Swap(FLIP | {"film": ["movie"]})))
    first = next(failure for failure in failures if failure.example == GOOD.id)
    assert [[edit.after for edit in tried_record.edits] for tried_record in first.tried] == [["fine"], ["movie"]]
    tried = first.tried[-1]
    assert (tried.label, tried.probability) == ("positive", probabilities("a good movie")[1])
    many = [example(f"a good film number {number}") for number in range(8)]
    _, failures = Bench(many).run(check(Swap(FLIP | {"film": ["movie"], "number": ["no"] * 2})))
    assert len({failure.example for failure in failures}) == 8
    assert len([failure for failure in failures if failure.tried]) == 3


def test_a_failure_has_one_id_in_every_run_and_another_for_another_change() -> None:
    ids = [{failure.id for failure in Bench([GOOD, FINE], seed=seed).run(check(Swap(FLIP)))[1]} for seed in (0, 1)]
    assert ids[0] == ids[1]
    assert len(ids[0]) == 2
    assert not ids[0] & {failure.id for failure in Bench([GOOD, FINE]).run(check(Swap(FLIP), name="other"))[1]}


def test_between_two_looks_a_check_tells_what_it_cost_and_steps_cost_no_call() -> None:
    bench = Bench([example(f"a good film number {number}") for number in range(100)])
    budget = Budget(100, 0.025, 0.025)
    texts = [cost for _, cost in bench.blocks(check(Swap(FLIP), limit=0.99), budget=budget)]
    steps = [cost for _, cost in bench.blocks(check(Push([1.0, 2.0]), limit=0.01), budget=budget)]
    assert texts[0] == 64
    assert steps
    assert not any(steps)


def test_arms_are_counted_apart() -> None:
    counts, _ = Bench([GOOD, FINE, PLAIN]).run(
        check(Swap(FLIP | {"film": ["movie"]})), {GOOD.id: "difficult", FINE.id: "control", PLAIN.id: "control"}
    )
    assert {name: (arm.tested, arm.failing, arm.rate) for name, arm in counts.arms.items()} == {
        "difficult": (1, 1, 1.0),
        "control": (2, 1, 0.5),
    }
    assert counts.arms["control"].interval == wilson(1, 2)


def test_a_limit_for_each_arm_stands_beside_its_counts() -> None:
    counts, _ = Bench([GOOD, FINE]).run(
        check(Swap(FLIP), limit={"difficult": 0.3}), {GOOD.id: "difficult", FINE.id: "control"}
    )
    assert (counts.arms["difficult"].limit, counts.arms["control"].limit) == (0.3, None)
    assert counts.limit == {"difficult": 0.3}


def test_adding_a_check_sends_only_texts_that_are_new() -> None:
    model = CountingModel()
    bench = Bench([GOOD, FINE], model)
    bench.run(check(Swap(FLIP)))
    sent = bench.queue.sent
    bench.run(check(Swap(FLIP), name="again"))
    assert bench.queue.sent == sent
    bench.run(check(Swap({"film": ["movie"]}), name="more"))
    assert [text for batch in model.batches for text in batch].count("a bad film") == 1
    assert bench.queue.sent == sent + 2


def test_progress_counts_examples_while_the_model_answers() -> None:
    examples = [example(f"a good film {number}") for number in range(300)]
    bench = Bench(examples, CountingModel(batch_size=100))
    seen: list[tuple[str, int, int]] = []
    run_check(
        check_by_blocks(
            check(Swap({"film": ["movie"]})),
            bench.tested(),
            bench.context,
            reproduce=lambda check, example: "",
            progress=lambda *each: seen.append(each),
        )
    )
    assert [done for _, done, _ in seen] == [100, 200, 256, 300]
    assert {(name, total) for name, _, total in seen} == {("swap", 300)}


def test_steps_are_predicted_by_the_perturbation_and_keep_the_text() -> None:
    bench = Bench([GOOD])
    counts, (failure,) = bench.run(check(Push([-1.0, -5.0]), name="push"))
    assert (counts.candidates.tested, bench.queue.steps, bench.queue.sent) == (2, 2, 0)
    assert failure.step is not None
    assert (failure.step.direction, failure.step.norm, failure.edits) == ("push", -5.0, [])
    assert failure.fields == {"text": "a good film"}
    logit = math.log(probabilities(GOOD.text)[1] / probabilities(GOOD.text)[0]) - 5
    assert failure.after.probabilities[1] == pytest.approx(1 / (1 + math.exp(-logit)))


# ---- skipped, vacuous, broken -------------------------------------------------------------------------


def test_a_check_that_the_suite_skips_asks_nothing() -> None:
    bench = Bench([GOOD])
    counts, failures = bench.run(check(Swap(FLIP), skip="not today"))
    assert (counts.ended, counts.message, failures) == (Outcome.SKIPPED, "not today", [])
    assert bench.queue.sent == 0


def test_a_plugin_can_skip_its_check() -> None:
    class Needy(Swap):
        def prepare(self, context: object) -> None:
            raise SkipCheck("fetch the dictionary")

    counts, _ = Bench([GOOD]).run(check(Needy(FLIP)))
    assert (counts.ended, counts.message) == (Outcome.SKIPPED, "fetch the dictionary")


class Foreign(Swap):
    """A substitution for another language than that of its texts."""

    skipped: ClassVar = {"not English": 1}


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (check(Swap({})), "tested nothing: 'swap' found nothing to change in 1 example."),
        (
            check(Foreign({})),
            "tested nothing: 'swap' found nothing to change in 1 example; 1 left alone: not English.",
        ),
        (check(Rewrite(str)), "tested nothing: 1 unchanged."),
        (
            check(Swap(FLIP), constraints={"no": Refuse("a")}),
            "tested nothing: 2 rejected; most often 'no: has a'.",
        ),
        (
            check(Swap(FLIP), constraints={"no": Refuse("a", per_edit=True)}),
            "tested nothing: 2 edits rejected; most often 'no: has a'.",
        ),
        (
            check(Swap(FLIP), expectation=Judge(lambda *_: Judgement(Verdict.NOT_APPLICABLE))),
            "tested nothing: 2 not applicable.",
        ),
        (
            check(Swap(FLIP), expectation=Judge(lambda *_: Judgement(Verdict.NOT_APPLICABLE, reason="no gold spans"))),
            "tested nothing: 2 not applicable; no gold spans.",
        ),
    ],
)
def test_a_check_that_tested_nothing_is_an_error_and_says_why(made: Any, message: str) -> None:
    counts, failures = Bench([GOOD]).run(made)
    assert (counts.ended, counts.message, failures) == (Outcome.ERROR, message, [])
    assert (counts.rate, counts.interval) == (None, None)
    assert balanced(counts.candidates)


def test_what_was_found_before_a_plugin_raised_is_kept() -> None:
    class Tearing(Swap):
        def edits(self, example: Example, random: Any) -> Any:
            if example.text == "the 300th":
                raise LookupError("no further")
            return super().edits(example, random)

    examples = [example(f"a good film {number}") for number in range(299)] + [example("the 300th")]
    counts, failures = Bench(examples).run(check(Tearing(FLIP)))
    assert counts.ended is Outcome.ERROR
    assert counts.message == "plugin 'toys', perturbation 'swap' (Tearing) raised LookupError: no further"
    assert counts.traceback.splitlines()[-1] == "LookupError: no further"
    assert counts.tested == len(failures) == 256, "the block before the one that broke"


def test_an_expectation_that_raises_or_answers_nonsense_is_an_error_of_its_own() -> None:
    def broken(*_: object) -> Judgement:
        raise KeyError("lost")

    counts, _ = Bench([GOOD]).run(check(Swap(FLIP), expectation=Judge(broken)))
    assert (counts.ended, counts.message) == (
        Outcome.ERROR,
        "expectation 'invariant' (Judge) raised KeyError: 'lost'",
    )
    nonsense: Any = Judge(lambda *_: True)  # type: ignore[arg-type]  # what the test is about
    counts, _ = Bench([GOOD]).run(check(Swap(FLIP), expectation=nonsense))
    assert counts.message == "expectation 'invariant' (Judge) must give a Judgement, not True"


def test_a_margin_that_is_no_number_is_an_error_of_the_expectation() -> None:
    def judge(before: Prediction, after: Prediction, candidate: Candidate) -> Judgement:
        return Judgement(Verdict.FAILED, math.nan, "because")

    counts, failures = Bench([GOOD]).run(check(Swap(FLIP), expectation=Judge(judge)))
    assert (counts.ended, failures) == (Outcome.ERROR, [])
    assert (
        counts.message
        == "expectation 'invariant' (Judge) raised ValueError: the margin of a judgement must be a number, not nan"
    )


def test_the_text_of_a_verdict_fails_a_check_and_a_misspelled_one_is_an_error() -> None:
    def says(verdict: Any) -> Judge:
        return Judge(lambda before, after, candidate: Judgement(verdict))

    counts, failures = Bench([GOOD]).run(check(Swap(FLIP), expectation=says("failed")))
    assert (counts.failing, counts.tested, len(failures)) == (1, 1, 2)
    counts, _ = Bench([GOOD]).run(check(Swap(FLIP), expectation=says("fail")))
    assert counts.ended is Outcome.ERROR
    assert "'fail' is none of 'passed', 'failed', 'not applicable'. Did you mean 'failed'?" in counts.message


class Faltering(CountingModel):
    """Answers NaN, or raises, where a word stands."""

    def __init__(self, word: str, error: Exception | None = None) -> None:
        super().__init__()
        self.word, self.error = word, error

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        if self.error is not None and any(self.word in each.text.split() for each in examples):
            raise self.error
        rows = super().predict(examples)
        return [
            [math.nan] * 2 if self.word in each.text.split() else row for each, row in zip(examples, rows, strict=True)
        ]


def test_candidates_without_finite_numbers_are_counted_and_make_the_check_an_error() -> None:
    counts, _ = Bench([GOOD, FINE], Faltering("bad")).run(check(Swap(FLIP)))
    assert counts.ended is Outcome.ERROR
    assert counts.message == "the model gave no finite numbers for 1 of 3 candidates."
    assert (counts.candidates.undefined, counts.candidates.tested) == (1, 2)
    assert balanced(counts.candidates)


def test_a_model_that_raises_makes_the_check_an_error_with_its_traceback() -> None:
    counts, _ = Bench([GOOD], Faltering("bad", ZeroDivisionError("oh"))).run(check(Swap(FLIP)))
    assert (counts.ended, counts.message) == (Outcome.ERROR, "the model raised ZeroDivisionError: oh")
    assert counts.traceback.splitlines()[-1] == "ZeroDivisionError: oh"
    assert "toys.py" not in counts.message


def test_the_record_of_a_check_says_what_the_suite_says() -> None:
    made = check(
        Swap(FLIP),
        perturb={"words": 2, "candidates": 3, "table": {"a": 1}},
        constraints={"no": Refuse("zzz")},
        marks=["slow"],
        limit=0.25,
    )
    counts, _ = Bench([GOOD]).run(made)
    assert isinstance(counts, CheckCounts)
    assert counts.perturbation == {"use": "swap", "words": 2, "candidates": 3, "table": {"a": 1}}
    assert counts.constraints == [{"use": "no"}]
    assert (counts.expectation, counts.limit, counts.marks) == ({"use": "invariant"}, 0.25, ["slow"])
    assert (counts.path, counts.line) == ("toy.yaml", 7)


class Compare:
    """A reducer that compares groups."""

    def __init__(self, groups: Any) -> None:
        self._groups = groups

    def fails(self, failed: int, tested: int) -> bool:
        return failed > 0

    def groups(self) -> Any:
        return self._groups()


def test_a_check_of_two_groups_has_the_difference_of_their_rates() -> None:
    examples = [example(text) for text in ("a good film", "the good film", "a fine film", "some fine film")]
    groups = {"fine": [each.id for each in examples[2:]], "good": [each.id for each in examples[:2]]}
    table = {"good": ["bad"], "fine": ["good"]}  # the second never flips the label
    counts, failures = Bench(examples).run(check(Swap(table), reducer=Compare(lambda: groups)))
    assert counts.gap is not None
    assert {name: (group.count, group.tested) for name, group in counts.gap.groups.items()} == {
        "fine": (0, 2), "good": (2, 2),
    }  # fmt: skip
    assert counts.rate == -1.0
    assert counts.interval == Gap((0, 2), (2, 2)).interval
    assert (counts.failing, counts.tested, len(failures)) == (2, 4, 2)
    assert counts.arms == {}
    assert counts.ended is None, "its counts decide"


def test_a_group_without_a_tested_example_leaves_no_difference() -> None:
    groups = {"some": [GOOD.id], "others": [PLAIN.id]}
    counts, _ = Bench([GOOD, PLAIN]).run(check(Swap(FLIP), reducer=Compare(lambda: groups)))
    assert counts.gap is not None
    assert (counts.rate, counts.interval, counts.gap.groups["others"].tested) == (None, None, 0)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (lambda: {"one": [GOOD.id]}, "must give two groups that share no example, not one"),
        (lambda: {"one": [GOOD.id], "two": [GOOD.id]}, "must give two groups that share no example, not one, two"),
        (lambda: None, "reducer 'any' (Compare) raised AttributeError"),
    ],
)
def test_groups_that_cannot_be_compared_are_an_error_of_the_check(groups: Any, message: str) -> None:
    counts, _ = Bench([GOOD]).run(check(Swap(FLIP), reducer=Compare(groups)))
    assert counts.ended is Outcome.ERROR
    assert message in counts.message


def test_a_change_that_the_model_does_not_see_is_told() -> None:
    counts, _ = Bench([GOOD, FINE]).run(check(Swap({"film": ["movie", "show"]})))
    assert (counts.candidates.tested, counts.candidates.unmoved, counts.unseen) == (4, 4, True)
    counts, _ = Bench([GOOD, FINE]).run(check(Swap({"film": ["movie"], "fine": ["good"]})))
    assert (counts.candidates.tested, counts.candidates.unmoved, counts.unseen) == (3, 2, False)


def test_a_text_that_moves_is_seen_where_the_expectation_does_not_apply_to_it() -> None:
    bad, where = example("a bad film", "negative"), Where(Invariant(), ["positive"])
    for swap, moved in (({"film": ["movie"]}, 0), ({"film": ["movie"], "bad": ["dull"]}, 1)):
        counts, _ = Bench([GOOD, bad]).run(check(Swap(swap), expectation=where))
        assert (counts.candidates.tested, counts.candidates.unmoved) == (1, 1)
        assert counts.candidates.not_applicable_moved == moved
        assert counts.unseen is not bool(moved)


def test_answers_without_degrees_and_steps_cannot_tell_that_a_change_is_not_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts, _ = Bench([GOOD]).run(check(Push([0.0])))
    assert counts.candidates.unmoved == 0, "its text is the same"
    monkeypatch.setattr(CountingModel, "predict", lambda self, examples: [[0.0, 1.0] for _ in examples])
    bench, sure = Bench([GOOD]), Prediction.of([0.0, 1.0], ("negative", "positive"))
    monkeypatch.setattr(bench, "tested", lambda arms: [TestedExample(GOOD, sure, "all")])
    counts, _ = bench.run(check(Swap(FLIP)))
    assert (counts.candidates.tested, counts.candidates.unmoved) == (2, 0)


def test_where_the_texts_are_other_examples_of_the_data_the_pairs_are_told() -> None:
    bench = Bench([GOOD, FINE, PLAIN])
    assert bench.run(check(Swap({"good": ["fine"]})))[0].partners == {GOOD.id: FINE.id}
    assert bench.run(check(Swap({"good": ["fine", "bad"]})))[0].partners == {}, "one of the texts is no example"
    assert bench.run(check(Swap({"good": ["fine"], "fine": ["dull"]})))[0].partners == {}


SEARCHED = {"search": "greedy", "words": 2}


def test_a_search_puts_edits_together_until_the_label_changes() -> None:
    strong = example("good good film of mine", "positive")
    table = {"good": ["fine", "so"], "film": ["movie"], "mine": ["dull"], "of": ["by"]}
    bench = Bench([strong, PLAIN, GOOD])
    counts, failures = bench.run(check(Swap({**table, "so": ["bad"]}), perturb={"search": "greedy", "words": 3}))
    assert (counts.tested, counts.failing, counts.rate) == (3, 1, 1 / 3), "an example is one trial"
    (failure,) = failures
    assert [edit.after for edit in failure.edits] == ["so", "so", "dull"]
    assert failure.queries is not None
    assert failure.queries <= counts.candidates.queries == counts.candidates.tested
    assert balanced(counts.candidates)
    asked = [text for batch in bench.model.batches for text in batch]
    assert len(asked) == len(set(asked)), "nothing twice"


def test_the_queries_of_a_search_bound_what_an_example_is_asked_about() -> None:
    sources = [example(f"good good good good {word}") for word in ("film", "play", "song")]
    bench = Bench(sources)
    search = {"use": "beam", "beam": 2, "queries": 5}
    counts, failures = bench.run(check(Swap({"good": ["fine", "so"]}), perturb={"search": search, "words": 4}))
    assert (counts.candidates.queries, failures) == (15, [])
    assert sum(map(len, bench.model.batches)) == 15


def test_the_texts_of_a_search_meet_the_constraints_together() -> None:
    strong = example("good film mine")
    swap, refuse = Swap({"good": ["fine"], "mine": ["bad"]}), Refuse("bad")
    counts, failures = Bench([strong]).run(check(swap, perturb=SEARCHED, constraints={"refuse": refuse}))
    assert (failures, counts.candidates.rejected) == ([], {"refuse: has bad": 2}), "alone, and with the other"
    _, failures = Bench([strong]).run(check(swap, perturb=SEARCHED))
    assert [edit.after for edit in failures[0].edits] == ["fine", "bad"], "neither is enough alone"


def test_a_search_finds_the_same_whichever_examples_are_tested_with_it() -> None:
    sources = [example(f"good {word} good mine") for word in ("film", "play", "song")]
    made = check(Swap({"good": ["fine", "bad", "dull", "so"], "mine": ["bad", "dull"]}), perturb=SEARCHED)
    _, together = Bench(sources).run(made)
    alone = [failure for source in sources for failure in Bench([source]).run(made)[1]]
    assert together == alone


# ---- what can break -----------------------------------------------------------------------------------

WRONG, BLANK = example("a dull film", "positive"), example("a good play")
"""The model says negative of the first."""


def test_only_what_the_model_is_right_about_is_perturbed_and_the_rest_is_counted() -> None:
    bench = Bench([GOOD, FINE, WRONG, BLANK], model := CountingModel())
    made = check(Swap(FLIP | {"dull": ["great"]}), expectation=Invariant())
    arms = {GOOD.id: "difficult", FINE.id: "control", WRONG.id: "difficult", BLANK.id: "control"}
    counts, failures = bench.run(made, arms)
    assert (counts.counts, counts.tested, counts.failing) == ("broken", 2, 2)
    assert (counts.wrong_before, counts.unlabelled, counts.examples) == (1, 1, [GOOD.id, FINE.id])
    hard, easy = counts.arms["difficult"], counts.arms["control"]
    assert (hard.drawn, hard.at_risk, hard.wrong_before, hard.tested) == (2, 1, 1, 1)
    assert (easy.drawn, easy.at_risk, easy.unlabelled, easy.tested) == (2, 1, 1, 1)
    assert {failure.example for failure in failures} == {GOOD.id, FINE.id}
    assert not any("great" in text or "play" in text for batch in model.batches for text in batch), "no call is wasted"
    assert balanced(counts.candidates)


@pytest.mark.parametrize(
    ("examples", "said"),
    [
        ([WRONG], "of 1 examples the model is wrong about 1 before any edit."),
        ([WRONG, BLANK], "of 2 examples the model is wrong about 1 before any edit and 1 have no gold label."),
    ],
)
def test_where_nothing_can_break_the_check_is_an_error(examples: list[Example], said: str) -> None:
    counts, _ = Bench(examples).run(check(Swap(FLIP), expectation=Invariant()))
    assert counts.ended is Outcome.ERROR
    assert said in counts.message
    assert "counts: changes" in counts.message


def test_without_gold_labels_changes_are_counted_and_asking_for_broken_examples_is_an_error() -> None:
    counts, _ = Bench([PLAIN, BLANK]).run(check(Swap(FLIP), expectation=Invariant()))
    assert (counts.counts, counts.tested, counts.wrong_before, counts.unlabelled) == ("changes", 1, 0, 0)
    counts, _ = Bench([PLAIN, BLANK]).run(check(Swap(FLIP), expectation=Invariant(counts="broken")))
    assert (counts.ended, counts.message) == (
        Outcome.ERROR,
        "'counts: broken' needs gold labels, and no example has one: leave 'counts' out.",
    )


def test_a_search_asks_nothing_about_what_is_wrong_before() -> None:
    bench = Bench([WRONG, GOOD])
    counts, _ = bench.run(check(Swap(FLIP), expectation=Invariant(), perturb={"search": "greedy", "words": 1}))
    assert (counts.tested, counts.wrong_before) == (1, 1)
    assert all("good" in text or "bad" in text or "fine" in text for batch in bench.model.batches for text in batch)
