"""Each rival of λmax against a closed form or another library, within 1e-5."""

from __future__ import annotations

from math import inf, isnan, log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim.errors import DataError, ModelError, UsageError
from robustfim.record import Record
from robustfim.run_options import RunOptions
from robustfim.session.open import open_session
from robustfim_difficulty.distances import ConflictingNeighbours, Mahalanobis, NeighbourDistance
from robustfim_difficulty.dropout import EmbeddingDropout
from robustfim_difficulty.ensemble import Ensemble
from robustfim_difficulty.gold import ErrorNorm, PointwiseInformation
from tests.plugins.robustfim_difficulty.toy import EXAMPLES, TEXTS, WEIGHTS, Letters, bench, example, feature
from tests.robustfim.toys import CountingModel

pytest.importorskip("torch")


class Fixed:
    """Gives each text the probabilities that a test wants."""

    fingerprint = "fixed-1"

    def __init__(self, rows: list[list[float]], labels: tuple[str, ...] = ("negative", "positive")) -> None:
        self.rows, self.labels = rows, labels
        self.asked = 0

    def predict(self, examples: Any) -> list[list[float]]:
        self.asked += len(examples)
        return [self.rows[int(each.text)] for each in examples]


class Source:
    """A data source."""

    def __init__(self, examples: Any) -> None:
        self.examples = examples

    def load(self) -> Any:
        return iter(self.examples)


def numbered(*labels: str | None) -> list[Any]:
    return [example(str(row), label) for row, label in enumerate(labels)]


ROWS = [[0.9, 0.1], [0.2, 0.8], [0.5, 0.5], [1.0, 0.0]]


def test_el2n_is_the_norm_of_the_error() -> None:
    examples = numbered("negative", "negative", None, "positive")
    found = ErrorNorm().score(examples, bench(examples, Fixed(ROWS)).context)
    assert found[:2] == pytest.approx([np.linalg.norm([-0.1, 0.1]), np.linalg.norm([-0.8, 0.8])])
    assert isnan(found[2])
    assert found[3] == pytest.approx(2**0.5)


def test_pointwise_information_is_in_bits_above_the_shares_of_the_labels() -> None:
    examples = numbered("negative", "negative", None, "positive")
    context = bench(examples, Fixed(ROWS)).context
    found = PointwiseInformation().score(examples, context)
    assert found[:2] == pytest.approx([log2(0.9) - log2(2 / 3), log2(0.2) - log2(2 / 3)])
    assert isnan(found[2])
    assert found[3] == -inf
    known = PointwiseInformation({"negative": 0.25, "positive": 0.75}).score(examples, context)
    assert known[0] == pytest.approx(log2(0.9) - log2(0.25))
    with pytest.raises(DataError, match="'prior' has no label 'positive'"):
        PointwiseInformation({"negative": 0.25}).score(examples, context)
    with pytest.raises(UsageError, match="'prior' holds probabilities"):
        PointwiseInformation({"negative": 0})


def test_a_gold_label_that_the_model_does_not_have_is_told() -> None:
    examples = numbered("negativ")
    with pytest.raises(DataError, match=r"no label 'negativ', which an example has. Did you mean 'negative'"):
        ErrorNorm().score(examples, bench(examples, Fixed(ROWS)).context)


def test_an_ensemble_disagrees_by_the_mutual_information_or_the_variance() -> None:
    from scipy.stats import entropy

    others = [[[0.9, 0.1], [0.6, 0.4], [0.1, 0.9], [1.0, 0.0]], [[0.9, 0.1], [0.1, 0.9], [0.7, 0.3], [0.0, 1.0]]]
    examples = numbered(None, None, None, None)
    swapped = Fixed([row[::-1] for row in others[1]], ("positive", "negative"))
    made = [Fixed(others[0]), swapped]
    stacked = np.array([ROWS, *others])
    context = bench(examples, Fixed(ROWS)).context
    information = entropy(stacked.mean(0), axis=1) - entropy(stacked, axis=2).mean(0)
    assert Ensemble(made).score(examples, context) == pytest.approx(information, abs=1e-12)
    variance = stacked.var(axis=0).sum(axis=1)
    assert Ensemble(made, "variance").score(examples, context) == pytest.approx(variance, abs=1e-12)
    assert Ensemble(made).score(examples, context)[0] == pytest.approx(0)  # all say the same
    with pytest.raises(DataError, match="has the labels a, b, not negative, positive"):
        Ensemble([Fixed(ROWS, ("a", "b"))]).score(examples, context)
    with pytest.raises(UsageError, match="'others' lists no model"):
        Ensemble([])


def test_mahalanobis_is_scipys_distance_to_the_nearest_class() -> None:
    from scipy.spatial.distance import mahalanobis

    features = np.array([feature(text) for text, _ in TEXTS])
    labels = np.array([label for _, label in TEXTS])
    means = {label: features[labels == label].mean(0) for label in ("negative", "positive")}
    away = np.concatenate([features[labels == label] - means[label] for label in means])
    precision = np.linalg.inv(away.T @ away / len(away))
    expected = [min(mahalanobis(each, mean, precision) for mean in means.values()) for each in features]
    assert Mahalanobis().score(EXAMPLES, bench(EXAMPLES).context) == pytest.approx(expected, abs=1e-8)


def units(texts: list[str]) -> Any:
    rows = np.array([feature(text) for text in texts])
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_the_neighbours_are_those_of_scikit_learn() -> None:
    neighbors = pytest.importorskip("sklearn.neighbors")

    train, rest = EXAMPLES[:6], EXAMPLES[6:]
    model = neighbors.NearestNeighbors(n_neighbors=3).fit(units([text for text, _ in TEXTS[:6]]))
    distances, rows = model.kneighbors(units([text for text, _ in TEXTS[6:]]))
    context = bench(rest).context
    found = NeighbourDistance(Source(train), k=3).score(rest, context)
    assert found == pytest.approx(distances[:, -1], abs=1e-9)
    conflicts = [sum(TEXTS[row][1] != each.label for row in near) / 3 for each, near in zip(rest, rows, strict=True)]
    assert ConflictingNeighbours(Source(train), k=3).score(rest, context) == pytest.approx(conflicts)


def test_an_example_is_not_its_own_neighbour() -> None:
    context = bench(EXAMPLES).context
    found = NeighbourDistance(k=1).score(EXAMPLES, context)
    points = units([text for text, _ in TEXTS])
    expected = [
        min(np.linalg.norm(points[row] - points[other]) for other in range(8) if other != row) for row in range(8)
    ]
    assert found == pytest.approx(expected, abs=1e-9)
    assert all(map(isnan, NeighbourDistance(k=8).score(EXAMPLES, context)))  # there are seven others
    unlabelled = [example("a new text"), *EXAMPLES]
    assert isnan(ConflictingNeighbours().score(unlabelled, bench(unlabelled).context)[0])


def test_distances_need_embeddings_and_labels() -> None:
    with pytest.raises(ModelError, match="needs a model that embeds texts; CountingModel gives predictions only"):
        Mahalanobis().score(EXAMPLES, bench(EXAMPLES, CountingModel()).context)
    bare = [example("a"), example("b")]
    with pytest.raises(DataError, match="no gold labels"):
        Mahalanobis().score(bare, bench(bare).context)
    with pytest.raises(UsageError, match="no number of neighbours"):
        NeighbourDistance(k=0)


def test_dropout_has_the_variance_of_the_closed_form() -> None:
    """z₁ − z₀ is a sum of dropped numbers: its variance is r/(1 − r) Σ (w x)², and P(1 − P) carries it over."""
    texts = [example("grand meal"), example("sad")]
    small = type("Small", (Letters,), {"logits": lambda self, e, m: 0.01 * Letters.logits(self, e, m)})()
    found = EmbeddingDropout(samples=1000, rate=0.2).score(texts, bench(texts, small).context)
    for value, each in zip(found, texts, strict=True):
        points = small.embed([each]).embeddings[0].numpy()
        weights = 0.01 * (WEIGHTS[1] - WEIGHTS[0])
        gap = float((points @ weights).sum())
        p = 1 / (1 + np.exp(-gap))
        expected = 2 * (p * (1 - p)) ** 2 * 0.2 / 0.8 * ((points * weights) ** 2).sum()  # both labels
        assert value == pytest.approx(expected, rel=0.1)


def test_dropout_is_one_for_one_seed_whatever_the_batch() -> None:
    context = bench(EXAMPLES).context
    together = EmbeddingDropout(samples=5).score(EXAMPLES, context)
    alone = [EmbeddingDropout(samples=5).score([each], context)[0] for each in EXAMPLES]
    assert together == pytest.approx(alone, abs=1e-12)
    assert EmbeddingDropout(samples=5).score(EXAMPLES, bench(EXAMPLES, seed=1).context) != together
    with pytest.raises(UsageError, match="'samples' is at least 2"):
        EmbeddingDropout(samples=1)
    with pytest.raises(ModelError, match="gives predictions only"):
        EmbeddingDropout().score(EXAMPLES, bench(EXAMPLES, CountingModel()).context)


SUITE = """
suite: rivals
plugins: [robustfim_difficulty.weak]
model: reference/fasttext
data: {use: reviews, limit: 40}
scores:
  - el2n
  - pvi
  - {use: ensemble, others: [reference/lstm]}
  - mahalanobis
  - {use: knn_distance, k: 3}
  - conflicting_neighbours
  - {use: embedding_dropout, samples: 3}
checks:
  case: {perturb: case, limit: 1}
"""


def test_weak_scores_are_not_loaded_unasked(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(SUITE.replace("plugins: [robustfim_difficulty.weak]\n", ""))
    with pytest.raises(UsageError, match="unknown score 'ensemble'"):
        open_session(path, options=RunOptions(reports=tmp_path, store=None)).run()


def test_a_suite_computes_them(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(SUITE)
    record: Record = open_session(path, options=RunOptions(reports=tmp_path, store=None)).run()[0]
    assert len(record.scores) == 7
    assert not any(each.message for each in record.scores)
    for name in ("el2n", "ensemble", "mahalanobis", "knn_distance", "embedding_dropout"):
        assert len({each.scores[name] for each in record.examples}) > 20
