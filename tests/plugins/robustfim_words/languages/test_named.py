"""How many of the persons, places and ages that ``named.json`` names are changed, and that look-alikes stay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.plugins.robustfim_words.languages.spoken import candidates, made

TEXTS = json.loads(Path(__file__).with_name("named.json").read_text(encoding="utf-8"))
KINDS = [(code, kind) for code in ("de", "fr") for kind in ("people", "places", "ages")]


@pytest.mark.parametrize(("code", "kind"), KINDS)
def test_eight_of_ten_that_are_named_are_changed(code: str, kind: str) -> None:
    rows = TEXTS["named"][code][kind]
    changed = [
        any(name in edit.before for candidate in candidates(made(kind, code), text) for edit in candidate.edits)
        for text, name in rows
    ]
    assert sum(changed) >= 0.8 * len(rows), [row for row, done in zip(rows, changed, strict=True) if not done]


@pytest.mark.parametrize(("code", "kind"), [row for row in KINDS if row[1] != "places"])
def test_what_only_looks_like_a_name_or_an_age_stays(code: str, kind: str) -> None:
    assert [text for text in TEXTS["stays"][code][kind] if candidates(made(kind, code), text)] == []
