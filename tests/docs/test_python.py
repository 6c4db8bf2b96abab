"""Every example of docs/python.md is run as it is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.page import Page

PAGE = Page.read("python.md")


@pytest.mark.parametrize("title", ["Run", "Score and perturb"])
def test_the_python_code_runs_and_writes_nothing(
    title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE.sections[title], re.DOTALL | re.MULTILINE)
    exec(compile(code, "python.md", "exec"), {})  # noqa: S102  # the page's own code
    assert capsys.readouterr().out.strip()
    assert list(tmp_path.iterdir()) == []
