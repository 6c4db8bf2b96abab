"""τ from ratings: the largest F1 as scikit-learn finds it, and the threshold that is proved, in closed form."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.metrics import precision_recall_curve

from robustfim.errors import DataError, UsageError
from robustfim_sears.mining.tau import largest_f1, proved_precision
from robustfim_sears.mining.tau_command import read_ratings
from tests.robustfim.command_line import CommandLine

SUITE = """suite: reviews
model: reference/fasttext
data: {use: reviews, limit: 30}
checks: {typos: {perturb: typos, limit: 1}}
"""


def test_the_largest_f1_of_four_pairs() -> None:
    found = largest_f1([0.9, 0.6, 0.8, 0.7], [True, True, True, False])
    assert found is not None
    assert (found.tau, found.f1) == (0.6, 2 * 3 / (2 * 3 + 1 + 0))
    assert (str(found.precision), found.recall.count, found.recall.tested) == ("75 % [30.1, 95.4] of 4", 3, 3)


@pytest.mark.parametrize("seed", range(5))
def test_the_largest_f1_is_that_of_scikit_learn(seed: int) -> None:
    random = np.random.default_rng(seed)
    scores = random.integers(1, 12, 60) / 12  # with ties
    same = random.random(60) < scores
    precision, recall, thresholds = precision_recall_curve(same, scores)
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
    found = largest_f1(scores.tolist(), same.tolist())
    assert found is not None
    assert found.f1 == pytest.approx(f1[:-1].max())
    assert found.tau in thresholds[np.isclose(f1[:-1], f1[:-1].max())]


def test_where_no_pair_means_the_same_there_is_no_threshold() -> None:
    assert largest_f1([0.5], [False]) is None


@pytest.mark.parametrize("number", [35, 36, 50])
def test_a_threshold_is_proved_from_as_many_equivalent_pairs_as_the_closed_form_asks(number: int) -> None:
    # Nobody differs among k pairs: (1 − δ)^k ≤ 0.025, for δ = 0.1 from k = 36 on. Below them, all differ.
    scores = [1 - each / 100 for each in range(80)]
    found = proved_precision(scores, [each < number for each in range(80)], 0.1)
    if number < 36:
        assert found is None
    else:
        last = next(k for k in range(number, 80) if binom.cdf(k - number, k, 0.1) > 0.025) - 1
        assert found is not None
        assert found.tau == scores[last - 1]


def test_a_proved_threshold_is_wrong_in_few_draws() -> None:
    # Of the pairs above τ a fraction (1 + τ)/2 means the same: 0.9 or more from τ = 0.8 on.
    random, wrong, draws = np.random.default_rng(0), 0, 300
    for _ in range(draws):
        scores = random.random(300)
        found = proved_precision(scores.tolist(), (random.random(300) < scores).tolist(), 0.1)
        wrong += found is not None and found.tau < 0.8
    assert wrong <= binom.ppf(0.999, draws, 0.025)


def test_ratings_of_a_user_study_and_of_a_table_are_read_alike(tmp_path: Path) -> None:
    table, lines = tmp_path / "a.csv", tmp_path / "a.jsonl"
    table.write_text("before,after,similarity\na,b,5\na,b,3\nc,d,1\n", encoding="utf-8")
    rows = [{"arm": "sea", "before": "a", "after": "b"}, *(
        {"before": before, "after": after, "similarity": given}
        for before, after, given in (("a", "b", 5), ("a", "b", 3), ("c", "d", 1)))]  # fmt: skip
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert read_ratings(table) == read_ratings(lines) == {("a", "b"): [5, 3], ("c", "d"): [1]}
    table.write_text("before,after,similarity\na,b,6\n", encoding="utf-8")
    with pytest.raises(DataError, match="is not a rating from 1 to 5"):
        read_ratings(table)
    table.write_text("before,after\na,b\n", encoding="utf-8")
    with pytest.raises(UsageError, match="has no column 'similarity'"):
        read_ratings(table)


def test_the_command_scores_the_pairs_and_reports_both_thresholds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("reviews.yaml").write_text(SUITE, encoding="utf-8")
    rows = ["a good film,a good movie,5", "a good film,a good movie,4", "a good film,a bad play,1"]
    Path("ratings.csv").write_text("before,after,similarity\n" + "\n".join(rows), encoding="utf-8")
    assert CommandLine(tmp_path, capsys)("study tau ratings.csv --suite reviews.yaml").code == 0
    found = json.loads(Path("reports/reviews/study-tau.json").read_text(encoding="utf-8"))["results"]
    assert (found["pairs"], found["equivalent"], found["f1"]["f1"], found["proved"]) == (2, 1, 1.0, None)
    assert 0 < found["f1"]["tau"] < 1
