"""Scores come from their plugins once, and the arms follow from them and the seed alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest

from robustfim.contract import ScoreContract
from robustfim.errors import ModelError, PluginError, UsageError
from robustfim.example import Example
from robustfim.parts import ScorerPart
from robustfim.select.selection import Scores, Selection, score_examples, select_examples
from robustfim.statistics.strata import allocation
from robustfim.suite.format import SelectSpec
from tests.robustfim.toys import Bench, example

EXAMPLES = [example(f"film {'x' * number}") for number in range(40)]


@dataclass
class Counted:
    """Scores by a function of the text, and remembers what it was asked."""

    function: Callable[[str], float] = len
    hardest: Any = "highest"
    asked: list[Example] = field(default_factory=list)

    @property
    def contract(self) -> ScoreContract:
        return ScoreContract(hardest=self.hardest)

    def score(self, examples: Sequence[Example], context: object) -> list[float]:
        self.asked += examples
        return [self.function(each.text) for each in examples]


def named(scorer: Any, name: str = "length") -> ScorerPart:
    return ScorerPart(scorer, name, "toys", (name, "v1"))


def score(bench: Bench, *scorers: ScorerPart, progress: Any = lambda *_: None) -> Scores:
    return score_examples(scorers, bench.examples, bench.context, progress)


# ---- scores -------------------------------------------------------------------------------------------


def test_each_example_is_scored_once_and_the_store_answers_the_next_time() -> None:
    bench, scorer = Bench(EXAMPLES), Counted()
    scores = score(bench, named(scorer))
    assert scores.values == {"length": {each.id: len(each.text) for each in EXAMPLES}}
    assert sorted(each.id for each in scorer.asked) == sorted(each.id for each in EXAMPLES)
    again = score(bench, named(scorer))
    assert again.values == scores.values
    assert len(scorer.asked) == len(EXAMPLES)


def test_a_new_example_alone_is_scored_anew_and_other_options_score_all() -> None:
    bench, scorer = Bench(EXAMPLES), Counted()
    score(bench, named(scorer))
    bench.examples = [*EXAMPLES, example("a newcomer")]
    score(bench, named(scorer))
    assert [each.text for each in scorer.asked[len(EXAMPLES) :]] == ["a newcomer"]
    score(bench, ScorerPart(scorer, "length", "toys", ("length", "v2")))
    assert len(scorer.asked) == 2 * len(EXAMPLES) + 2


def test_scores_that_share_gradients_are_asked_for_the_same_examples_in_turn() -> None:
    bench = Bench([example(f"text {number}") for number in range(600)])
    order: list[tuple[str, int]] = []

    class Noted(Counted):
        name = ""

        def score(self, examples: Sequence[Example], context: object) -> list[float]:
            order.append((self.name, len(examples)))
            return super().score(examples, context)

    first, second = Noted(), Noted()
    first.name, second.name = "first", "second"
    seen: list[tuple[str, int, int]] = []
    score(bench, named(first, "a"), named(second, "b"), progress=lambda *each: seen.append(each))
    assert order == [(name, size) for size in (*[64] * 9, 24) for name in ("first", "second")]
    assert seen == [("score", done, 600) for done in (*range(0, 600, 64), 600)]


def test_an_undefined_score_is_counted_and_kept() -> None:
    bench, scorer = Bench(EXAMPLES), Counted(lambda text: math.nan if len(text) % 2 else math.inf)
    scores = score(bench, named(scorer))
    assert scores.records[0].undefined == len(EXAMPLES)
    asked = len(scorer.asked)
    score(bench, named(scorer))
    assert len(scorer.asked) == asked, "NaN is an answer, too"


@pytest.mark.parametrize(
    ("error", "message", "broken"),
    [
        (ValueError("no"), "plugin 'toys', score 'length' (Counted) raised ValueError: no", True),
        (ModelError("the model has no gradients"), "the model has no gradients", False),
        (PluginError("a plugin is broken"), "a plugin is broken", True),
    ],
)
def test_a_score_that_raises_is_undefined_with_a_message_and_the_others_go_on(
    error: Exception, message: str, broken: bool
) -> None:
    def refuse(text: str) -> float:
        raise error

    bench = Bench(EXAMPLES)
    scores = score(bench, named(Counted(refuse)), named(Counted(), "other"))
    first, second = scores.records
    assert (first.message, first.broken, first.undefined) == (message, broken, len(EXAMPLES))
    assert all(map(math.isnan, scores.values["length"].values()))
    assert (second.message, second.broken, second.undefined) == ("", False, 0)


def test_a_score_of_the_wrong_length_names_both_numbers() -> None:
    class Short:
        contract = ScoreContract(hardest="highest")

        def score(self, examples: Sequence[Example], context: object) -> list[float]:
            return [0.0]

    (record,) = score(Bench(EXAMPLES), named(Short())).records
    assert record.message == "plugin 'toys', score 'length' (Short): score gave 1 numbers for 40"
    assert record.broken


# ---- the arms -----------------------------------------------------------------------------------------


def spec(**keys: Any) -> SelectSpec:
    return SelectSpec.model_validate(keys)


def select(
    spec: SelectSpec | None, examples: Sequence[Example] = EXAMPLES, *, seed: int = 0, hardest: str = "highest"
) -> Selection:
    scores = score(Bench(examples), named(Counted(hardest=hardest)))
    return select_examples(spec, examples, scores, seed)


def arm(selection: Selection, name: str) -> set[str]:
    return {example for example, its in selection.arms.items() if its == name}


def test_without_a_selection_all_examples_are_tested() -> None:
    assert select(None).arms == {each.id: "all" for each in EXAMPLES}


@pytest.mark.parametrize(("hardest", "expected"), [("highest", EXAMPLES[-5:]), ("lowest", EXAMPLES[:5])])
def test_the_difficult_arm_is_the_hard_end_of_the_scale(hardest: str, expected: list[Example]) -> None:
    selection = select(spec(by="length", difficult=5, control=7), hardest=hardest)
    assert arm(selection, "difficult") == {each.id for each in expected}
    limit = min if hardest == "highest" else max
    assert selection.record.threshold == limit(len(each.text) for each in expected)
    assert (selection.record.by, selection.record.difficult, selection.record.control) == ("length", 5, 7)


@pytest.mark.parametrize(("hardest", "expected"), [("highest", EXAMPLES[:4]), ("lowest", EXAMPLES[-4:])])
def test_the_easiest_arm_is_the_other_end_and_the_control_arm_the_rest(hardest: str, expected: list[Example]) -> None:
    chosen = spec(by="length", easiest=4, difficult=5, control=100)
    selection = select(chosen, hardest=hardest)
    assert arm(selection, "easiest") == {each.id for each in expected}
    assert len(arm(selection, "control")) == len(EXAMPLES) - 9
    assert selection.record.sizes(len(EXAMPLES)) == {"difficult": 5, "control": 31, "easiest": 4}
    assert select(spec(by="length", difficult=5, control=0), hardest=hardest).record.threshold == (
        selection.record.threshold
    )


def test_an_example_at_both_ends_is_difficult() -> None:
    selection = select(spec(by="length", easiest=30, difficult=30, control=0))
    assert (selection.record.difficult, selection.record.easiest) == (30, 10)


def test_the_control_arm_is_drawn_from_the_rest_whatever_the_order_of_the_data() -> None:
    chosen = spec(by="length", difficult=5, control=7)
    control = arm(select(chosen), "control")
    assert len(control) == 7
    assert not control & {each.id for each in EXAMPLES[-5:]}
    assert arm(select(chosen, EXAMPLES[::-1]), "control") == control
    assert arm(select(chosen, seed=1), "control") != control


def test_another_example_changes_at_most_one_place_in_the_control_arm() -> None:
    chosen = spec(difficult=0, control=10)
    before = arm(select(chosen), "control")
    for number in range(20):
        after = arm(select(chosen, [*EXAMPLES, example(f"newcomer {number}")]), "control")
        assert len(before - after) <= 1


def test_the_control_arm_is_a_fair_sample() -> None:
    chosen, scores = spec(difficult=0, control=10), score(Bench(EXAMPLES), named(Counted()))
    seeds = 300
    drawn = [id for seed in range(seeds) for id in select_examples(chosen, EXAMPLES, scores, seed).arms]
    counts = [drawn.count(each.id) for each in EXAMPLES]
    # Each count is binomial(300, 1/4): mean 75, standard deviation 7.5; five of them is once in 40,000 for all 40.
    assert all(abs(count - seeds / 4) < 5 * math.sqrt(seeds * 3 / 16) for count in counts)


def test_where_there_are_fewer_examples_than_wanted_all_are_taken() -> None:
    selection = select(spec(by="length", difficult=100, control=100))
    assert (selection.record.difficult, selection.record.control) == (40, 0)
    selection = select(spec(by="length", difficult=30, control=100))
    assert (selection.record.difficult, selection.record.control) == (30, 10)


def test_an_example_without_a_score_is_never_difficult() -> None:
    scores = score(Bench(EXAMPLES), named(Counted(lambda text: math.nan if len(text) > 20 else len(text))))
    selection = select_examples(spec(by="length", difficult=100, control=0), EXAMPLES, scores, 0)
    assert arm(selection, "difficult") == {each.id for each in EXAMPLES if len(each.text) <= 20}


def test_examples_of_one_score_are_selected_by_their_ids_alike_in_any_order() -> None:
    scores = score(Bench(EXAMPLES), named(Counted(lambda text: 1.0)))
    chosen = spec(by="length", difficult=5, control=0)
    first = select_examples(chosen, EXAMPLES, scores, 0)
    second = select_examples(chosen, EXAMPLES[::-1], scores, 0)
    assert set(first.arms) == set(second.arms) == set(sorted(each.id for each in EXAMPLES)[:5])


@pytest.mark.parametrize(
    ("error", "kind"), [(ModelError("no gradients."), UsageError), (ValueError("a slip"), PluginError)]
)
def test_a_score_that_failed_cannot_select_and_says_the_way_out(error: Exception, kind: type[Exception]) -> None:
    def refuse(text: str) -> float:
        raise error

    scores = score(Bench(EXAMPLES), named(Counted(refuse)))
    with pytest.raises(kind, match=r"cannot be selected by 'length': .*[a-z]\. Select by another score, or at random"):
        select_examples(spec(by="length"), EXAMPLES, scores, 0)


def test_where_checks_draw_until_enough_are_testable_the_control_arm_is_everything_in_the_order_of_the_seed() -> None:
    spec = SelectSpec.model_validate({"testable": 7})
    selection = select_examples(spec, EXAMPLES, Scores({}, []), 3)
    assert set(selection.arms.values()) == {"control"}
    assert len(selection.arms) == len(EXAMPLES)
    first = select_examples(SelectSpec.model_validate({"difficult": 0, "control": 7}), EXAMPLES, Scores({}, []), 3)
    assert set(list(selection.arms)[:7]) == set(first.arms), "the order in which a control arm of seven is drawn"
    assert (selection.record.testable, selection.record.difficult) == (7, 0)
    with pytest.raises(ValueError, match="'testable' and 'control' exclude each other"):
        SelectSpec.model_validate({"testable": 7, "control": 3})


# ---- strata -------------------------------------------------------------------------------------------


MANY = [example(f"film {'x' * (number % 50)} {number}") for number in range(630)]
STRATIFIED = {"by": "length", "examples": 120}


def test_strata_are_the_data_in_the_order_of_the_score_the_hardest_first() -> None:
    selection = select(spec(**STRATIFIED), MANY, hardest="lowest")
    assert selection.record.strata == {
        "stratum 1": 10, "stratum 2": 20, "stratum 3": 40, "stratum 4": 80, "stratum 5": 160, "stratum 6": 320,
    }  # fmt: skip
    lengths = {each.id: len(each.text) for each in MANY}
    parts = [[lengths[id] for id in arm(selection, name)] for name in selection.record.strata]
    assert [max(harder) <= min(easier) for harder, easier in pairwise(parts)] == [True] * 5
    assert [len(part) for part in parts] == [drawn for _, drawn in allocation(630, 120)]
    assert (selection.record.by, selection.record.difficult, selection.record.control) == ("length", 0, 0)
    assert list(selection.arms) == [each.id for each in MANY if each.id in selection.arms]


def test_what_is_drawn_from_strata_follows_from_seed_and_ids_alone() -> None:
    first = select(spec(**STRATIFIED), MANY)
    assert select(spec(**STRATIFIED), MANY[::-1]).arms == first.arms
    other = select(spec(**STRATIFIED), MANY, seed=1).arms
    assert len(other) == len(first.arms)
    assert other.keys() != first.arms.keys()


def test_within_a_stratum_all_are_drawn_alike() -> None:
    seeds = 100
    scores = score(Bench(MANY), named(Counted()))
    drawn = Counter(id for seed in range(seeds) for id in select_examples(spec(**STRATIFIED), MANY, scores, seed).arms)
    # Each count is binomial; five standard deviations are once in 2,700 for all 630.
    for id, share in _shares(MANY):
        assert abs(drawn[id] - seeds * share) < 5 * math.sqrt(seeds * share * (1 - share)) + 1e-9


def _shares(examples: Sequence[Example]) -> list[tuple[str, float]]:
    ranked = sorted(examples, key=lambda each: (-len(each.text), each.id))
    parts = [drawn / size for size, drawn in allocation(len(examples), 120) for _ in range(size)]
    return [(each.id, share) for each, share in zip(ranked, parts, strict=True)]


def test_an_example_without_a_score_is_among_the_easiest_and_an_infinite_one_where_it_belongs() -> None:
    numbers = {each.id: float(place) for place, each in enumerate(MANY)}
    numbers[MANY[0].id], numbers[MANY[1].id] = math.nan, math.inf
    by_text = {each.text: numbers[each.id] for each in MANY}
    scores = score(Bench(MANY), named(Counted(by_text.__getitem__)))
    seen = {
        id: name
        for seed in range(60)
        for id, name in select_examples(spec(**STRATIFIED), MANY, scores, seed).arms.items()
    }
    assert seen[MANY[0].id] == "stratum 6"
    assert seen[MANY[1].id] == "stratum 1"


def test_a_score_that_failed_makes_no_strata() -> None:
    def refuse(text: str) -> float:
        raise ModelError("no gradients.")

    scores = score(Bench(MANY), named(Counted(refuse)))
    with pytest.raises(UsageError, match=r"strata cannot be made by 'length': no gradients\. Select by another score"):
        select_examples(spec(**STRATIFIED), MANY, scores, 0)


def test_a_score_looks_at_the_run_before_its_first_example() -> None:
    class Looking(Counted):
        def prepare(self, context: Any) -> None:
            assert not self.asked
            self.scale = len(context.examples)

        def score(self, examples: Sequence[Example], context: object) -> list[float]:
            return [float(self.scale) for _ in super().score(examples, context)]

    scores = score(Bench(EXAMPLES), named(Looking()))
    assert set(scores.values["length"].values()) == {float(len(EXAMPLES))}


def test_a_score_that_raises_when_it_looks_at_the_run_has_a_message_and_no_number() -> None:
    class Broken(Counted):
        def prepare(self, context: Any) -> None:
            raise KeyError("scale")

    scores = score(Bench(EXAMPLES), named(Broken()))
    assert "raised KeyError: 'scale'" in scores.records[0].message
    assert scores.records[0].broken
