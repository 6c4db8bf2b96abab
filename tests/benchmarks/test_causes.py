"""Planted causes: a defect turns what has its trigger alone, and a line names it by its own words."""

from __future__ import annotations

import re

import pytest

from benchmarks.causes import DEFECTS, Row, answers_with, named, section, trials_of
from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.judge.causes import find_causes
from robustfim.record import CauseRecord
from robustfim.statistics import Rate

CURLY = DEFECTS[0]
EXAMPLES = [Example({"text": f"I can't say number {number}, really."}, "positive") for number in range(80)]
POOLS = {
    "punctuation": [
        [Candidate(example, (Edit("text", 5, 6, "'", "’"),)), Candidate(example, (Edit("text", 2, 5, "can", "cna"),))]
        for example in EXAMPLES
    ]
}
ANSWERS = {
    text: "positive"
    for its in POOLS["punctuation"]
    for candidate in its
    for text in (candidate.source.text, candidate.example.text)
}


def cause(does: str, where: str = "") -> CauseRecord:
    return CauseRecord(check="c", edit=does, where=where, inside=Rate(6, 28), elsewhere=Rate(0, 470), p_value=0.001)


def test_a_defect_turns_most_answers_to_texts_with_its_trigger_and_no_other() -> None:
    answers = answers_with(CURLY, ANSWERS)
    turned = [text for text, label in answers.items() if label != "positive"]
    assert all("n’t" in text for text in turned)
    assert 48 <= len(turned) <= 76, "about 80 % of 80"
    assert answers_with(None, ANSWERS) == ANSWERS


def test_the_planted_apostrophe_is_named_in_the_first_line_and_not_without_it() -> None:
    found = find_causes(trials_of(POOLS, answers_with(CURLY, ANSWERS)))
    assert named(CURLY, found) == 1
    assert find_causes(trials_of(POOLS, ANSWERS)) == []


def test_a_text_that_the_model_is_wrong_about_is_not_tried() -> None:
    assert trials_of(POOLS, dict.fromkeys(ANSWERS, "negative")) == []


@pytest.mark.parametrize(
    ("lines", "place"),
    [([], None), ([cause("`’` for `'`")], 1), ([cause("UPPER CASE"), cause("any edit", 'in "n’t"')], 2)],
)
def test_a_line_names_a_defect_by_the_words_of_the_defect(lines: list[CauseRecord], place: int | None) -> None:
    assert named(CURLY, lines) == place


def test_each_defect_has_a_trigger_that_its_words_do_not_repeat_for_another() -> None:
    assert len(DEFECTS) == len({defect.trigger for defect in DEFECTS}) == 40
    assert [sum(defect.round == written for defect in DEFECTS) for written in range(3)] == [20, 12, 8]
    assert all(re.compile(defect.trigger) and re.compile(defect.words) for defect in DEFECTS)


def test_the_section_counts_the_lines() -> None:
    rows = [
        Row(CURLY, "fasttext", (6, 498), [cause("`’` for `'`", 'in "n\'t"')], [], 0),
        Row(CURLY, "cnn", (6, 498), [cause("UPPER CASE"), cause("`’` for `'`")], [cause("digits")], 1),
    ]
    text = section(rows)
    assert "built with: named in the first line 1 of 2 [9%, 91%], in the first five 2 of 2 [34%, 100%]" in text
    assert "written afterwards: named in the first line 0 of 0" in text
    assert "after that change: named in the first line 0 of 0" in text
    assert "Without a defect: some line for 1 of 2 models" in text
    assert "Outcomes permuted over all texts: some line in 1 of 6" in text
    assert "| fasttext | 6 of 498 | 1 | `’` for `'` in \"n't\" (c): 6 of 28, elsewhere 0 of 470 | ’ |" in text
