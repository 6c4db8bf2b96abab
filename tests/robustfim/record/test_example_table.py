from __future__ import annotations

from robustfim.record.example_table import PLAIN, ExampleRows, columns_of, nested

ROW = {
    "id": "a", "label": "x", "prediction": "y", "probabilities": [0.25, 0.75], "correct": False, "cluster": None,
    "arm": "control", "infinite": [], "fields": {"text": "one"}, "scores": {"fisher": 0.5},
}  # fmt: skip


def test_rows_come_out_of_a_table_as_they_went_in() -> None:
    rows = [ROW, ROW | {"id": "b", "fields": {"title": "two"}, "scores": {"fisher": None}, "infinite": ["fisher"]}]
    table = ExampleRows(rows)
    assert table.columns == (*PLAIN, "fields.text", "fields.title", "scores.fisher")
    assert list(nested(table)) == rows
    assert list(table.rows(["scores.fisher", "id"])) == [(0.5, "a"), (None, "b")]


def test_a_field_with_a_dot_in_its_name_is_one_column() -> None:
    table = ExampleRows([ROW | {"fields": {"a.b": "one"}, "scores": {}}])
    assert table.columns == columns_of(["a.b"], [])
    assert next(nested(table))["fields"] == {"a.b": "one"}
