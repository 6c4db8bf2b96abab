"""The rows of ``sentences.json`` that list what perturbations make of a text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.plugins.robustfim_words.samples import edit_cases, perturbation, texts
from tests.plugins.robustfim_words.swaps.labelled import edited


@pytest.mark.parametrize("case", [*edit_cases()])
def test_a_text_becomes_what_its_row_lists(case: dict[str, Any], tmp_path: Path) -> None:
    for name in case["perturbations"]:
        made = perturbation(name, tmp_path if "small" in case else None, **case.get("options", {}))
        if "label" in case:
            found = edited(made, case["text"], case["label"])
        else:
            found = [text for seed in range(case.get("seeds", 1)) for text in texts(made, case["text"], seed)]
        how = case.get("how", "exactly")
        if how == "exactly":
            assert found == case["results"]
        else:
            assert set(case["results"]) <= set(found)
            assert how == "among" or set(found) == set(case["results"])
