"""The page of a run with an easiest arm lists the examples of both ends, each with its score, edit and labels."""

from __future__ import annotations

from robustfim.record import Record
from robustfim_html.ends import ends
from robustfim_html.page import render
from tests.plugins.robustfim_html.document import parse


def with_easiest(record: Record, number: int) -> Record:
    """Move the examples of the control arm with the lowest scores to the easiest arm."""
    control = [example for example in record.examples if example.arm == "control"]
    easy = {
        example.id
        for example in sorted(control, key=lambda example_record: example_record.scores["fisher"] or 0.0)[:number]
    }
    rows = [
        example.model_copy(update={"arm": "easiest"}) if example.id in easy else example for example in record.examples
    ]
    chosen = record.selection.model_copy(update={"easiest": number})
    return record.model_copy(update={"examples": rows, "selection": chosen})


def test_a_run_without_an_easiest_arm_has_no_such_table(small: Record) -> None:
    assert ends(small) == []


def test_each_end_is_listed_from_its_extreme_with_the_edit_that_fails(small: Record) -> None:
    record = with_easiest(small, 12)
    (section,) = ends(record)
    (table,) = section.tables
    assert table.header == ["arm", "text", "λmax", "edit", "label"]
    assert [row[0] for row in table.rows] == ["easiest"] * 10 + ["difficult"] * 10
    by_text = {example.fields["text"]: example for example in record.examples}
    listed = [by_text[row[1]] for row in table.rows]
    scores = [example.scores["fisher"] or 0.0 for example in listed]
    assert (
        scores[:10]
        == sorted(example.scores["fisher"] or 0 for example in record.examples if example.arm == "easiest")[:10]
    )
    assert scores[10:] == sorted(scores[10:], reverse=True)
    failing = {failure.example for failure in record.failures if failure.edits}
    assert [row[3] != "–" for row in table.rows] == [each.id in failing for each in listed]
    found = parse(render(record)).by_id("section-ends")
    assert "The easiest beside the difficult examples" in found.text
