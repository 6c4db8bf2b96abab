"""``study human``: what people find difficult is read from a column, and correlated as written down by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim_study.human import felt_difficulty, people_of
from tests.robustfim.command_line import CommandLine, refused
from tests.robustfim.conftest import robustfim as robustfim  # the fixture, which pytest finds by its name


def examples(values: list[object]) -> list[Example]:
    return [Example({"text": f"text {row}"}, meta={"felt": value}) for row, value in enumerate(values)]


def test_numbers_and_truths_are_read() -> None:
    assert people_of(examples(["True", "false", "", None, 3, "2.5"]), "felt").tolist()[:2] == [1.0, 0.0]
    assert np.isnan(people_of(examples([True, False, "", None]), "felt")[2:]).all()


@pytest.mark.parametrize(
    ("values", "told"),
    [(["much", 1], "holds 'much'"), ([1, 1], "has only the number 1"), (["", ""], "has no number")],
)
def test_what_says_nothing_is_refused(values: list[object], told: str) -> None:
    with pytest.raises(DataError, match=told):
        people_of(examples(values), "felt")
    with pytest.raises(DataError, match=r"no column 'fellt'\. Did you mean 'felt'"):
        people_of(examples(values), "fellt")


def test_a_score_is_correlated_over_the_examples_that_have_both_numbers() -> None:
    random = np.random.default_rng(0)
    difficulty = random.normal(size=80)
    people = difficulty + random.normal(size=80)
    hidden = np.where(np.arange(80) < 5, np.nan, people)
    found = felt_difficulty("margin", difficulty, hidden, range(80), seed=0)
    assert found.examples == 75
    assert found.rho.value == pytest.approx(spearmanr(difficulty[5:], people[5:]).statistic)
    assert found.rho.interval is not None
    assert found.rho.interval[0] > 0
    assert np.isnan(found.area.value)
    two = felt_difficulty("margin", difficulty, (people > 1).astype(float), range(80), seed=0)
    hard, easy = difficulty[people > 1], difficulty[people <= 1]
    assert two.area.value == pytest.approx(np.mean(hard[:, None] > easy[None, :]))
    assert two.area.interval is not None


def test_the_command_reads_the_column_of_the_data(robustfim: CommandLine, tmp_path: Path) -> None:
    rows = [
        f"a {'good' if row % 2 else 'bad'} film {row},{'positive' if row % 2 else 'negative'},{row}"
        for row in range(24)
    ]
    robustfim.write("felt.csv", "text,label,seconds\n" + "\n".join(rows) + "\n")
    robustfim.write("felt.yaml", "suite: felt\nmodel: reference/cnn\ndata: {use: csv, path: felt.csv}\n"
                    "checks: {typos: {perturb: typos, limit: 1}}\n")  # fmt: skip
    shown = robustfim("study human felt.yaml --column seconds")
    assert shown.code == 0
    assert "fisher: Spearman" in shown.out
    assert "boundary: Spearman" in shown.out
    turned = robustfim("study human felt.yaml --column seconds --easier --score margin")
    assert "fisher" not in turned.out
    refused(robustfim("study human felt.yaml --column second"), "no column 'second'. Did you mean 'seconds'")
