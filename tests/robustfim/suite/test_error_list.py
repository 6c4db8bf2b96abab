from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import Mistakes, SuiteError, UsageError
from robustfim.suite.error_list import Gathering, without
from robustfim.suite.file import SuiteFile


def test_one_mistake_is_itself_and_several_are_told_in_the_order_of_their_lines() -> None:
    gathering = Gathering()
    gathering.tell()
    late, early = SuiteError("late", path="s.yaml", line=9), SuiteError("early", path="s.yaml", line=2)
    with gathering.step():
        raise late
    assert gathering.error() is late
    with gathering.step():
        raise Mistakes([early, late])
    with pytest.raises(Mistakes) as caught:
        gathering.tell()
    assert str(caught.value) == "s.yaml:2: early\ns.yaml:9: late"


def test_what_is_no_mistake_of_the_user_passes() -> None:
    with pytest.raises(ValueError, match="a defect"), Gathering().step():
        raise ValueError("a defect")


@pytest.mark.parametrize(
    ("place", "left"),
    [
        (("a",), {"b": {"c": [{"d": 1}]}}),
        (("b", "c", 0, "d"), {"a": 1, "b": {"c": [{}]}}),
        (("b", "c", 0), {"a": 1, "b": {}}),
        (("b", "missing"), {"a": 1}),
        (("missing",), {"a": 1, "b": {"c": [{"d": 1}]}}),
    ],
)
def test_a_wrong_part_is_left_out_or_else_what_lacks_it(place: tuple[str | int, ...], left: object) -> None:
    file = SuiteFile(Path("s.yaml"), {"a": 1, "b": {"c": [{"d": 1}]}})
    assert without(file, [place]).data == left
    assert file.data == {"a": 1, "b": {"c": [{"d": 1}]}}


def test_several_mistakes_are_wrong_usage() -> None:
    assert issubclass(Mistakes, UsageError)
