"""Neighbours: nearest words in the model's own embedding, against a literal computation."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from robustfim.errors import DataError, ModelError, UsageError
from robustfim_words.swaps.neighbours import Neighbours
from tests.plugins.robustfim_words.samples import candidates, example, prepared, sentences, texts
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


VECTORS = """film 1.0 0.0 0.1
movie 0.9 0.1 0.1
Movie 0 0 1
picture 0.8 0.0 0.5
ended 0.0 1.0 0.0
stopped 0.1 1.0 0.0
great -0.5 0.5 0.5
x-ray 1.0 0.0 0.1
"""


def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "vectors.txt"
    path.write_text(text, encoding="utf-8")
    return path


def near(made: Neighbours, text: str, word: str) -> list[str]:
    found = [edit for candidate in candidates(made, text) for edit in candidate.edits]
    return [edit.after for edit in found if edit.before == word]


@pytest.mark.parametrize("head", ["", "8 3\n"])
def test_vectors_of_the_users_offer_words_that_the_data_does_not_have(tmp_path: Path, head: str) -> None:
    path = file(tmp_path, head + VECTORS)
    made = Neighbours(vectors=path, similarity=0.5)
    made.prepare(Bench([example("A great film ended.")]).context)  # its model gives predictions only
    assert near(made, "A great film ended.", "film") == ["movie", "picture"]
    assert near(made, "A great film ended.", "ended") == ["stopped"]
    assert near(made, "A great film ended.", "great") == []


def test_the_first_words_of_the_file_are_read_and_those_of_the_data(tmp_path: Path) -> None:
    words = "".join(f"word{chr(97 + place)} {place} 1 0\n" for place in range(9))
    path = file(tmp_path, words + VECTORS)
    made = Neighbours(vectors=path, similarity=-1, vocabulary=2, alternatives=9)
    made.prepare(Bench([example("A great film ended.")]).context)
    assert set(near(made, "A great film ended.", "film")) <= {"worda", "wordb"}


@pytest.mark.parametrize(
    ("text", "message"),
    sentences("test_a_file_that_holds_no_vectors_is_told_with_its_line"),
)
def test_a_file_that_holds_no_vectors_is_told_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    made = Neighbours(vectors=file(tmp_path, text))
    with pytest.raises(DataError, match=message):
        made.prepare(Bench([example("A great film ended.")]).context)
    with pytest.raises(DataError, match=r"Did you mean 'vectors.txt'"):
        Neighbours(vectors=tmp_path / "vector.txt").prepare(Bench([example("A great film ended.")]).context)
    (tmp_path / "vectors.txt").write_bytes(b"2 3\nfilm \xff\xfe")
    with pytest.raises(DataError, match="word2vec's binary form"):
        made.prepare(Bench([example("A great film ended.")]).context)
