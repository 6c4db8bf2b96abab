from __future__ import annotations

from random import Random
from typing import Any

import pytest

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim_files.column_perturbation import Column
from tests.robustfim.command_line import CommandLine


def proposed(column: Column, held: Any, **fields: str) -> list[tuple[dict[str, str], str | None]]:
    example = Example(fields or {"text": "a good film"}, "positive", {"others": held})
    return [(dict(candidate.example.fields), candidate.label) for candidate in column.propose(example, Random(0))]


def test_a_cell_holds_a_text_a_list_of_texts_or_nothing() -> None:
    column = Column("others")
    assert proposed(column, "a fine film") == [({"text": "a fine film"}, None)]
    assert [text["text"] for text, _ in proposed(column, ["good", None, "", "a film"])] == ["good", "a film"]
    assert proposed(column, None) == proposed(column, "") == proposed(Column("more"), "a fine film") == []


def test_a_text_of_several_fields_says_which_change_and_may_have_a_gold_label_of_its_own() -> None:
    pair = {"premise": "it rains", "hypothesis": "it is wet"}
    assert proposed(Column("others"), [{"hypothesis": "it is dry"}], **pair) == [
        ({"premise": "it rains", "hypothesis": "it is dry"}, None)
    ]
    told = proposed(Column("others", label="gold"), {"hypothesis": "it is dry", "gold": "no"}, **pair)
    assert told == [({"premise": "it rains", "hypothesis": "it is dry"}, "no")]


@pytest.mark.parametrize("held", [3, [["a"]], {"title": "x"}, {"text": 3}, {}])
def test_anything_else_is_refused_with_its_example(held: Any) -> None:
    with pytest.raises(DataError, match=r"column 'others' of example [0-9a-f]{12} holds .*, not a text"):
        proposed(Column("others"), held)


def test_a_csv_with_paraphrases_is_a_check_and_a_column_that_is_not_there_is_told(robustfim: CommandLine) -> None:
    robustfim.write("films.csv", "text,label,again\na good film,positive,a bad film\nan awful film,negative,\n")
    name = robustfim.suite(
        "{again: {perturb: {use: column, name: again}, limit: 0}, lost: {perturb: {use: column, name: agian}}}",
        data="{use: csv, path: films.csv}",
    )
    robustfim(f"run {name} --no-store")
    again, lost = robustfim.record("other").checks
    assert (again.tested, again.failing) == (1, 1)
    assert lost.outcome.value == "error"
    assert "no example has a column 'agian'. Did you mean 'again'?" in lost.message
