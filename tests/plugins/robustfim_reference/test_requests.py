"""The bundled requests: one for each intent of the shipped guard, as many that are none of its business, none alike."""

from __future__ import annotations

import csv
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from robustfim.example import Example
from robustfim_reference.bundled import Requests
from robustfim_reference.model import Guard

DATA = Path(__file__).parents[4] / "shared" / "data" / "oos_eval"


@cache
def requests() -> tuple[Example, ...]:
    return tuple(Requests().load())


def test_there_are_300_and_no_two_are_alike() -> None:
    assert len({request.text for request in requests()}) == len(requests()) == 300


def test_each_intent_of_the_guard_comes_once_and_what_is_out_of_scope_150_times() -> None:
    counts = Counter(request.label for request in requests())
    assert counts.pop("oos") == 150
    assert counts == dict.fromkeys((label for label in Guard().labels if label != "oos"), 1)


def test_no_request_is_from_the_data_that_the_guard_was_trained_on() -> None:
    if not DATA.exists():
        pytest.skip("the reference data is not beside this checkout")
    known = set()
    for path in DATA.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            known |= {_plain(row["text"]) for row in csv.DictReader(file)}
    assert len(known) > 18_000
    assert not known & {_plain(request.text) for request in requests()}


def test_a_limit_takes_the_first() -> None:
    assert [example.text for example in Requests(limit=2).load()] == [request.text for request in requests()[:2]]


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
