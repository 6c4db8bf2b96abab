from __future__ import annotations

from random import Random

import pytest

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.things.identities import Identities


def texts(text: str, groups: list[list[str]] | None = None) -> set[str]:
    found = Identities(groups=groups).propose(Example({"text": text}), Random(0))
    return {candidate.example.text for candidate in found}


def test_an_identity_gives_way_to_another_of_its_kind_wherever_the_text_has_it() -> None:
    assert texts("A gay man and another gay woman came.") == {
        f"{article} {other} man and another {other} woman came."
        for article, other in (("A", "straight"), ("A", "bisexual"), ("A", "transgender"))
    }
    assert "An Asian friend said so." in texts("A black friend said so.")
    assert "MANY JEWS PRAY, and jews sing." in texts("MANY MUSLIMS PRAY, and muslims sing.")
    assert "White women lead." in texts("Black women lead.")


def test_a_word_that_stands_for_no_people_and_one_that_would_stand_twice_stay() -> None:
    assert texts("A black film with a straight line.") == set()
    assert texts("Christian Bale plays.") == set()
    assert "Jews pray, Jews sing." not in texts("Muslims pray, Jews sing.")


def test_three_lines_of_a_suite_bring_groups_of_ones_own_in_any_language() -> None:
    assert texts("Die Mieter zahlen.", [["Mieter", "Vermieter", "Nachbarn"]]) == {
        "Die Vermieter zahlen.", "Die Nachbarn zahlen.",
    }  # fmt: skip
    with pytest.raises(UsageError, match="at least two names"):
        Identities(groups=[["alone"]])
    with pytest.raises(UsageError, match="'a' stands in two groups"):
        Identities(groups=[["a", "b"], ["a", "c"]])
