from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from robustfim.builtin.reducers import AtMost, MeanShare
from robustfim.builtin.unchanged import Unchanged
from robustfim.errors import PluginError
from robustfim.statistics.estimand import DIFFERENCE, MEAN, SHARE
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


def test_the_place_of_a_file_and_a_default_written_out_make_no_other_draw() -> None:
    def purpose(folder: str, **perturb: object) -> str:
        made = check(Unchanged(), perturb={"source": f"{folder}/swaps.tsv", **perturb})
        return replace(made, files={"source": Path(f"/anywhere/{folder}/swaps.tsv")}).purpose

    assert purpose("here") == purpose("there") == purpose("here", words=1, fields=None, candidates=2, order="guided")
    assert len({purpose("here", **each) for each in ({}, {"words": 2}, {"fields": ["text"]}, {"tone": "mild"})}) == 4
    assert check(Unchanged(), constraints={"short": None}).purpose != check(Unchanged()).purpose


class Halves(AtMost):
    """A reducer that compares two groups."""

    def groups(self) -> dict[str, list[str]]:
        return {"one": ["a"], "other": ["b"]}


class MeansOfHalves(MeanShare):
    groups = Halves.groups


def test_the_reducer_decides_what_the_limit_is_for_and_repeat_makes_a_difference_of_it() -> None:
    assert check(Unchanged()).estimand is SHARE
    assert check(Unchanged(), reducer=MeanShare()).estimand is MEAN
    assert check(Unchanged(), reducer=Halves(1)).estimand is DIFFERENCE
    assert replace(check(Unchanged()), repeat=2).estimand is DIFFERENCE
    with pytest.raises(PluginError, match="compares two groups by how many fail, so 'fails' must count them"):
        _ = check(Unchanged(), reducer=MeansOfHalves()).estimand
