"""Templates: what is filled, and what is not."""

from __future__ import annotations

import pytest

from robustfim import UsageError
from robustfim_blackbox.template import fill, fill_address, places


def test_places_are_found_at_any_depth() -> None:
    template = {"a": ["{text}", 1, None, {"b": "x {premise} {{no}} {premise}"}], "{key}": True}
    assert places(template) == {"text", "premise"}


def test_a_filled_text_is_not_read_again() -> None:
    values = {"premise": "a {hypothesis} {{x}}", "hypothesis": "b"}
    assert fill({"in": "{premise} / {hypothesis}"}, values) == {"in": "a {hypothesis} {{x}} / b"}


def test_a_list_stands_for_a_whole_text() -> None:
    assert fill({"inputs": "{texts}", "n": 2}, {"texts": ["a", "b"]}) == {"inputs": ["a", "b"], "n": 2}


def test_doubled_braces_are_braces_and_single_ones_are_left_alone() -> None:
    assert fill('{{text}} {"q": "{text}"} {', {"text": "a"}) == '{text} {"q": "a"} {'


def test_an_address_is_percent_encoded() -> None:
    assert fill_address("http://h/{text}?q={text}", {"text": "a/b &c=é\ud83d"}) == (
        "http://h/a%2Fb%20%26c%3D%C3%A9%3F?q=a%2Fb%20%26c%3D%C3%A9%3F"
    )


def test_a_place_that_nothing_fills_is_told_with_the_nearest() -> None:
    with pytest.raises(
        UsageError, match=r"'\{premisse\}' that nothing fills\. Did you mean 'premise'\? Known: \{premise\}"
    ):
        fill("{premisse}", {"premise": "a"})
