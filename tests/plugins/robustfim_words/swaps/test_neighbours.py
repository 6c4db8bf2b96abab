"""Neighbours: nearest words in the model's own embedding, against a literal computation."""

from __future__ import annotations

import math

import pytest

from robustfim.errors import ModelError, UsageError
from robustfim_words.swaps.neighbours import Neighbours
from tests.plugins.robustfim_words.samples import candidates, example, prepared, texts
from tests.robustfim.toys import Bench

pytest.importorskip("torch")

TEXTS = [  # nouns that differ in their letters
    "The table, the actor, the window and the river are in the garden.",
    "The great film was great.",
    "A grate meal, a gentle meal and a large lamp.",
    "The lame male ate a melon.",
]


def cosine(one: str, other: str) -> float:
    """The cosine of two words' letter counts, which the toy model embeds."""
    counts = [[word.count(chr(ord("a") + place)) for place in range(26)] for word in (one, other)]
    product = sum(a * b for a, b in zip(*counts, strict=True))
    return float(product) / math.prod(math.sqrt(sum(a * a for a in count)) for count in counts)


def test_the_nearest_words_of_the_data_come_first() -> None:
    made = prepared(Neighbours(alternatives=9, similarity=-1), TEXTS)
    found = [candidate.edits[0] for candidate in candidates(made, "The film ended.")]
    after = [edit.after for edit in found if edit.before == "film"]
    assert len(after) > 1
    assert [cosine("film", word) for word in after] == sorted((cosine("film", word) for word in after), reverse=True)


def test_words_that_the_model_cannot_tell_apart_are_left() -> None:
    made = prepared(Neighbours(similarity=-1), [*TEXTS, "The meal and the male lamp; palm and lamp."])
    assert all("meal" not in edit.after for c in candidates(made, "A film.") for edit in c.edits)  # meal, male, lame


def test_a_smallest_cosine_and_a_number_bound_the_neighbours() -> None:
    assert texts(prepared(Neighbours(similarity=1.0), TEXTS), "The film ended.") == []
    assert len(texts(prepared(Neighbours(similarity=-1, alternatives=1), TEXTS), "The film.")) == 1


def test_a_model_without_embeddings_is_refused_with_the_way_out() -> None:
    bench = Bench([example("A film.")])
    with pytest.raises(ModelError, match=r"CountingModel gives predictions only. 'synonyms' needs no embeddings"):
        Neighbours().prepare(bench.context)


def test_defective_options_are_refused() -> None:
    with pytest.raises(UsageError, match="is below 1"):
        Neighbours(alternatives=0)
    with pytest.raises(UsageError, match="no cosine"):
        Neighbours(similarity=2)
