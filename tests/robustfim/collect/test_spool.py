from __future__ import annotations

import pickle
from datetime import date

import pytest

from robustfim.collect.spool import BLOCK, Examples, Spool
from robustfim.example import Example

MANY = [Example({"text": f"text {number}"}, "ab"[number % 2], {"n": number}) for number in range(2 * BLOCK + 100)]


def test_examples_come_out_of_the_spool_as_they_went_in() -> None:
    rows = [
        Example(
            {"premise": "A \0 é 😀", "hypothesis": "cut \ud83d"}, "yes", {"pair": 7, "deep": [{"x": None}]}, ("no",)
        ),
        Example({"text": ""}, None, {"day": date(2020, 1, 1), "place": (1, 2)}),
        Example({"text": "x"}, "", {"n": float("inf"), "whole": 2**70, "flag": True}),
    ]
    found = Examples.of(rows)
    assert list(found) == rows
    assert [example.id for example in found] == [row.id for row in rows] == list(found.ids())
    assert found[1].meta["day"] == date(2020, 1, 1)
    assert type(found[1].meta["place"]) is tuple
    assert type(found[2].meta["flag"]) is bool
    assert list(found.spool.fields) == ["premise", "hypothesis", "text"]
    assert list(found.spool.columns)[2:] == ["pair", "deep", "text", "day", "place", "n", "whole", "flag"]
    assert pickle.loads(pickle.dumps(found[0])) == rows[0]  # noqa: S301  # as workers get it


def test_of_equal_texts_the_first_is_kept() -> None:
    first, other = Example({"text": "a"}, "x", {"row": {1}}), Example({"text": "a"}, "y", {"row": {2}})
    assert list(Examples.of([first, Example({"text": "b"}), other])) == [first, Example({"text": "b"})]
    spool = Spool()
    spool.add([first])
    spool.add([other])
    assert list(Examples(spool, range(len(spool)))) == [first]


def test_a_sequence_of_a_spool_is_as_one_in_memory() -> None:
    found = Examples.of(MANY)
    assert [*found] == MANY
    assert (len(found), found[0], found[-1], found[BLOCK]) == (len(MANY), MANY[0], MANY[-1], MANY[BLOCK])
    assert [*found[BLOCK - 2 : BLOCK + 2]] == MANY[BLOCK - 2 : BLOCK + 2]
    assert list(found[5:9].ids()) == [example.id for example in MANY[5:9]]
    assert [found.place(MANY[row].id) for row in (0, BLOCK, 2 * BLOCK + 99)] == [0, BLOCK, 2 * BLOCK + 99]
    assert found.place("nowhere") is None
    assert found[5:9].place(MANY[4].id) is None
    assert found[5:9].place(MANY[6].id) == 1
    with pytest.raises(IndexError):
        found[len(MANY)]


def test_windows_cover_all_examples_once_and_are_no_longer_than_asked() -> None:
    windows = list(Examples.of(MANY[:10]).windows(4))
    assert [(start, len(window)) for start, window in windows] == [(0, 4), (4, 4), (8, 2)]
    assert [example for _, window in windows for example in window] == MANY[:10]


def test_some_examples_are_read_in_the_order_of_the_data() -> None:
    found = Examples.of(MANY)
    wanted = [2 * BLOCK, 3, BLOCK + 1]
    assert list(found.among([MANY[row].id for row in wanted] + ["nowhere"])) == [MANY[row] for row in sorted(wanted)]
    some = Examples(found.spool, sorted(wanted))
    assert [some.place(MANY[row].id) for row in wanted] == [2, 0, 1]
    assert some.place(MANY[4].id) is None


def test_examples_that_checks_bring_come_after_those_of_the_data() -> None:
    data = Examples.of(MANY[:3])
    joined = data.joined([MANY[1], MANY[7]])
    assert [*joined] == [*MANY[:3], MANY[7]]
    assert [*data] == MANY[:3]
    assert [*data[:2].joined([MANY[8]])] == [*MANY[:2], MANY[8]]
