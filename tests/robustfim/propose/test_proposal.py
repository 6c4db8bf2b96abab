"""Every proposed candidate is accounted for, and what reaches the model was accepted by every constraint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.candidate import Candidate, Edit
from robustfim.errors import PluginError, SkipCheck, UsageError
from robustfim.example import Example
from robustfim.propose.proposal import Proposer
from tests.robustfim.toys import Bench, CountingModel, Push, Refuse, Rewrite, Swap, check, example, texts

TABLE = {"good": ["fine", "great", "solid"], "film": ["movie"], "dull": ["bad"]}


def proposer(bench: Bench, perturbation: Any, **options: Any) -> Proposer:
    return Proposer(check(perturbation, **options), bench.context)


def proposed(text: str, perturbation: Any, **options: Any) -> list[str]:
    bench = Bench([example(text)])
    (candidates,) = proposer(bench, perturbation, **options).candidates(bench.examples)
    return texts(candidates)


def balances(made: Proposer) -> bool:
    """The identity that the record documents, before anything was predicted."""
    running = made.counts
    accepted = running.proposed - running.unchanged - running.duplicate - running.rejected.total()
    return accepted >= 0 and running.undefined == running.not_applicable == running.tested == 0


# ---- single edits -------------------------------------------------------------------------------------


def test_every_single_edit_becomes_a_candidate() -> None:
    assert sorted(proposed("a good film", Swap(TABLE))) == [
        "a fine film", "a good movie", "a great film", "a solid film",
    ]  # fmt: skip


def test_candidates_bounds_how_many_are_tried() -> None:
    assert len(proposed("a good film", Swap(TABLE), perturb={"candidates": 2})) == 2


def test_words_says_how_many_places_change_at_once() -> None:
    for text in proposed("a good film", Swap(TABLE), perturb={"words": 2}):
        assert text.endswith(" movie")
        assert "good" not in text


class Chain(Swap):
    """Knows how its edits go together: all of them at once, then each alone, and what it was told beforehand."""

    def foresee(self, examples: Sequence[Example]) -> None:
        self.foreseen = list(examples)

    def combine(self, example: Example, edits: Sequence[Edit], words: int) -> Iterator[Candidate]:
        assert example in self.foreseen
        yield Candidate(example, tuple(edits[:words]))
        yield from (Candidate(example, (edit,)) for edit in edits)


def test_a_perturbation_may_put_its_edits_together_itself() -> None:
    table = {"good": ["fine"], "film": ["movie"]}
    assert proposed("a good film", Chain(table), perturb={"words": 2}) == [
        "a fine movie",
        "a fine film",
        "a good movie",
    ]
    with_refusal = proposed("a good film", Chain(table), perturb={"words": 2}, constraints={"refuse": Refuse("movie")})
    assert with_refusal == ["a fine film"]


def test_an_order_of_the_suite_comes_before_its_own_way() -> None:
    class Last:
        def effects(self, candidates: Sequence[Candidate], context: Any) -> list[float]:
            return [float("movie" in candidate.example.text) for candidate in candidates]

    table = {"good": ["fine"], "film": ["movie"]}
    assert proposed("a good film", Chain(table), order=Last(), perturb={"order": "guided"}) == [
        "a good movie", "a fine film",
    ]  # fmt: skip


def test_what_it_puts_together_must_be_candidates() -> None:
    class Wrong(Chain):
        def combine(self, example: Example, edits: Sequence[Edit], words: int) -> Iterator[Any]:
            yield "a text"

    with pytest.raises(PluginError, match="propose must give Candidates, not 'a text'"):
        proposed("a good film", Wrong({"good": ["fine"]}))


def test_only_the_named_fields_change_and_an_unknown_one_is_refused() -> None:
    pair = Example({"premise": "good", "hypothesis": "good"})
    bench = Bench([pair])
    made = proposer(bench, Swap(TABLE), perturb={"fields": ["hypothesis"]})
    made.prepare()
    (candidates,) = made.candidates([pair])
    assert {candidate.example.fields["premise"] for candidate in candidates} == {"good"}
    assert len(candidates) == 3
    with pytest.raises(UsageError, match=r"no example has a field 'hypo'; there are: hypothesis, premise\."):
        proposer(bench, Swap(TABLE), perturb={"fields": ["hypo"]}).prepare()


def test_an_edit_that_changes_nothing_is_no_edit() -> None:
    bench = Bench([example("a good film")])
    made = proposer(bench, Swap({"good": ["good", "fine"]}))
    (candidates,) = made.candidates(bench.examples)
    assert texts(candidates) == ["a fine film"]
    assert made.counts.edits == 1


def test_a_constraint_on_edits_sees_each_before_they_are_combined() -> None:
    bench = Bench([example("a good film")])
    refuse = Refuse("great", per_edit=True)
    made = proposer(bench, Swap(TABLE), constraints={"no_great": refuse}, perturb={"words": 2})
    (candidates,) = made.candidates(bench.examples)
    assert all(len(candidate.edits) == 1 for candidate in refuse.seen)
    assert sorted(texts(candidates)) == ["a fine movie", "a solid movie"]
    assert made.counts.edits == 4
    assert made.counts.edits_rejected == {"no_great: has great": 1}
    assert not made.counts.rejected


def test_a_constraint_on_edits_can_foresee_those_of_a_block() -> None:
    class Foreseeing(Refuse):
        def foresee(self, candidates: Sequence[Candidate]) -> None:
            self.foreseen = [candidate.edits for candidate in candidates]

    bench = Bench([example("a good film"), example("a dull film")])
    refuse = Foreseeing("great", per_edit=True)
    proposer(bench, Swap(TABLE), constraints={"no_great": refuse}).candidates(bench.examples)
    assert refuse.foreseen == [candidate.edits for candidate in refuse.seen]
    assert len({candidate.source.text for candidate in refuse.seen}) == 2


def test_a_constraint_on_texts_sees_whole_candidates_and_its_reasons_are_counted() -> None:
    bench = Bench([example("a good film"), example("a dull film")])
    made = proposer(bench, Swap(TABLE), constraints={"first": Refuse("movie"), "second": Refuse("great")})
    candidates = made.candidates(bench.examples)
    assert [sorted(texts(candidate)) for candidate in candidates] == [["a fine film", "a solid film"], ["a bad film"]]
    assert made.counts.rejected == {"first: has movie": 2, "second: has great": 1}
    assert made.counts.proposed == 6
    assert balances(made)


def test_the_constraints_are_asked_in_the_order_of_the_suite_and_one_refusal_suffices() -> None:
    bench = Bench([example("a film")])
    second = Refuse("movie")
    made = proposer(bench, Swap(TABLE), constraints={"first": Refuse("movie"), "second": second})
    made.candidates(bench.examples)
    assert made.counts.rejected == {"first: has movie": 1}
    assert not second.seen


# ---- whole candidates ---------------------------------------------------------------------------------


def test_unchanged_repeated_and_empty_texts_are_counted_and_not_tested() -> None:
    bench = Bench([example("a good film")])
    made = proposer(bench, Rewrite(str, str.upper, str.upper, lambda text: "  ", str.title))
    (candidates,) = made.candidates(bench.examples)
    assert texts(candidates) == ["A GOOD FILM", "A Good Film"]
    assert (made.counts.proposed, made.counts.unchanged, made.counts.duplicate) == (5, 1, 1)
    assert made.counts.rejected == {"empty text": 1}
    assert balances(made)


def test_an_endless_perturbation_is_given_up_after_some_tries() -> None:
    class Endless:
        asked = 0

        def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
            while True:
                Endless.asked += 1
                yield Candidate.replacing(example, {"text": "always the same"})

    assert proposed("a film", Endless(), perturb={"candidates": 4}) == ["always the same"]
    assert Endless.asked <= 4 * 6 + 1


def test_edits_of_other_fields_are_taken_out_of_whole_candidates() -> None:
    pair = Example({"premise": "good", "hypothesis": "good"})
    bench = Bench([pair])
    made = proposer(bench, Rewrite(str.upper), perturb={"fields": ["premise"]})
    ((candidate,),) = made.candidates([pair])
    assert dict(candidate.example.fields) == {"premise": "GOOD", "hypothesis": "good"}


def test_steps_of_several_lengths_are_different_candidates() -> None:
    bench = Bench([example("a film")])
    (candidates,) = proposer(bench, Push([0.5, -0.5, 0.5])).candidates(bench.examples)
    assert [candidate.step.norm for candidate in candidates if candidate.step] == [0.5, -0.5]


# ---- randomness ---------------------------------------------------------------------------------------


@given(st.integers(0, 50), st.integers(1, 3))
def test_an_examples_candidates_depend_on_seed_check_and_example_alone(seed: int, words: int) -> None:
    examples = [example("a good film with a dull end"), example("a dull film"), example("good good film")]
    perturb = {"words": words, "candidates": 3}
    together = proposer(Bench(examples, seed=seed), Swap(TABLE), perturb=perturb).candidates(examples)
    for one, candidates in zip(examples, together, strict=True):
        (alone,) = proposer(Bench([one], seed=seed), Swap(TABLE), perturb=perturb).candidates([one])
        assert texts(alone) == texts(candidates)


def test_another_check_or_seed_draws_another_sample() -> None:
    table = {"film": [f"film{number}" for number in range(100)]}
    samples = {
        tuple(
            texts(
                proposer(Bench([example("a film")], seed=seed), Swap(table), name=name).candidates([example("a film")])[
                    0
                ]
            )
        )
        for seed in (0, 1)
        for name in ("one", "two")
    }
    assert len(samples) == 4


# ---- broken plugins -----------------------------------------------------------------------------------


class Giving:
    """A perturbation that gives one thing, whatever it is."""

    def __init__(self, given: Any) -> None:
        self.given = given

    def propose(self, example: Example, random: Random) -> Any:
        return self.given


class Listing:
    def __init__(self, given: Any) -> None:
        self.given = given

    def edits(self, example: Example, random: Random) -> Any:
        return self.given


SOURCE = example("a film")


@pytest.mark.parametrize(
    ("perturbation", "message"),
    [
        (Giving(None), "returned None instead of a series"),
        (Giving("a text"), "returned 'a text' instead of a series"),
        (Giving(["a text"]), "propose must give Candidates, not 'a text'"),
        (Giving([Candidate(example("other"))]), "propose gave a candidate of another example, {'text': 'other'}"),
        (Giving(iter(int, 1)), "propose must give Candidates, not 0"),
        (Listing(3), "returned 3 instead of a series"),
        (Listing([("text", 0, 1)]), r"edits must give Edits, not \('text', 0, 1\)"),
        (Listing([Edit("text", 0, 1, "x", "y")]), "does not match 'text' at 0:1, which reads 'a'"),
        (Listing([Edit("text", 2, 99, "film", "y")]), "does not match 'text' at 2:99"),
        (Listing([Edit("txt", 0, 1, "a", "y")]), "edit of unknown field 'txt'"),
    ],
)
def test_nonsense_names_the_plugin_the_perturbation_and_what_it_gave(perturbation: Any, message: str) -> None:
    bench = Bench([SOURCE])
    with pytest.raises(PluginError, match=rf"^plugin 'toys', perturbation 'swap' \(\w+\): .*({message})"):
        proposer(bench, perturbation).candidates([SOURCE])


def test_an_exception_in_the_middle_of_a_series_is_the_plugins() -> None:
    class Tearing:
        def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
            yield Candidate.replacing(example, {"text": "one"})
            raise LookupError("no second")

    with pytest.raises(PluginError, match=r"\(Tearing\) raised LookupError: no second") as raised:
        proposed("a film", Tearing())
    assert isinstance(raised.value.__cause__, LookupError)


def test_a_skip_passes_through() -> None:
    class Needy(Swap):
        def prepare(self, context: object) -> None:
            raise SkipCheck("fetch the dictionary")

    with pytest.raises(SkipCheck, match="fetch the dictionary"):
        proposer(Bench([SOURCE]), Needy({})).prepare()


def test_a_constraint_that_raises_or_answers_nonsense_is_named() -> None:
    class Wrong:
        def __init__(self, answer: Any) -> None:
            self.answer = answer

        def reject(self, candidate: Candidate) -> Any:
            if isinstance(self.answer, Exception):
                raise self.answer
            return self.answer

    for answer, message in (
        (True, ": reject must give a reason or None, not True"),
        (OSError("gone"), " raised OSError: gone"),
    ):
        with pytest.raises(PluginError, match=rf"^constraint 'wrong' \(Wrong\){message}"):
            proposed("a film", Swap(TABLE), constraints={"wrong": Wrong(answer)})


def test_a_perturbation_can_foresee_the_examples_of_a_block_before_they_are_asked_for() -> None:
    class Foreseeing:
        def __init__(self) -> None:
            self.seen: list[tuple[str, ...]] = []

        def foresee(self, examples: Sequence[Example]) -> None:
            self.seen.append(tuple(each.text for each in examples))

        def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
            yield Candidate.replacing(example, {"text": f"{len(self.seen)} {example.text}"})

    bench = Bench([example("a good film"), example("dull"), example("long")])
    perturbation = Foreseeing()
    made = proposer(bench, perturbation)
    first = made.candidates(bench.examples[:2])
    assert [texts(each) for each in first] == [["1 a good film"], ["1 dull"]]
    assert texts(made.candidates(bench.examples[2:])[0]) == ["2 long"]
    assert perturbation.seen == [("a good film", "dull"), ("long",)]


def test_a_failure_to_foresee_is_the_plugins() -> None:
    class Blind:
        def foresee(self, examples: Sequence[Example]) -> None:
            raise OSError("no light")

        def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
            yield Candidate.replacing(example, {"text": "seen"})

    bench = Bench([example("a good film")])
    with pytest.raises(PluginError, match="OSError: no light"):
        proposer(bench, Blind()).candidates(bench.examples)


def test_a_step_without_a_way_to_predict_it_is_refused() -> None:
    class Half:
        def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
            return Push([1.0]).propose(example, random)

    with pytest.raises(PluginError, match="each candidate must be a perturbed text, since it has no 'predict'"):
        proposed("a film", Half())


def test_every_part_of_a_check_looks_at_the_run_before_its_first_example() -> None:
    looked: list[str] = []

    def looking(name: str, base: type[Any], *given: Any) -> Any:
        return type(name, (base,), {"prepare": lambda self, context: looked.append(name)})(*given)

    class Order:
        def effects(self, candidates: Sequence[Candidate], context: Any) -> list[float]:
            return [0.0 for _ in candidates]

    made = check(
        looking("Swaps", Swap, {}), constraints={"no": looking("Refuses", Refuse, "x")}, order=looking("Orders", Order)
    )
    bench = Bench([SOURCE])
    Proposer(made, bench.context).prepare()
    assert looked == ["Swaps", "Refuses", "Orders"]


# ---- what the model reads -----------------------------------------------------------------------------


class Short(CountingModel):
    """A model that reads the first six characters of a long text."""

    def window(self, examples: Sequence[Example]) -> Any:
        return [None if len(each.text) <= 6 else [("text", 0, 6)] for each in examples]


def test_edits_of_what_the_model_does_not_read_are_counted_and_not_tried() -> None:
    bench = Bench([example("a good film"), example("a film"), example("good dull film")], model=Short())
    made = proposer(bench, Swap(TABLE))
    assert [sorted(texts(candidate)) for candidate in made.candidates(bench.examples)] == [
        ["a fine film", "a great film", "a solid film"], ["a movie"],
        ["fine dull film", "great dull film", "solid dull film"],
    ]  # fmt: skip
    assert made.counts.edits == 10
    assert made.counts.edits_rejected == {"outside of what the model reads": 3}


def test_a_candidate_that_changes_nothing_that_is_read_is_counted_and_not_tested() -> None:
    bench = Bench([example("a good film")], model=Short())
    made = proposer(
        bench, Rewrite(lambda text: text.replace("film", "movie"), lambda text: text.replace("good", "fine"))
    )
    (candidates,) = made.candidates(bench.examples)
    assert texts(candidates) == ["a fine film"]
    assert (made.counts.proposed, made.counts.outside, made.counts.not_applicable) == (2, 1, 1)
