"""Principal components of the differences between alternatives."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from robustfim import DataError
from robustfim_cues.copa.data import Copa
from robustfim_cues.sensitivity.components import Components, components, differences
from robustfim_cues.sensitivity.exhibits import components_figure
from tests.plugins.robustfim_cues.choosing import Choosing
from tests.plugins.robustfim_cues.conftest import make


def test_the_components_are_those_of_scikit_learn() -> None:
    decomposition = pytest.importorskip("sklearn.decomposition")
    points = np.random.default_rng(3).normal(size=(40, 6)) * [5, 3, 1, 1, 1, 1]
    fitted = [row % 3 > 0 for row in range(40)]
    reference = decomposition.PCA(2).fit(points[fitted])
    found = components(points, fitted)
    assert found.explained == pytest.approx(reference.explained_variance_ratio_)
    assert np.abs(found.places) == pytest.approx(np.abs(reference.transform(points)))


def test_the_largest_weight_of_a_component_is_positive() -> None:
    points = np.random.default_rng(4).normal(size=(30, 5))
    assert components(points).places == pytest.approx(components(points[:, ::-1].copy()).places)
    assert components(-points).places == pytest.approx(-components(points).places)


def test_too_few_examples_or_dimensions_are_refused() -> None:
    for shape in ((2, 4), (5, 1)):
        with pytest.raises(DataError, match="no two principal components"):
            components(np.zeros(shape))


def test_a_difference_is_that_of_the_means_of_the_input_embeddings() -> None:
    pytest.importorskip("torch")
    model = Choosing()
    example = make("a b", "a c d")
    table = model.embed([example]).embeddings[0].numpy()
    (found,) = differences(model, [example])
    assert found == pytest.approx(table[:2].mean(axis=0) - table[2:5].mean(axis=0))


def test_an_instance_and_its_mirror_differ_alike() -> None:
    pytest.importorskip("torch")
    pairs: dict[object, list[npt.NDArray[np.float64]]] = {}
    examples = list(Copa().load())
    for example, row in zip(examples, differences(Choosing(), examples), strict=True):
        swapped = sorted([example.fields["choice1"], example.fields["choice2"]])[0] != example.fields["choice1"]
        pairs.setdefault(example.meta["pair"], []).append(-row if swapped else row)
    assert len(pairs) == 81
    assert all(np.allclose(first, second) for first, second in pairs.values())


def test_an_alternative_that_is_not_read_is_told() -> None:
    pytest.importorskip("torch")
    with pytest.raises(DataError, match="reads nothing of 'choice2'"):
        differences(Choosing(), [make("a", "…")])


def test_the_figure_counts_the_instances_that_share_their_place_with_another_answer() -> None:
    places = np.array([[0.0, 1.0], [0.0, 1.0], [2.0, 2.0], [2.0, 2.0], [3.0, 0.0]])
    found = Components(places, (0.6, 0.3))
    (note,) = components_figure("drawn", found, ["1", "2", "1", "1", "2"], range(5), list("abcde")).notes
    assert "2 of 5 instances drawn stand in one place with another whose other alternative is right" in note
