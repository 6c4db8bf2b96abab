"""The page of a run with an easiest arm lists the examples of both ends, each with its score, edit and labels."""

from __future__ import annotations

from robustfim.record import Record
from robustfim_html.ends import ends
from robustfim_html.page import render
from tests.plugins.robustfim_html.document import parse


def with_easiest(record: Record, number: int) -> Record:
    """Move the examples of the control arm with the lowest scores to the easiest arm."""
    control = [each for each in record.examples if each.arm == "control"]
    easy = {each.id for each in sorted(control, key=lambda each: each.scores["fisher"] or 0.0)[:number]}
    rows = [each.model_copy(update={"arm": "easiest"}) if each.id in easy else each for each in record.examples]
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
    by_text = {each.fields["text"]: each for each in record.examples}
    listed = [by_text[row[1]] for row in table.rows]
    scores = [each.scores["fisher"] or 0.0 for each in listed]
    assert scores[:10] == sorted(each.scores["fisher"] or 0 for each in record.examples if each.arm == "easiest")[:10]
    assert scores[10:] == sorted(scores[10:], reverse=True)
    failing = {each.example for each in record.failures if each.edits}
    assert [row[3] != "–" for row in table.rows] == [each.id in failing for each in listed]
    found = parse(render(record)).by_id("section-ends")
    assert "The easiest beside the difficult examples" in found.text
