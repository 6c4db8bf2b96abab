"""The project grows only with a reason, and what it lost it does not grow back: ratchet.toml holds its sizes."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import pytest

from tests.house.ratchet import (
    TABLE,
    Entry,
    Table,
    difference,
    features_of,
    measure,
    nodes_of,
    rates_of,
    read,
    rewritten,
    write,
)

COMMAND = "pytest tests/house/test_ratchet.py --ratchet"


@pytest.fixture(scope="module")
def today() -> Mapping[str, Mapping[str, float]]:
    return measure(read(TABLE.read_text(encoding="utf-8"))[1])


@pytest.fixture(scope="module")
def table(today: Mapping[str, Mapping[str, float]], request: pytest.FixtureRequest) -> Table:
    """The table, rewritten first where ``--ratchet`` asks for it."""
    entries, features = read(TABLE.read_text(encoding="utf-8"))
    if request.config.getoption("--ratchet"):
        given = (argument.partition("=") for argument in request.config.getoption("--because"))
        reasons = {name: reason.strip() for name, _, reason in given}
        try:
            entries = rewritten(entries, today, reasons)
        except ValueError as error:
            pytest.fail(str(error), pytrace=False)
        TABLE.write_text(write(entries, features), encoding="utf-8")
    return entries


@pytest.mark.parametrize("section", ["nodes", "words", "rates", "functions"])
def test_nothing_got_worse_and_every_gain_is_recorded(
    table: Table, today: Mapping[str, Mapping[str, float]], section: str
) -> None:
    names = table[section].keys() | today[section].keys()
    moved = {
        name: difference(section, name, before, now)
        for name in names
        for before, now in [(table[section].get(name, Entry(0)).number, today[section].get(name, 0))]
    }
    lines = [
        f"{name}: {table[section].get(name, Entry(0)).number:g} -> {today[section].get(name, 0):g} ({said})"
        for way, said in ((1, "worse"), (-1, "better"))
        for name in sorted(names)
        if moved[name] == way
    ]
    if lines:
        pytest.fail(
            "\n".join([f"{section}:", *lines, f"Record it: {COMMAND} [--because 'ENTRY=REASON']"]), pytrace=False
        )


def test_docstrings_and_formatting_weigh_nothing() -> None:
    text = "def f(a):\n    return [a, 1]\n\nclass C:\n    x = 'text'\n"
    documented = (
        '"""A module."""\ndef f(a):\n    """A function."""\n    return [\n a,\n 1]\n'
        'class C:\n    """A class."""\n    x = "text"\n'
    )
    assert nodes_of(ast.parse(documented)) == nodes_of(ast.parse(text)) == len(list(ast.walk(ast.parse(text))))


def test_a_feature_is_touched_by_a_part_of_a_name_or_of_a_key() -> None:
    function = ast.parse("def slice_rates(run): return run['control'], run.gapless, 'a gap', HolmLevel")
    words = {"slices": ("slice",), "arms": ("control",), "gaps": ("gap",), "Holm": ("holm_level",)}
    assert features_of(function, words) == {"slices", "arms", "Holm"}


def test_rates_are_per_thousand_words() -> None:
    rates = rates_of("You say that which you're told is what " + "x " * 91)
    assert list(rates.values()) == [30.0, 20.0, 20.0]


@pytest.mark.parametrize(
    ("section", "name", "recorded", "today", "moved"),
    [
        ("nodes", "tests", 1000, 1001, 1),
        ("nodes", "tests", 1000, 975, 0),
        ("nodes", "tests", 1000, 974, -1),
        ("nodes", "tests", 10_000, 9_900, 0),
        ("words", "README.md", 0, 10, 1),
        ("rates", "pages: tell, told, say", 5.0, 5.1, 1),
        ("rates", "pages: tell, told, say", 5.0, 3.9, -1),
        ("rates", "pages: you", 5.0, 4.9, 1),
        ("rates", "pages: you", 5.0, 6.1, -1),
        ("functions", "a.py::f", 8, 7, -1),
        ("functions", "a.py::f", 7, 7, 0),
    ],
)
def test_what_counts_as_worse_and_as_a_gain(section: str, name: str, recorded: float, today: float, moved: int) -> None:
    assert difference(section, name, recorded, today) == moved


def test_only_a_reason_worsens_an_entry_and_reasons_stay() -> None:
    old = {"nodes": {"a": Entry(10, "since the first"), "b": Entry(10), "gone": Entry(5)}}
    with pytest.raises(ValueError, match="a: 10 -> 12"):
        rewritten(old, {"nodes": {"a": 12, "b": 9}}, {})
    with pytest.raises(ValueError, match="no entry c"):
        rewritten(old, {"nodes": {"a": 10}}, {"c": "why"})
    for named in ("b", "?"):  # an entry, or a pattern, of which those take the reason that got worse
        assert rewritten(old, {"nodes": {"a": 8, "b": 11}}, {named: "a new check"}) == {
            "nodes": {"a": Entry(8, "since the first"), "b": Entry(11, "a new check")}
        }


def test_a_table_is_read_as_it_was_written() -> None:
    entries, features = read(TABLE.read_text(encoding="utf-8"))
    assert read(write(entries, features)) == (entries, features)
    assert len(features) == 33
