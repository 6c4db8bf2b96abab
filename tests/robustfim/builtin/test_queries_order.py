"""The order ``queries``: words are worth what the model says without them, and of the texts they are in."""

from __future__ import annotations

import pytest

from robustfim.builtin.queries_order import QueriesOrder
from robustfim.candidate import Candidate, Edit
from robustfim.errors import UsageError
from robustfim.example import Example
from tests.robustfim.toys import WORDS, Bench, Swap, check, example

DATA = [example(text) for text in ("good film", "fine film", "good day", "bad film", "dull film", "bad day", "film")]


def single(source: Example, before: str, after: str) -> Candidate:
    start = source.text.index(before)
    return Candidate(source, (Edit("text", start, start + len(before), before, after),))


def test_the_word_that_goes_is_worth_the_log_odds_that_the_text_loses_without_it() -> None:
    source = example("good fine play")
    bench = Bench([source])
    candidates = [single(source, word, "unseen") for word in ("good", "fine", "play")]
    effects, asked = QueriesOrder().within(candidates, bench.context, 9)
    assert effects == pytest.approx([WORDS["good"], WORDS["fine"], 0.0])
    assert asked == {source.id: 3}
    assert sorted(bench.model.batches[-1]) == [" fine play", "good  play", "good fine "], "once each, as one batch"


def test_no_more_texts_are_asked_about_than_allowed_and_the_words_of_most_worth_first() -> None:
    source = example("day film good")
    bench = Bench([*DATA, source])
    candidates = [single(source, word, "unseen") for word in ("day", "film", "good")]
    for most, order in ((1, QueriesOrder()), (9, QueriesOrder(most=1))):
        effects, asked = order.within(candidates, bench.context, most)
        assert asked == {source.id: 1}
        assert effects[2] == pytest.approx(WORDS["good"])
    assert QueriesOrder(most=0).within(candidates, bench.context, 9)[1] == {}
    with pytest.raises(UsageError, match="most: -1 is below 0"):
        QueriesOrder(most=-1)


def test_the_word_that_comes_is_worth_what_the_data_says_of_it() -> None:
    source = example("good play")
    bench = Bench([*DATA, source])
    to_bad, to_fine = (single(source, "good", after) for after in ("bad", "fine"))
    assert QueriesOrder().effects([to_bad], bench.context) > QueriesOrder().effects([to_fine], bench.context)


def test_a_search_counts_what_the_order_asked_about_among_its_queries() -> None:
    source = example("good good play of mine")
    swap = Swap({"good": ["so", "and"], "mine": ["dull"]})
    bench = Bench([source])
    search = {"use": "greedy", "queries": 8}
    counts, failures = bench.run(
        check(swap, order=QueriesOrder(), perturb={"order": "queries", "search": search, "words": 3})
    )
    assert counts.candidates.queries - counts.candidates.tested == 2, "a quarter of them"
    assert len(failures[0].edits) == 3
    assert failures[0].queries is not None
    assert failures[0].queries > 2


def test_an_order_that_learns_asks_only_about_words_in_doubt_and_knows_the_others_from_other_texts() -> None:
    sources = [example(f"good fine play {number}") for number in range(24)]
    swap, search = Swap({word: ["unseen"] for word in ("good", "fine", "play")}), {"use": "greedy", "queries": 40}
    asked = {}
    for learn in (False, True):
        bench = Bench(sources)
        perturb = {"order": "queries", "search": search, "words": 2}
        counts, _ = bench.run(check(swap, order=QueriesOrder(learn=learn), perturb=perturb))
        asked[learn] = counts.candidates.queries - counts.candidates.tested
    assert asked == {False: 24 * 3, True: 8 * 3}, "after eight examples the three words are known"


def test_what_is_learned_does_not_depend_on_batches_or_on_what_the_store_knows() -> None:
    sources = [example(f"good fine {word} {number}") for number in range(20) for word in ("play", "film")]
    swap = Swap({word: ["unseen", "dull", "bad"] for word in ("good", "fine", "play", "film")})
    perturb = {"order": "queries", "search": {"use": "greedy", "queries": 12}, "words": 2}
    found = []
    for size, times in ((1, 1), (64, 2)):
        bench = Bench(sources)
        bench.context.queue.batch_size = size
        for _ in range(times):  # a second time, the store answers
            counts, failures = bench.run(check(swap, order=QueriesOrder(learn=True), perturb=perturb))
        found.append((counts.candidates, [(each.example, each.fields, each.queries) for each in failures]))
    assert found[0] == found[1]
    assert found[0][1]
