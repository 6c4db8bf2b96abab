"""The six released tests, run whole, fail on the cases on which CheckList's own rules fail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim.example import Example, content_id
from robustfim_checklist.source import plain_name
from tests.plugins.robustfim_checklist.conftest import Folder
from tests.plugins.robustfim_checklist.released import failing_cases
from tests.plugins.robustfim_checklist.word_model import Words

SAMPLE = Path(__file__).parents[4] / "shared" / "data" / "checklist" / "sentiment.jsonl"

pytestmark = pytest.mark.skipif(not SAMPLE.is_file(), reason=f"needs {SAMPLE.name}, six released tests of CheckList")


def predict(texts: list[str]) -> Any:
    return np.array(Words(any_word=True).predict([Example({"text": text}) for text in texts]))[:, 1]


@pytest.mark.slow
@pytest.mark.parametrize("tolerance", [0.0, 0.1])
def test_the_sample_fails_where_checklist_fails(folder: Folder, tolerance: float) -> None:
    shown = folder.run(
        f"{{use: checklist, path: {json.dumps(str(SAMPLE))}, limit: 0.1, tolerance: {tolerance}}}",
        model="{use: words, any_word: true}",
    )
    assert shown.code == 1, shown.err
    record = folder.record
    tests = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    assert [check.name for check in record.checks] == [plain_name(test["name"], "") for test in tests]
    for check, test in zip(record.checks, tests, strict=True):
        failing, known = set(), set()
        for item, failed in zip(test["data"], failing_cases(test, predict, tolerance), strict=True):
            source = content_id({"text": item[0] if isinstance(item, list) else item})
            changed = not isinstance(item, list) or any(each != item[0] for each in item)
            known |= {source} if changed else set()  # a case whose texts are all the same is counted as unchanged
            failing |= {source} if failed else set()
        assert {failure.example for failure in record.failures if failure.check == check.id} == failing
        assert set(check.examples) == known
        assert 0 < check.failing < check.tested
        assert (check.capability, check.type) == (test["capability"], test["type"])
    assert record.data.skipped == {"repeated test case": 2}


def test_the_matrix_of_the_sample_is_shown(folder: Folder) -> None:
    shown = folder.run(f"{{use: checklist, path: {json.dumps(str(SAMPLE))}}}")
    lines = shown.out.splitlines()
    (head,) = [number for number, line in enumerate(lines) if line.startswith("failing examples (checks)")]
    assert lines[head].split()[3:] == ["MFT", "INV", "DIR"]
    assert "of 69 (2)" in lines[head + 1]
    assert "of 499 (1)" in lines[head + 1]
    assert "of 1,991 (3)" in lines[head + 2]
