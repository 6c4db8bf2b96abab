"""The example of λmax after edits: its numbers are those of the geometry, and its table shows both ends."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import robustfim
from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.record import describe_environment
from robustfim.roles import Shift
from tests.examples.imported import EXAMPLES, imported
from tests.robustfim.command_line import CommandLine

FILE = EXAMPLES / "after_edits.py"
SUITE = """suite: reviews
model: reference/fasttext
data: {use: reviews, limit: 30}
checks: {typos: {perturb: typos, limit: 1}}
"""


edits = imported("after_edits")


def test_the_table_shows_both_ends_and_the_sentences_count() -> None:
    texts = ["a fine film", "a dull film", "an odd film"]
    edited = [
        Candidate.replacing(Example({"text": text}, "good"), {"text": text.replace("film", "movie")}, by_words=True)
        for text in texts
    ]
    shown = edits.edits_study(
        edited, np.array([1.0, 0.1, 10.0]), np.array([2.0, 0.05, 10.0]), [Shift(norm, 0.0) for norm in (2.0, 1.0, 3.0)],
        [("good", "bad"), ("good", "good"), ("bad", "bad")], environment=describe_environment([], None), seed=0,
    )  # fmt: skip
    assert shown.tables[0].rows[0] == ["easiest", "film → movie", "0.100 → 0.050", "1.00", "good"]
    assert shown.tables[0].rows[3] == ["hardest", "film → movie", "10.000 → 10.000", "3.00", "bad"]
    assert shown.findings[0].startswith("λmax rises: 33.3 %")
    assert shown.results["r_norm"] == pytest.approx(1)  # the norms rise by 1 with each power of ten


def test_lambda_max_is_that_of_the_score(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("reviews.yaml").write_text(SUITE, encoding="utf-8")
    assert CommandLine(tmp_path, capsys)(f"-p {FILE} study edits reviews.yaml --examples 20").code == 0
    results = json.loads(Path("reports/study-edits.json").read_text(encoding="utf-8"))["results"]
    scores = robustfim.score("reference/fasttext", "reviews", by="fisher").values
    for each in results["before"]:
        assert min(abs(each - other) for other in scores) < 1e-6
    assert len(results["after"]) == len(results["norms"]) == results["edits"] > 3
