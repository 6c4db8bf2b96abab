"""Each rival of λmax against a closed form or another library, within 1e-5."""

from __future__ import annotations

from math import inf, isnan, log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim.errors import DataError
from robustfim.record import Record
from robustfim.run_options import RunOptions
from robustfim.session.open import open_session
from robustfim_difficulty.gold import ErrorNorm, PointwiseInformation
from tests.plugins.robustfim_difficulty.toy import bench, example

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


def test_a_gold_label_that_the_model_does_not_have_is_told() -> None:
    examples = numbered("negativ")
    with pytest.raises(DataError, match=r"no label 'negativ', which an example has. Did you mean 'negative'"):
        ErrorNorm().score(examples, bench(examples, Fixed(ROWS)).context)


SUITE = """
suite: rivals
model: reference/fasttext
data: {use: reviews, limit: 40}
scores:
  - el2n
  - pvi
checks:
  case: {perturb: case, limit: 1}
"""


def test_a_suite_computes_them(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(SUITE)
    record: Record = open_session(path, options=RunOptions(reports=tmp_path, store=None)).run()[0]
    assert len(record.scores) == 2
    assert not any(score.message for score in record.scores)
    for name in ("el2n", "pvi"):
        assert len({record_example.scores[name] for record_example in record.examples}) > 20
