"""docs/classifiers.md: the suites of examples/classifiers do what it shows, where their packages are installed."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from tests.docs.page import Page

EXAMPLES = Path(__file__).parents[2] / "examples" / "classifiers"
PAGE = Page.read("classifiers.md")


def test_each_example_has_an_adapter_a_suite_and_enough_texts_with_spans_that_cut_out_values() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {path.stem for path in EXAMPLES.glob("*.yaml")}
    for path in EXAMPLES.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            assert 30 <= len(list(csv.DictReader(file))) <= 60
    rows = [json.loads(line) for line in (EXAMPLES / "letters.jsonl").read_text(encoding="utf-8").splitlines()]
    assert 30 <= len(rows) <= 60
    for row in rows:
        for span in row["spans"]:
            value = row["text"][span["start"] : span["end"]]
            assert value == value.strip(" .,?")


def test_the_page_has_at_most_400_words() -> None:
    prose = "\n".join(PAGE.sections.values())
    assert len(prose.split("```")[::2]) > 3
    assert sum(len(part.split()) for part in prose.split("```")[::2]) <= 400


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "package"),
    [
        ("A lexicon of sentiment", "vaderSentiment"),
        ("A guard at a threshold", "profanity_check"),
        ("A tagger of personal data", "presidio_analyzer"),
    ],
)
def test_a_suite_does_what_the_page_shows(
    title: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip(package, reason=f"{package} is not installed")
    shutil.copytree(EXAMPLES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    PAGE.check(title, capsys)
