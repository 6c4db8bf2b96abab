from __future__ import annotations

from difflib import SequenceMatcher

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustfim_sears.mining.induction import LONGEST, changed, induce, proposals
from robustfim_sears.rule.replacement import apply
from robustfim_sears.rule.rule import Rule
from tests.plugins.robustfim_sears.small import tagged

WORDS = st.lists(st.sampled_from(["film", "movie", "good", "very", "what", "is", "it", "the", "?", "NOUN"]), max_size=6)


def proposed(before: str, after: str) -> set[str]:
    """The written form of every rule that a pair gives, whatever its evidence."""
    old, new = tagged(before), tagged(after)
    change = changed(old.words, new.words)
    return set() if change is None else {Rule(*pair).text for _, pair in proposals(old, new, change)}


def learnt(*pairs: tuple[str, str], most: int = 1000) -> list[str]:
    return [rule.text for rule in induce(((tagged(old), tagged(new)) for old, new in pairs), most)]


def test_a_change_gives_all_combinations_of_text_and_tags_with_and_without_context() -> None:
    assert proposed("good film ends", "good movie ends") == {
        *("film → movie", "NOUN → movie", "NN → movie"),
        *(f"{a} {b} → {a} movie" for a in ("good", "ADJ", "JJ") for b in ("film", "NOUN", "NN")),
        *(f"{b} {c} → movie {c}" for b in ("film", "NOUN", "NN") for c in ("ends", "VERB", "VBZ")),
        *(
            f"{a} {b} {c} → {a} movie {c}"
            for a in ("good", "ADJ", "JJ")
            for b in ("film", "NOUN", "NN")
            for c in ("ends", "VERB", "VBZ")
        ),
    }


def test_what_is_put_in_needs_context() -> None:
    assert proposed("What happens?", "So what happens?") == {"what → so what", "PRON → so PRON", "PRP → so PRP"}


def test_what_the_paraphrase_repeats_is_repeated_by_its_tag() -> None:
    assert {"PRON AUX → PRON's", "what is → what's", "PRP is it → PRP's it"} <= proposed("What is it", "What's it")
    assert "ADJ film → film ADJ" in proposed("good film", "film good")


def test_a_and_an_are_one_word() -> None:
    assert changed(["an", "awful", "film"], ["a", "bad", "film"]) == (1, 2, 2)
    assert changed(["an", "film"], ["a", "film"]) is None


def test_a_tag_needs_two_words_that_it_has_stood_for() -> None:
    one = ("What film is it?", "Which film is it?")
    assert "what NOUN → which NOUN" not in learnt(one)
    assert "what NOUN → which NOUN" not in learnt(one, one)
    assert "what NOUN → which NOUN" in learnt(one, ("What color was it?", "Which color was it?"))


def test_the_rules_that_most_pairs_have_come_first_the_shortest_before_others() -> None:
    pairs = [("a film", "a movie"), ("the film", "the movie"), ("it is bad", "it is awful")]
    assert learnt(*pairs)[:3] == ["film → movie", "DET film → DET movie", "DT film → DT movie"]
    assert learnt(*pairs, most=1) == ["film → movie"]


def test_words_begin_in_small_letters_unless_they_are_names() -> None:
    assert "film → movie" in learnt(("Film ends", "Movie ends"))
    assert "it → Paris" in learnt(("It ends", "Paris ends"))
    assert "it → I" in learnt(("It ends", "I end"), ("it is", "I is"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a film", "a film"),
        ("a film", "A  Film"),
        ("a film", "it was so very good a thing of old"),
        ("", ""),
        ("🙂", "🙂"),
    ],
)
def test_a_pair_that_is_equal_or_far_apart_gives_no_rule(before: str, after: str) -> None:
    assert learnt((before, after)) == []


def test_marks_that_are_doubled_are_one_word() -> None:
    assert "? → ??" in learnt(("What film?", "What film??"))
    assert "! → !?" in learnt(("good!", "good!?"))


def test_what_cannot_be_written_as_a_rule_is_left_out() -> None:
    assert learnt(("a → b", "a b")) == []
    assert "film → 🙂" in learnt(("a film", "a 🙂"))
    assert "日本 → 中国" in learnt(("日本 film", "中国 film"))


@given(WORDS, WORDS)
def test_the_change_is_the_smallest_run_around_all_differences(before: list[str], after: list[str]) -> None:
    change = changed(before, after)
    if change is None:
        assert before == after
        return
    start, old_end, new_end = change
    assert before[:start] + after[start:new_end] + before[old_end:] == after
    blocks = [
        block for block in SequenceMatcher(None, before, after, autojunk=False).get_opcodes() if block[0] != "equal"
    ]
    assert start >= 0
    assert old_end - start + new_end - start >= sum((block[2] - block[1]) + (block[4] - block[3]) for block in blocks)
    assert not (start < min(old_end, new_end) and before[start] == after[start])
    assert not (start < min(old_end, new_end) and before[old_end - 1] == after[new_end - 1])


@settings(max_examples=60)
@given(WORDS, WORDS, WORDS, WORDS)
def test_a_rule_of_words_makes_the_paraphrase_where_it_first_occurs(
    head: list[str], old: list[str], new: list[str], tail: list[str]
) -> None:
    before, after = " ".join([*head, *old, *tail]), " ".join([*head, *new, *tail])
    source, paraphrase = tagged(before), tagged(after)
    change = changed(source.words, paraphrase.words)
    if change is None or max(change[1], change[2]) - change[0] > LONGEST:
        return
    for first, pair in proposals(source, paraphrase, change):
        made = apply(Rule(*pair), source)
        words = source.words[first : first + len(pair[0])]
        earlier = any(source.words[place : place + len(words)] == words for place in range(first))
        if all(element.word for element in pair[0]) and not earlier:
            assert made is not None
            assert tagged(made.of(before)).words == paraphrase.words
