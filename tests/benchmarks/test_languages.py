"""benchmarks.languages: the table of the result is that of the readings."""

from __future__ import annotations

from benchmarks.languages import cards, table
from benchmarks.sections import result_file
from robustfim_words import robustfim_cards, robustfim_offers
from robustfim_words.languages.language import known_languages


def test_the_table_of_the_result_is_that_of_the_readings() -> None:
    assert table() in result_file("Ratings by language").read_text(encoding="utf-8")


def test_every_perturbation_of_a_language_that_was_read_has_its_line() -> None:
    lines = [tuple(cell.strip() for cell in line.split("|")[1:4]) for line in table().splitlines()[2:]]
    names = {name.partition("/")[2] for name in robustfim_offers()["perturbations"]} - {""}
    assert {name for name, *_ in lines} == names
    assert {code for _, code, _ in lines} == set(known_languages())
    assert len(lines) == 4 * len(names)


def test_the_cards_of_the_plugin_are_those_of_the_readings() -> None:
    known = robustfim_cards()
    assert {name: card for name, card in known.items() if name.startswith("languages/")} == cards()
    assert known.keys() <= robustfim_offers()["perturbations"].keys()
