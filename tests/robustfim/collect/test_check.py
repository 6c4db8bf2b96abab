from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from robustfim.builtin.unchanged import Unchanged
from tests.robustfim.toys import Bench, check, example


def test_a_check_tests_the_selected_examples_unless_it_has_its_own() -> None:
    assert check(Unchanged()).examples is None


def test_a_check_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        check(Unchanged()).name = "other"  # type: ignore[misc]  # that is the point


def test_capability_and_type_of_the_suite_reach_the_record() -> None:
    made = check(Unchanged(), capability="Vocabulary", type="MFT", expect="invariant")
    record, _ = Bench([example("good")]).run(made)
    assert (record.capability, record.type) == ("Vocabulary", "MFT")
