"""Texts that a model reads in part: of one that tells, and of one that does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import robustfim
from tests.robustfim.critic import reviews
from tests.robustfim.toys import LABELS

END = "which goes on and on " * 30
ROWS = [
    {"text": f"a {word} film, number {number}, {END}", "label": label}
    for number in range(15)
    for word, label in (("good", "positive"), ("bad", "negative"))
]
CHECKS = {"typos": {"perturb": {"use": "typos", "candidates": 2}, "limit": 0.5}}


def reading(words: int | None) -> Callable[[Sequence[str]], Any]:
    """A model that reads so many words, each of which moves it a little, and tells nobody."""

    def predict(texts: Sequence[str]) -> list[list[float]]:
        read = [" ".join(text.split()[:words]) for text in texts]
        return [[1 - p, p] for p in ((sum(map(ord, text)) % 40 + 5) / 100 + 0.5 * ("good" in text) for text in read)]

    return predict


def run(words: int | None, rows: Sequence[Any] = ROWS) -> Any:
    return robustfim.run(model=reading(words), labels=list(LABELS), data=list(rows), checks=CHECKS).record


def test_a_cut_in_a_black_box_is_found_and_told() -> None:
    record = run(20)
    assert (record.data.window.told, record.data.window.probed, record.data.window.unread) == (False, 5, 5)
    assert any(warning.startswith("the model seems to read long texts in part") for warning in record.warnings)
    (caveat,) = record.checks[0].caveats
    assert caveat.endswith("candidates move no probability")
    assert record.checks[0].message.endswith(f"{caveat}.")


def test_rounding_that_depends_on_the_batch_moves_nothing() -> None:
    def predict(texts: Sequence[str]) -> list[list[float]]:
        noise = 3e-7 * (len(texts) % 5)
        return [[1 - p - noise, p + noise] for _, p in reading(20)(texts)]

    record = robustfim.run(model=predict, labels=list(LABELS), data=list(ROWS), checks=CHECKS).record
    assert record.data.window is not None
    assert record.data.window.unread == 5
    assert record.checks[0].candidates.unmoved == run(20).checks[0].candidates.unmoved


def test_a_black_box_that_reads_everything_is_not_suspected() -> None:
    record = run(None, [{**row, "text": f"{row['text']}, and so good"} for row in ROWS])
    assert (record.data.window.probed, record.data.window.unread) == (5, 0)
    assert not [warning for warning in record.warnings if "in part" in warning]


def test_short_texts_are_not_probed() -> None:
    window = run(5, [{**row, "text": row["text"][:60]} for row in ROWS]).data.window
    assert (window.probed, window.unread) == (0, 0)


@pytest.mark.slow
def test_a_transformer_that_cuts_is_tested_where_it_reads(transformer: Callable[[Any], Path]) -> None:
    pytest.importorskip("transformers")
    model = {"use": "huggingface", "path": str(transformer({0: "negative", 1: "positive"})), "max_length": 16}
    rows = [{"text": f"{text} {END}", "label": "positive" if liked else "negative"} for text, liked in reviews()[:40]]
    made = robustfim.run(model=model, data=rows, checks=CHECKS, offline=True).record
    (check,) = made.checks
    assert check.tested, check.message
    assert made.data.window is not None
    assert made.data.window.partly == len(rows)
    assert check.partly == check.tested > 0
    assert f"{check.partly} of {check.tested} texts are read in part" in check.message
    assert all(edit.end < len(END) / 3 for failure in made.failures for edit in failure.edits)
    assert check.candidates.edits_rejected["outside of what the model reads"] > check.candidates.edits / 2
