"""TextAttack's constraints as robustfim's."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim_textattack.attacked import attacked, perturbed, word_places
from robustfim_textattack.library import class_of
from robustfim_textattack.table import CONSTRAINTS
from tests.plugins.robustfim_textattack.library import Library
from tests.robustfim.toys import Bench

OPTIONS: dict[str, dict[str, Any]] = {
    "BLEU": {"max_bleu_score": 0},
    "InputColumnModification": {"matching_column_labels": ["text"], "columns_to_ignore": ["text"]},
    "LevenshteinEditDistance": {"max_edit_distance": 4},
    "MaxModificationRate": {"max_rate": 0.1},
    "MaxNumWordsModified": {"max_num_words": 1},
    "MaxWordIndexModification": {"max_length": 3},
    "MaxWordsPerturbed": {"max_num_words": 1},
    "MinWordLength": {"min_length": 4},
    "UnmodifablePhrases": {"phrases": ["dull story"]},
    "UnmodifiableIndices": {"indices": [1]},
    "chrF": {"max_chrf": 0},
}
FREE = [name for name, component in CONSTRAINTS.items() if not component.needs]
WORDS = ["this", "dull", "story,", "and", "its", "poor", "plot", "-", "dreadful!"]


def made(name: str, **options: Any) -> Any:
    constraint = getattr(importlib.import_module("robustfim_textattack.constraint"), name)(**options)
    constraint.prepare(Bench([]).context)
    return constraint


def swapped(*pairs: tuple[str, str]) -> Candidate:
    text = " ".join(WORDS)
    edits = [Edit("text", text.index(old), text.index(old) + len(old), old, new) for old, new in pairs]
    return Candidate(Example({"text": text}), tuple(edits))


@pytest.mark.parametrize("name", FREE)
def test_a_word_swap_is_judged_as_textattack_judges_it(library: Library, name: str) -> None:
    theirs = class_of(name)(**OPTIONS.get(name, {}))
    ours = made(name, **OPTIONS.get(name, {}))
    swap = library.package.transformations.WordSwap()
    source = attacked({"text": " ".join(WORDS)})
    verdicts = set()
    for index, word in enumerate(source.words):
        for new in ("x", word[:-1] or "y", word.upper()):
            after = source.replace_word_at_index(index, new)
            after.attack_attrs["last_transformation"] = swap
            accepts = (
                index in theirs(source, swap)
                if isinstance(theirs, library.package.constraints.PreTransformationConstraint)
                else bool(theirs(after, source))
            )
            candidate = Candidate.replacing(Example({"text": source.text}), {"text": after.text})
            assert (ours.reject(candidate) is None) == accepts
            verdicts.add(accepts)
    assert verdicts == ({True} if name in NEVER else {True, False} if name not in ALWAYS else {False})


NEVER = {"RepeatModification", "MaxNumWordsModified", "MaxModificationRate", "MaxWordsPerturbed"}
"""A single swap is always within them."""
ALWAYS = {"InputColumnModification", "BLEU", "chrF"}
"""With the options above they accept none."""


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("MaxNumWordsModified", {"max_num_words": 2}),
        ("MaxModificationRate", {"max_rate": 0.25}),
        ("MaxWordsPerturbed", {"max_num_words": 2}),
    ],
)
def test_limits_count_the_words_of_all_edits(library: Library, name: str, options: dict[str, Any]) -> None:
    two, three = swapped(("dull", "grey"), ("poor", "bad")), swapped(("dull", "grey"), ("poor", "bad"), ("plot", "end"))
    assert made(name, **options).reject(two) is None
    assert made(name, **options).reject(three) == "not met"


def test_stop_words_stay(library: Library) -> None:
    constraint = made("StopwordModification", stopwords=["and"])
    assert constraint.reject(swapped(("and", "or"))) == "not met"
    assert constraint.reject(swapped(("dull", "grey"))) is None


def test_a_constraint_that_textattack_refuses_to_make_says_why(library: Library) -> None:
    with pytest.raises(ValueError, match="must set either"):
        made("MaxWordsPerturbed")


CHANGES = st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["swap", "after", "before", "delete"])), max_size=4)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=CHANGES)
def test_what_textattack_keeps_of_changes_is_told_from_the_texts(
    library: Library, changes: list[tuple[int, str]]
) -> None:
    theirs = ours = attacked({"text": "alpha, beta gamma: delta epsilon zeta"})
    for number, (index, kind) in enumerate(changes):
        index %= len(theirs.words)
        word = theirs.words[index]
        new = f"new{number}"  # a word that is there already could be aligned in two ways
        theirs = {
            "swap": lambda: theirs.replace_word_at_index(index, new),  # noqa: B023  # called at once
            "after": lambda: theirs.insert_text_after_word_index(index, new),  # noqa: B023  # as above
            "before": lambda: theirs.insert_text_before_word_index(index, new),  # noqa: B023  # as above
            "delete": lambda: theirs.delete_word_at_index(index),  # noqa: B023  # as above
        }[kind]()
        assert word in ours.words
        ours = perturbed(ours, dict(theirs._text_input), None)
        assert ours.text == theirs.text
        assert list(ours.attack_attrs["original_index_map"]) == list(theirs.attack_attrs["original_index_map"])
        if kind == "swap":
            assert ours.attack_attrs["newly_modified_indices"] == theirs.attack_attrs["newly_modified_indices"]
        assert ours.attack_attrs["previous_attacked_text"] is not None


@pytest.mark.parametrize(
    ("one", "two"), [("a 'quoted' word", "don't: it's — x_y@z"), ("", "漢字 and words\nand a line")]
)
def test_words_are_found_where_they_stand(library: Library, one: str, two: str) -> None:
    fields = {"a": one, "b": two}
    text = attacked(fields)
    assert [fields[name][start:end] for name, start, end in word_places(text)] == text.words
