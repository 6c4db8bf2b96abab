from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim_sears.mining.mining import mine
from robustfim_sears.mining.result_file import MineResult
from tests.plugins.robustfim_sears.mining.test_mining import SWAPS, TEXTS
from tests.plugins.robustfim_sears.small import Swaps, context, examples

EXAMPLES = examples(*TEXTS, *(f"good film number {row}" for row in range(100)))  # enough for both halves to tell
MINED = mine(EXAMPLES, context(), Swaps(SWAPS))


def test_what_is_read_is_what_was_mined(tmp_path: Path) -> None:
    assert MINED.halves
    assert any(each.told for each in MINED.candidates)
    path = MineResult.of(MINED, EXAMPLES, {"seed": 3}).dump(tmp_path / "mined.json")
    found = MineResult.load(path)
    assert found.read() == (MINED, EXAMPLES)
    assert found.provenance == {"seed": 3}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"robustfim_mined": 99}, "reads up to 1: upgrade it"),
        ({"robustfim_mined": None}, "has no 'robustfim_mined' number"),
        ({"texts": "many"}, "is not a result of mining: texts"),
        ({"examples": []}, "does not fit its examples"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, changes: dict[str, object], message: str) -> None:
    path = MineResult.of(replace(MINED, seas=()), EXAMPLES, {}).dump(tmp_path / "mined.json")
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes), encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        MineResult.load(path).read()
