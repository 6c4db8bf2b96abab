"""A list of perturbations in a suite stands for one that is composed of them."""

from __future__ import annotations

from typing import Any

import pytest

from robustfim.suite.perturbation_list import composed

SHARED = ("use", "words", "order")


@pytest.mark.parametrize("written", [["typos", {"use": "case"}], {"use": ["typos", {"use": "case"}]}])
def test_a_list_stands_for_a_composed_perturbation(written: Any) -> None:
    assert composed(written, SHARED) == {"use": "composed", "of": ["typos", {"use": "case"}]}


def test_what_all_share_stays_beside_it_and_one_name_stays_as_it_is() -> None:
    assert composed({"use": ["a", "b"], "words": 2}, SHARED) == {"use": "composed", "of": ["a", "b"], "words": 2}
    assert composed({"use": "a", "kinds": ["swap"]}, SHARED) == {"use": "a", "kinds": ["swap"]}
    assert composed("a", SHARED) == "a"


def test_a_key_in_the_wrong_place_is_refused_with_the_right_one() -> None:
    with pytest.raises(ValueError, match="'kinds' is an option of one perturbation of the list: write the option"):
        composed({"use": ["a", "b"], "kinds": ["swap"]}, SHARED)
    with pytest.raises(ValueError, match="'words' holds for all perturbations of the list"):
        composed(["a", {"use": "b", "words": 2}], SHARED)
