"""How the edit ranker is trained and measured."""

from __future__ import annotations

import pkgutil
import re
from inspect import signature
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from benchmarks.ranker import Rated, auroc, held_out, read_pairs, train, within
from benchmarks.sections import result_file
from robustfim_words import robustfim_offers


def pair(text: str, natural: bool = True, family: str = "nouns") -> Rated:
    return Rated("first", family, family, (text, [(0, 0, "!")]), natural)


def test_the_area_is_that_of_scikit_learn_and_its_interval_delongs() -> None:
    random = np.random.default_rng(0)
    natural, scores = random.random(80) < 0.6, np.round(random.normal(size=80), 1)
    found = auroc(natural, scores)
    assert found.auroc == pytest.approx(roc_auc_score(natural, scores))
    positive, negative = scores[natural], scores[~natural]
    wins = [[float(one > other) + (one == other) / 2 for other in negative] for one in positive]
    spread = np.var(np.mean(wins, 1), ddof=1) / len(positive) + np.var(np.mean(wins, 0), ddof=1) / len(negative)
    assert found.high - found.auroc == pytest.approx(1.96 * spread**0.5)
    assert (found.pairs, found.natural) == (80, natural.sum())


def test_inside_a_perturbation_only_its_own_pairs_are_compared() -> None:
    natural = np.array([True, False, True, False])
    scores = np.array([2.0, 1.0, 9.0, 8.0])
    assert auroc(natural, scores).auroc == 0.75
    assert within(natural, scores, ["a", "a", "b", "b"]) == 1


def test_weights_of_raw_features_give_the_odds_of_standardised_ones() -> None:
    random = np.random.default_rng(1)
    features = random.normal(3, 2, (200, 5))
    natural = features[:, 0] + random.normal(size=200) > 3
    weights, constant = train(features, natural)
    assert roc_auc_score(natural, features @ weights + constant) > 0.9
    assert abs((features @ weights + constant).mean()) < 1


def test_no_pair_is_scored_by_a_ranker_that_saw_its_group_or_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [pair(f"text {number % 6}", number % 2 == 0, "abc"[number % 3]) for number in range(18)]
    seen = []

    def spy(features: np.ndarray, natural: np.ndarray) -> tuple[np.ndarray, float]:
        seen.append({int(row) for row in features[:, 0]})
        return np.zeros(1), 0.0

    monkeypatch.setattr("benchmarks.ranker.train", spy)
    groups = [rated.family for rated in pairs]
    held_out(np.arange(18.0)[:, None], pairs, groups)
    for group, rows in zip("abc", seen, strict=True):
        out = {rated.text for rated in pairs if rated.family == group}
        assert rows == {place for place, rated in enumerate(pairs) if rated.family != group and rated.text not in out}


def test_pairs_of_form_take_no_part_and_marks_become_two_texts(tmp_path: Path) -> None:
    head = "round\tperturbation\tpair\tverdict\tlabel\tnatural"
    lines = [
        "first\tsynonyms_guided\tA [-fine-]{+good+} film, [-so-]{+as+} it is.\tV\t\t",
        "other tools\tta.synonyms\tA [-fine-]{+thin+} film.\tV\ty\t1",
        "third\ttypos\tA [-fine-]{+fnie+} film.\tV\ty\t2",
    ]
    (tmp_path / "pairs.tsv").write_text("\n".join([head, *lines]), encoding="utf-8")
    one, other = read_pairs(tmp_path / "pairs.tsv")
    assert (one.family, one.change[0], one.after, one.natural, one.own) == (
        "synonyms", "A fine film, so it is.", "A good film, as it is.", True, True,
    )  # fmt: skip
    assert (other.family, other.natural, other.own) == ("synonyms", False, False)
    assert other.text == "afinefilm"


def test_perturbations_with_the_option_are_those_of_the_result_and_reach_an_auroc_of_065() -> None:
    text = result_file("The edit ranker").read_text(encoding="utf-8")
    measured = dict(re.findall(r"^\| `(\w+)` \|.*\| (\d\.\d\d) \[", text, re.MULTILINE))
    (sentence,) = re.findall(r"Of these, (.*) have the option `ranker`", text)
    offers = robustfim_offers()["perturbations"]
    ranked = {name for name, cls in offers.items() if "ranker" in signature(pkgutil.resolve_name(str(cls))).parameters}
    assert ranked == set(re.findall(r"`(\w+)`", sentence))
    assert min(float(measured[name]) for name in ranked) >= 0.65
