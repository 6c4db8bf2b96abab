"""Moves and shifts, against the change of the embedding itself and against the moves written out one by one."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
import torch

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim_fisher.geometry import FisherGeometry
from robustfim_fisher.moves import Moves
from tests.plugins.robustfim_fisher.models import model_of, sentences


def swap(example: Example, *pairs: tuple[str, str]) -> Candidate:
    """Replace each word by another, once."""
    text = example.fields["text"]
    places = [(text.index(before), before, after) for before, after in pairs]
    return Candidate(example, tuple(Edit("text", at, at + len(before), before, after) for at, before, after in places))


SLOW = Example({"text": "a slow film of the bright grief"})


@pytest.mark.parametrize("special", [False, True])
def test_where_words_are_tokens_the_shift_is_the_change_of_the_embedding(special: bool) -> None:
    model = model_of("cnn", classes=3, special=special)
    geometry = FisherGeometry(model)
    candidates = [
        swap(SLOW, ("slow", "quick")),
        swap(SLOW, ("slow", "quick"), ("grief", "joy"), ("bright", "dim")),
        swap(sentences(1)[0], (sentences(1)[0].text.split()[0], "nobody")),
    ]
    for candidate, shift in zip(candidates, geometry.shifts(candidates), strict=True):
        both = model.embed([candidate.source, candidate.example]).embeddings
        change, e = both[1] - both[0], geometry.at([candidate.source])[0].eigenvector
        assert shift.norm == pytest.approx(float(change.norm()), rel=1e-5)
        assert shift.cosine == pytest.approx(float((change * e).sum() / change.norm() / e.norm()), abs=1e-5)
        alone = [FisherGeometry(model).at([text])[0].lambda_max for text in (candidate.source, candidate.example)]
        assert shift.lambda_max == pytest.approx(alone, rel=1e-5)


def test_where_tokens_differ_in_number_each_goes_to_the_mean_of_those_that_came() -> None:
    model = model_of("cnn", pieces=True)
    candidate = swap(SLOW, ("bright", "wonderful"))  # brig|ht → wond|erfu|l
    (shift,) = FisherGeometry(model).shifts([candidate])
    both = model.embed([candidate.source, candidate.example]).embeddings
    went, came = both[0][5:7], both[1][5:8]
    change = torch.zeros_like(both[0])
    change[5:7] = came.mean(0) - went
    assert shift.norm == pytest.approx(float(change.norm()), rel=1e-5)
    e = FisherGeometry(model).at([candidate.source])[0].eigenvector
    padding = both.shape[1] - len(e)
    change = change[: len(change) - padding] if padding else change
    assert shift.cosine == pytest.approx(float((change * e).sum() / change.norm()), abs=1e-5)


def test_moves_of_one_token_add_up_before_the_norm_is_taken() -> None:
    model = model_of("cnn")
    inserted = Candidate(SLOW, (Edit("text", 6, 6, "", " old grey"),))  # both share the neighbours "slow" and "film"
    moves = Moves.of(model, [inserted])
    total: dict[int, torch.Tensor] = {}
    for row, change in zip(moves.rows.tolist(), moves.changes, strict=True):
        total[row] = total.get(row, torch.zeros(6)) + change
    assert set(total) == {1, 2} | {row for row, change in total.items() if not change.any()}
    literal = torch.cat(list(total.values())).norm()
    assert float(moves.norms()[0]) == pytest.approx(float(literal), rel=1e-5)
    assert len(moves.rows) > len(total)


def test_the_projection_on_a_direction_is_the_sum_over_moves() -> None:
    model = model_of("cnn", pieces=True)
    candidates = [swap(SLOW, ("bright", "wonderful")), swap(SLOW, ("film", "pictures")), swap(SLOW, ("a", "the"))]
    moves = Moves.of(model, candidates)
    direction = torch.from_numpy(np.random.default_rng(0).normal(size=(10, 6))).float()
    direction = direction[: len(FisherGeometry(model).at([SLOW])[0].eigenvector)]
    literal = [0.0] * 3
    for owner, row, change in zip(moves.owners.tolist(), moves.rows.tolist(), moves.changes, strict=True):
        literal[owner] += float(direction[row] @ change)
    np.testing.assert_allclose(moves.along([direction]).numpy(), literal, rtol=1e-4)


def test_without_a_change_or_an_eigenvector_there_is_no_cosine() -> None:
    flat = model_of("linear", scale=0.0)
    (shift,) = FisherGeometry(flat).shifts([swap(SLOW, ("slow", "quick"))])
    assert shift.norm > 0
    assert isnan(shift.cosine)
    model = model_of("cnn")
    (still,) = FisherGeometry(model).shifts([Candidate(SLOW, (Edit("text", 6, 7, " ", "  "),))])
    assert still.norm == 0
    assert isnan(still.cosine)
