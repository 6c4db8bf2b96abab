"""A failing pair is shown with what changed, on one line for each side."""

from __future__ import annotations

import pytest

from robustfim.record import EditRecord, ExampleRecord, Failure, PredictionRecord, StepRecord
from robustfim_ci.pair import make_pair

BEFORE, AFTER = PredictionRecord(label="good", probabilities=[0.9]), PredictionRecord(label="bad", probabilities=[0.6])


def example(**fields: str) -> ExampleRecord:
    return ExampleRecord(id="e1", fields=fields, label="good")


def failure(fields: dict[str, str], *edits: EditRecord, **changes: object) -> Failure:
    made = Failure(
        id="f1", check="c", example="e1", arm="difficult", fields=fields, edits=list(edits), before=BEFORE, after=AFTER,
        reproduce="robustfim run s.yaml::c --example e1",
    )  # fmt: skip
    return made.model_copy(update=changes)


def edit(field: str, text: str, before: str, after: str) -> EditRecord:
    start = text.index(before)
    return EditRecord(field=field, start=start, end=start + len(before), before=before, after=after)


def test_a_pair_of_one_field() -> None:
    text = "a funny film"
    made = make_pair(failure({"text": "a droll film"}, edit("text", text, "funny", "droll")), example(text=text))
    assert made.text == (
        "good 0.90 → bad 0.60 (e1, difficult, gold good)\n"
        "- a funny film\n"
        "+ a droll film\n"
        "robustfim run s.yaml::c --example e1"
    )


def test_only_the_field_that_changed_is_shown_with_its_name() -> None:
    given = failure({"premise": "a dog", "hypothesis": "a cat"}, edit("hypothesis", "a pet", "pet", "cat"))
    assert (
        make_pair(given, example(premise="a dog", hypothesis="a pet")).diff
        == "- hypothesis: a pet\n+ hypothesis: a cat"
    )


@pytest.mark.parametrize("recorded", [True, False])
def test_a_long_text_is_cut_to_the_surroundings_of_its_edits(recorded: bool) -> None:
    text = "x" * 500 + " funny " + "y" * 500
    edits = [edit("text", text, "funny", "droll")] if recorded else []
    made = make_pair(failure({"text": text.replace("funny", "droll")}, *edits), example(text=text))
    minus, plus = made.diff.split("\n")
    if recorded:
        assert minus == f"- … {'x' * 59} funny {'y' * 59} …"
    assert minus.replace("funny", "droll")[1:] == plus[1:]
    assert len(minus) < 180


def test_a_text_is_cut_between_words() -> None:
    text = "word " * 50 + "funny" + " word" * 50
    made = make_pair(
        failure({"text": text.replace("funny", "droll")}, edit("text", text, "funny", "droll")), example(text=text)
    )
    assert made.diff.splitlines()[0] == f"- … {'word ' * 12}funny{' word' * 12} …"


def test_edits_far_apart_do_not_make_the_excerpt_endless() -> None:
    text = "one " + "word " * 1000 + "end"
    edits = edit("text", text, "one", "two"), edit("text", text, "end", "fin")
    made = make_pair(failure({"text": "two " + "word " * 1000 + "fin"}, *edits), example(text=text))
    assert len(made.diff) < 900


def test_an_insertion_at_the_end_is_shown() -> None:
    given = EditRecord(field="text", start=1, end=1, before="", after="!")
    assert make_pair(failure({"text": "a!"}, given), example(text="a")).diff == "- a\n+ a!"


def test_a_step_and_an_unchanged_text_are_told() -> None:
    step = failure({"text": "a"}, step=StepRecord(direction="top eigenvector", norm=-0.5))
    assert make_pair(step, example(text="a")).diff == (
        "  a step of -0.5 along the top eigenvector; the text is unchanged"
    )
    assert make_pair(failure({"text": "a"}), example(text="a")).diff == "  the text is unchanged"


def test_an_example_that_the_record_has_lost_leaves_the_perturbed_text() -> None:
    assert make_pair(failure({"text": "a droll film"}), None).diff == "- (not in the record)\n+ a droll film"


def test_a_reason_of_its_own_is_told() -> None:
    assert make_pair(failure({"text": "a"}, reason="less sure"), None).title == "good 0.90 → bad 0.60; less sure"
    assert make_pair(failure({"text": "a"}, reason="good -> bad"), None).title == "good 0.90 → bad 0.60"
