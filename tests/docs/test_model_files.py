"""docs/model-files.md: the extras that it names are extras of robustfim."""

from __future__ import annotations

import re
import tomllib

from tests.docs.page import DOCS
from tests.house.tree import ROOT

TEXT = (DOCS / "model-files.md").read_text(encoding="utf-8")


def test_the_extras_of_the_page_can_be_installed() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert {"huggingface", "peft", "setfit"} <= set(re.findall(r"robustfim\[(\w+)\]", TEXT)) <= set(extras)
