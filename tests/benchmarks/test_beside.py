"""What other tools make of texts is counted by the row, and read by the pair."""

from __future__ import annotations

import pytest

from benchmarks.rivals.beside import KINDS, OWN, TOOLS, Row, figure, pairs, section, shown


def row(**changed: int) -> Row:
    given = {"changed": 40, "candidates": 60, "holds": 9, "sound": 6, "read": 12} | changed
    return Row(texts=100, spent=0.5, failures={"one": 10, "other": 30}, **given)


def test_failures_are_those_of_the_mean_model_times_what_is_sound() -> None:
    assert row().found == pytest.approx(1000 * 20 / 100 * 6 / 12)
    assert row().by_calls == pytest.approx(1000 * 20 / (40 + 60) * 6 / 12)
    assert row(changed=0, candidates=0).by_calls == 0


def test_a_sample_holds_one_pair_of_a_text_that_was_changed_and_is_the_same_each_time() -> None:
    texts = [f"text {number}" for number in range(20)]
    made = [[f"{text} a", f"{text} b"] if number % 2 else [] for number, text in enumerate(texts)]
    drawn = pairs(made, texts, 6)
    assert drawn == pairs(made, texts, 6)
    assert len({text for text, _ in drawn}) == 6
    assert all(changed in made[texts.index(text)] for text, changed in drawn)


def test_a_reader_sees_what_was_changed_with_a_little_beside_it() -> None:
    assert shown("A good film.", "A fine film.") == "A [good→fine] film."
    long = "word " * 60
    told = shown(f"{long}good {long}end", f"{long}fine {long}end")
    assert "[good→fine]" in told
    assert len(told) < 200


def test_the_section_has_a_line_for_each_tool_and_names_the_change_once() -> None:
    lines = section({("typos", OWN): row(), ("typos", "nlpaug"): row(sound=0)}).splitlines()
    assert "| `typos` | robustfim | 40% | 75% [47%, 91%] | 50% [25%, 75%] | 20% | 100 | 100 | 5.0 |" in lines
    assert "|  | nlpaug | 40% | 75% [47%, 91%] | 0% [0%, 24%] | 0% | 0 | 0 | 5.0 |" in lines


def test_the_picture_has_a_bar_where_a_tool_makes_the_change() -> None:
    drawn = figure({("typos", OWN): row(), ("typos", "nlpaug"): row(), ("slang", OWN): row()})
    assert drawn.names == ["typos", "slang"]
    assert [len(series.points) for series in drawn.series] == [2, *(int(tool == "nlpaug") for tool in TOOLS)]


def test_each_kind_of_change_is_a_perturbation_of_this_tool() -> None:
    import robustfim_words

    assert {*KINDS.values()} <= {*robustfim_words.robustfim_offers()["perturbations"]}
