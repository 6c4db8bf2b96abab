"""docs/first-steps.md: its perturbation keeps the promises of its role; tests/test_readme.py runs its commands."""

from __future__ import annotations

import re
from typing import Any

import yaml

from robustfim_testing import check_perturbation
from tests.docs.page import DOCS

TEXT = (DOCS / "first-steps.md").read_text(encoding="utf-8")
OWN = TEXT.split("\n## A perturbation of your own\n", 1)[1]


def code(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", OWN, re.DOTALL)
    assert found
    return found[1]


def test_the_perturbation_keeps_the_promises_of_its_role_and_the_suite_asks_for_it() -> None:
    made: dict[str, Any] = {}
    exec(compile(code("python"), "drawl.py", "exec"), made)  # noqa: S102  # the page's own code
    check_perturbation(made["Drawl"](), ["a calm tale of the sea"])
    (name,) = made["robustfim_offers"]()["perturbations"]
    assert yaml.safe_load(code("yaml"))["checks"][name]["perturb"]["use"] == name
