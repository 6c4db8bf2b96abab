from __future__ import annotations

import pytest

from robustfim.record.example_table import BLOCK, PLAIN, ExampleRows, columns_of, nested

ROW = {
    "id": "a", "label": "x", "prediction": "y", "probabilities": [0.25, 0.75], "correct": False, "cluster": None,
    "arm": "control", "infinite": [], "fields": {"text": "one"}, "scores": {"fisher": 0.5},
}  # fmt: skip


def test_rows_come_out_of_a_table_as_they_went_in() -> None:
    rows = [ROW, ROW | {"id": "b", "fields": {"title": "two"}, "scores": {"fisher": None}, "infinite": ["fisher"]}]
    table = ExampleRows(rows)
    assert table.columns == (*PLAIN, "fields.text", "fields.title", "scores.fisher")
    (block,) = table.blocks(table.columns)
    assert list(nested(block)) == rows


@pytest.mark.parametrize("number", [0, 1, BLOCK, BLOCK + 1])
def test_no_block_is_larger_than_the_bound_and_no_row_is_lost(number: int) -> None:
    blocks = list(ExampleRows([ROW | {"id": str(row)} for row in range(number)]).blocks(["id"]))
    assert [each for block in blocks for each in block["id"]] == [str(row) for row in range(number)]
    assert all(len(block["id"]) <= BLOCK for block in blocks)


def test_a_field_with_a_dot_in_its_name_is_one_column() -> None:
    table = ExampleRows([ROW | {"fields": {"a.b": "one"}, "scores": {}}])
    assert table.columns == columns_of(["a.b"], [])
    (block,) = table.blocks(table.columns)
    assert next(nested(block))["fields"] == {"a.b": "one"}
