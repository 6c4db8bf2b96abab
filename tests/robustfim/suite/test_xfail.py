from __future__ import annotations

import datetime
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from robustfim.suite.xfail import Xfail, as_reason


@pytest.mark.parametrize("value", [datetime.date(2027, 1, 31), "2027-01-31"])
def test_a_reason_may_hold_until_a_day(value: Any) -> None:
    assert Xfail.model_validate({"reason": "known", "until": value}).until == datetime.date(2027, 1, 31)


def test_words_alone_are_a_reason_without_an_end() -> None:
    assert Xfail.model_validate(as_reason("known")) == Xfail(reason="known", until=None)


@pytest.mark.parametrize("value", [5, True, ["known"]])
def test_what_is_no_reason_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="is no reason"):
        as_reason(value)


@pytest.mark.parametrize("until", ["soon", "2027-02-30", 20270131])
def test_what_is_no_day_is_refused(until: Any) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Xfail).validate_python({"reason": "known", "until": until})
