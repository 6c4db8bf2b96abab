"""Words are tinted by their importance, in the text and in what an edit removes, and nothing of the text is lost."""

from __future__ import annotations

import re
from html import unescape

import pytest

from robustfim.record import AttributionRecord, EditRecord, ImportanceRecord, Record, WordRecord
from robustfim.words import word_spans
from robustfim_html.diff import marked
from robustfim_html.page import render
from robustfim_html.tint import attributed, split, tints
from tests.plugins.robustfim_html.document import parse
from tests.plugins.robustfim_html.hostile import HOSTILE, hostile

TEXT = "not a good film"


def importance(*values: float, text: str = TEXT, field: str = "text") -> ImportanceRecord:
    words = [
        WordRecord(field=field, start=start, end=end, value=value)
        for (start, end), value in zip(word_spans(text), values, strict=False)
    ]
    return ImportanceRecord(words=words, change=sum(values), delta=0.004)


def kinds(*values: float) -> dict[str, str]:
    return {TEXT[tint.start : tint.end]: tint.kind for tint in tints(importance(*values), "text", TEXT)}


def shown(text: str, *edits: EditRecord, found: ImportanceRecord) -> str:
    return str(marked(text, edits, tints(found, "text", text)))


def test_the_strength_is_the_share_of_the_largest_importance_and_the_hue_its_sign() -> None:
    assert kinds(-3, 0.29, 2.1, 1.2) == {"not": "against3", "good": "for3", "film": "for2"}
    assert kinds(-3, 0.31, 1.9, 0.9) == {"not": "against3", "a": "for1", "good": "for2", "film": "for1"}
    assert kinds(0, 0, 0, 0) == {}
    assert tints(None, "text", TEXT) == tints(importance(1, field="other"), "text", TEXT) == []


def test_words_have_their_number_and_what_an_edit_removes_is_tinted_too() -> None:
    edit = EditRecord(field="text", start=4, end=10, before="a good", after="an <old>")
    assert shown(TEXT, edit, found=importance(-1.5, 0, 3, 0.5)) == (
        '<span class="imp against2" title="−1.50">not</span> '
        '<del>a <span class="imp for3" title="+3.00">good</span></del><ins>an &lt;old&gt;</ins> '
        '<span class="imp for1" title="+0.500">film</span>'
    )


def test_an_edit_inside_a_word_cuts_its_tint() -> None:
    edit = EditRecord(field="text", start=8, end=9, before="o", after="0")
    tint = '<span class="imp for3" title="+3.00">'
    assert shown(TEXT, edit, found=importance(0, 0, 3)) == (
        f"not a <del>{tint}go</span><b>{tint}o</span></b>{tint}d</span></del><ins>go<b>0</b>d</ins> film"
    )


def test_places_that_do_not_fit_the_text_are_left_out() -> None:
    wrong = ImportanceRecord(
        words=[
            WordRecord(field="text", start=start, end=end, value=1.0)
            for start, end in ((0, 3), (2, 5), (-2, 1), (9, 9), (12, 99))
        ]
    )
    assert [(tint.start, tint.end) for tint in tints(wrong, "text", TEXT)] == [(0, 3)]
    assert "".join(piece for piece, *_ in split(TEXT, 0, len(TEXT), tints(wrong, "text", TEXT))) == TEXT


@pytest.mark.parametrize("text", ["a good film " * 100, "one two"])
def test_without_its_tags_a_tinted_text_reads_as_before(text: str) -> None:
    found = importance(*[1.0, -2.0, 0.5] * 100, text=text)
    edit = EditRecord(field="text", start=0, end=3, before=text[:3], after="new")
    plain, tinted_text = str(marked(text, [edit])), shown(text, edit, found=found)
    assert re.sub(r"</?span.*?>", "", tinted_text) == plain
    assert unescape(re.sub(r"<ins>.*?</ins>|<summary>.*?</summary>|<.*?>", "", tinted_text)) == text


def with_importance(record: Record) -> Record:
    """The record, each of its examples with an importance for every word."""
    examples = []
    for example in record.examples:
        words = [
            WordRecord(field=name, start=start, end=end, value=value)
            for name, text in example.fields.items()
            for (start, end), value in zip(word_spans(text), [1.0, -0.7, 0.2] * len(text), strict=False)
        ]
        found = ImportanceRecord(words=words, change=1.5, delta=-0.25)
        examples.append(example.model_copy(update={"importance": found}))
    update = {"examples": examples, "attribution": AttributionRecord(calls=96)}
    return record.model_copy(update=update)


def test_the_page_explains_the_tints_and_tells_the_convergence_delta(record: Record, page: str) -> None:
    told = render(with_importance(record))
    text = re.sub(r"\s+", " ", re.sub("<.*?>", "", told))
    failing = len({failure.example for failure in record.failures})
    assert f"is at most 0.250 and 0.250 in the median of {failing} failing examples." in text
    assert "speaks for the label before" in text
    assert "importance in all 1.50, delta −0.250" in text
    assert "96 points for word importance" in text
    assert 'class="imp' not in page
    assert "onvergence delta" not in page


def test_an_importance_that_could_not_be_computed_says_why(record: Record) -> None:
    told = render(record.model_copy(update={"attribution": AttributionRecord(message="no <gradients>.")}))
    assert "No importance of words: no &lt;gradients&gt;." in told


def test_hostile_texts_stay_texts_when_they_are_tinted() -> None:
    record = with_importance(hostile())
    document = parse(render(record))
    assert len(document.scripts) == 1
    assert not list(document.all("img"))
    assert {e.attributes["class"] for e in document.all("span") if "style" in e.attributes} == set()
    assert attributed(record) is not None
    words = [e for e in document.all("span") if e.attributes.get("class", "").startswith("imp ")]
    assert len(words) > len(HOSTILE)
