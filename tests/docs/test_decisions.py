"""The suites of docs/decisions.md run as they are printed."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import robustfim
from tests.docs.page import Page

PAGE = Page.read("decisions.md")


def test_the_moderator_is_judged_at_its_threshold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    PAGE.write_files()
    PAGE.check("A label at a threshold", capsys)


def test_abstentions_that_stand_apart_are_not_counted() -> None:
    written = PAGE.sections["Abstentions"].partition("```yaml\n")[2].partition("```")[0]
    apart = robustfim.run(yaml.safe_load(written)).checks["typos"]
    suite = yaml.safe_load(written)
    suite["checks"]["typos"]["expect"] = "invariant"
    whole = robustfim.run(suite).checks["typos"]
    assert 0 < apart.tested < whole.tested
    assert apart.failing <= whole.failing
