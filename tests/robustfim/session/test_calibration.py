"""What a run says of calibration, against the texts made by hand."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import robustfim
from robustfim.cli import main
from robustfim.example import Example
from robustfim.statistics.strata import allocation
from tests.robustfim.command_line import unbroken
from tests.robustfim.toys import LABELS, CountingModel, Swap, probabilities

SWAP = {"good": ["fine", "dull"]}


class Sure(CountingModel):
    """Answers with labels alone."""

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        return [[float(one > 0.5) for one in row] for row in super().predict(examples)]


def films(number: int) -> list[dict[str, Any]]:
    """Texts of which two in three say ``good``, each with a gold label that is not always the model's."""
    drawn = random.Random(5)
    words = [("good", "good bad bad", "bad")[row % 3] for row in range(number)]
    return [{"text": f"film {row} is {word}", "label": drawn.choice(LABELS)} for row, word in enumerate(words)]


def losses(rows: list[dict[str, Any]], words: list[str]) -> list[float]:
    """The mean of (p − y)² over the texts that each row becomes."""
    found = []
    for row in rows:
        texts = [row["text"].replace("good", word) for word in words]
        gaps = [(probabilities(text)[1] - (row["label"] == "positive")) ** 2 for text in texts]
        found.append(sum(gaps) / len(gaps))
    return found


def run(rows: list[dict[str, Any]], **more: Any) -> robustfim.Run:
    checks = {
        "swap": {"perturb": Swap(SWAP)},
        "right": {"perturb": "itself", "expect": "correct"},
    }
    return robustfim.run(**{"model": CountingModel(), "data": rows, "checks": checks, **more})


def test_the_edits_that_keep_the_label_are_held_beside_their_sources() -> None:
    rows = films(60)
    found = run(rows).record.calibration
    changed = [row for row in rows if "good" in row["text"]]
    assert found is not None
    assert found.examples == len(changed) == 40
    before, after = losses(changed, ["good"]), losses(changed, SWAP["good"])
    assert found.before.brier == pytest.approx(sum(before) / 40)
    assert found.after.brier == pytest.approx(sum(after) / 40)


def test_an_example_counts_by_what_its_arm_stands_for() -> None:
    rows = [each for each in films(90) if "good" in each["text"]]
    made = run(rows, select={"by": "margin", "difficult": 10, "control": 20})
    found, arms = made.record.calibration, {each.fields["text"]: each.arm for each in made.record.examples}
    assert found is not None
    weights = [{"difficult": 1.0, "control": 50 / 20}.get(str(arms.get(row["text"])), 0.0) for row in rows]
    mean = sum(w * loss for w, loss in zip(weights, losses(rows, SWAP["good"]), strict=True)) / sum(weights)
    assert found.examples == 30
    assert found.after.brier == pytest.approx(mean)


def test_an_example_counts_by_what_its_stratum_stands_for() -> None:
    rows = [row for row in films(630) if "good" in row["text"]]
    made = run(rows, select={"by": "margin", "examples": 60})
    found, of_strata = made.record.calibration, made.record.selection.strata
    assert found is not None
    assert found.examples == len(made.record.examples) == 60
    assert sum(of_strata.values()) == len(rows)
    ids = [id for ids in made.record.selection.drawn.values() for id in ids]
    assert sorted(ids) == sorted(each.id for each in made.record.examples)
    hardest_first = sorted(made.record.examples, key=lambda each: (each.scores["margin"], each.id))
    drawn = [number for _, number in allocation(len(rows), 60)]
    weights = [size / n for size, n in zip(of_strata.values(), drawn, strict=True) for _ in range(n)]
    labels = {row["text"]: row for row in rows}
    lost = losses([labels[each.fields["text"]] for each in hardest_first], SWAP["good"])
    assert len({round(weight, 3) for weight in weights}) > 3
    weighted = sum(weight * loss for weight, loss in zip(weights, lost, strict=True)) / sum(weights)
    assert found.after.brier == pytest.approx(weighted)


@pytest.mark.parametrize("case", ["no gold labels", "the label changes", "labels alone"])
def test_nothing_is_said_where_there_is_nothing_to_compare(case: str) -> None:
    rows = films(12)
    if case == "no gold labels":
        made = run([{"text": each["text"]} for each in rows])
        assert made.record.checks[0].tested
        assert made.record.calibration is None
    elif case == "the label changes":
        checks = {"swap": {"perturb": Swap(SWAP), "expect": "changes"}}
        assert run(rows, checks=checks).record.calibration is None
    else:
        made = run(rows, model=Sure())
        assert made.record.checks[0].tested
        assert made.record.calibration is None


def test_the_terminal_and_the_page_say_it_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "suite.yaml"
    suite.write_text(
        "{suite: films, model: reference/fasttext, data: {use: reviews, limit: 60}, checks: {t: {perturb: typos}}}",
        encoding="utf-8",
    )
    with pytest.raises(SystemExit):
        main(["run", str(suite), "--html", str(tmp_path / "page.html"), "--reports", str(tmp_path)])
    found = re.search(r"calibration: (Brier 0\..* after, of 60 examples)", unbroken(capsys.readouterr().out))
    assert found is not None
    (told,) = found.groups()
    assert told in (tmp_path / "page.html").read_text(encoding="utf-8")
