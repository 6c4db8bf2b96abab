"""The pages that are made of the code say what the code says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from docs.reference import EXAMPLES, PAGES, SMALL
from robustfim.suite.file import SuiteFile
from robustfim.suite.format import BaselineSpec, CheckSpec, PerturbSpec, SelectSpec, Suite, Xfail, read_suite
from robustfim.suite.slices import SliceSpec
from tests.docs.page import DOCS, Page

MODELS = {each.__name__: each for each in (Suite, SelectSpec, CheckSpec, PerturbSpec, Xfail, BaselineSpec, SliceSpec)}


def whole() -> dict[str, Any]:
    return {"suite": "all", "model": "m", "data": "d", "checks": {"typos": {"perturb": "typos", "limit": 0.1}}}


def laid(name: str, key: str) -> dict[str, Any]:
    """A suite that holds one example of the page."""
    suite, value = whole(), EXAMPLES[name][key]
    check = suite["checks"]["typos"]
    match name:
        case "Suite":
            suite[key] = value
        case "SelectSpec":
            suite["select"] = {"by": "best" if key == "pilot" else "margin", key: value}
        case "BaselineSpec":
            suite["baseline"] = {key: value}
        case "SliceSpec":
            suite["slices"] = {"short": {"words": [0, 9]}, "one": {"contains": ["film"], key: value}}
        case "CheckSpec":
            suite["select"] = {"by": "margin"}
            if key == "budget":
                check["limit"] = {"difficult": 0.3, "control": 0.1}
            check[key] = value
        case "PerturbSpec":
            check["perturb"] = {"use": "typos"} | {key: value}
        case "Xfail":
            check["xfail"] = {"reason": "known"} | {key: value}
    return suite


def each_example() -> Iterator[tuple[str, str]]:
    return ((name, key) for name, keys in EXAMPLES.items() for key in keys if key != "models")


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_what_the_code_makes(name: str) -> None:
    Page.read(name).check_text((DOCS / name).read_text(encoding="utf-8"), PAGES[name](), "python -m docs.reference")


@pytest.mark.parametrize(("name", "key"), list(each_example()))
def test_the_example_of_a_key_can_stand_in_a_suite(name: str, key: str) -> None:
    assert read_suite(SuiteFile.of(laid(name, key))).suite


@pytest.mark.parametrize("name", MODELS)
def test_every_key_has_an_example_and_no_example_is_of_a_key_that_is_gone(name: str) -> None:
    assert set(EXAMPLES[name]) - {"models"} == set(MODELS[name].model_fields) - {"source"}


def test_the_small_suite_of_the_page_is_one() -> None:
    assert list(read_suite(SuiteFile.of(SMALL)).checks) == ["typos"]
