"""What a suite may say of a search."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from robustfim.suite.format import PerturbSpec
from robustfim.suite.search_spec import SearchSpec


def spec(search: Any) -> SearchSpec | None:
    return PerturbSpec.model_validate({"use": "typos", "search": search}).search


def test_a_name_stands_for_a_search_with_its_defaults() -> None:
    assert spec(None) is None
    assert spec("greedy") == SearchSpec(use="greedy", queries=200, beam=None)
    assert (spec("greedy").width, spec("beam").width) == (1, 4)  # type: ignore[union-attr]  # both are there
    assert spec({"use": "beam", "beam": 7, "queries": 50}).width == 7  # type: ignore[union-attr]  # it is there


@pytest.mark.parametrize(
    ("search", "message"),
    [
        ("gready", "'gready' is no search: write greedy, beam, or"),
        ({"use": "greedy", "beam": 4}, "'beam: 4' is of 'use: beam'; 'greedy' keeps one text"),
        ({"use": "greedy", "queries": 0}, "greater than or equal to 1"),
        ({"use": "beam", "width": 2}, "Extra inputs are not permitted"),
    ],
)
def test_what_no_search_takes_is_refused(search: Any, message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        spec(search)
    assert message in str(caught.value)
