"""The end of the terminal report, drawn from records."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from robustfim.outcome import Outcome
from robustfim.record import (
    AssociationRecord,
    AttributionRecord,
    CandidateCounts,
    CheckRecord,
    Comparison,
    EditRecord,
    ExampleRecord,
    Failure,
    ImportanceRecord,
    ModelRecord,
    PredictionRecord,
    Record,
    ScoreRecord,
    ShiftRecord,
    StepRecord,
    WordRecord,
)
from robustfim_terminal.summary import (
    print_durations,
    print_errors,
    print_failures,
    print_last_line,
    print_outcomes,
)
from tests.robustfim.record.test_format import record

BEFORE = PredictionRecord(label="positive", probabilities=[0.2, 0.8])
AFTER = PredictionRecord(label="negative", probabilities=[0.7, 0.3])
TEXT = "a good film"


def failure(example: str = "e1", *edits: tuple[int, int, str], **more: Any) -> Failure:
    made = [EditRecord(field="text", start=i, end=j, before=TEXT[i:j], after=after) for i, j, after in edits]
    fields: dict[str, Any] = {
        "id": f"{example}{edits}", "check": "s.yaml::c", "example": example, "fields": {"text": "changed"},
        "edits": made, "before": BEFORE, "after": AFTER, "reproduce": f"robustfim run s.yaml::c --example {example}",
    }  # fmt: skip
    return Failure(**(fields | more))


def check(outcome: Outcome = Outcome.FAILED, **more: Any) -> CheckRecord:
    return CheckRecord(**({"id": "s.yaml::c", "name": "c", "outcome": outcome, "message": "why."} | more))


def example(name: str = "e1", **more: Any) -> ExampleRecord:
    return ExampleRecord(**({"id": name, "fields": {"text": TEXT}, "label": "positive"} | more))


def printed(function: Any, *arguments: Any) -> list[str]:
    console = Console(file=io.StringIO(), width=100, color_system=None, highlight=False)
    function(console, *arguments)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def one(found: Failure, shown: ExampleRecord) -> list[str]:
    scores = [
        ScoreRecord(name="fisher", hardest="highest", symbol="λmax"),
        ScoreRecord(name="length", hardest="lowest"),
    ]
    data = record(checks=[check()], failures=[found], examples=[shown], scores=scores)
    return printed(print_failures, data, 0)[2:]


def test_a_failure_shows_the_words_that_matter_most_and_how_exact_that_is() -> None:
    words = [
        WordRecord(field="text", start=i, end=j, value=value)
        for i, j, value in ((0, 1, 0.1), (2, 6, 1.5), (7, 11, -0.62))
    ]
    importance = ImportanceRecord(words=words, change=1.0, delta=-0.02)
    found, shown = failure("e1", (2, 6, "fine")), example(prediction="positive", importance=importance)
    assert one(found, shown)[2] == "    importance for positive: good +1.5, film −0.62 (in all +1, delta −0.02)"
    told = record(
        checks=[check()], failures=[found], examples=[shown, example("e2")],
        attribution=AttributionRecord(calls=32, message="e2 has none."),
    )  # fmt: skip
    assert printed(print_failures, told, 0)[-2:] == [
        "no importance of words: e2 has none.",
        "importance of words in 1 example: 32 points differentiated, convergence delta at most 0.02",
    ]
    undefined = example(prediction="positive", importance=ImportanceRecord())
    assert one(found, undefined) == one(found, example(prediction="positive"))


def test_a_failure_shows_arm_gold_score_change_diff_and_command() -> None:
    shown = one(failure("e1", (2, 6, "fine"), arm="difficult"), example(scores={"fisher": 1.2345}))
    assert shown == [
        "e1 (difficult, gold positive, λmax 1.23)  positive 0.80 → negative 0.70",
        "    a [-good-]{+fine+} film",
        "    robustfim run s.yaml::c --example e1",
    ]


def test_where_the_edit_was_differentiated_λmax_stands_before_and_after_it() -> None:
    moved = failure("e1", (2, 6, "fine"), shift=ShiftRecord(norm=0.5, lambda_max=(1.2345, 0.0567)))
    for scores in ({"fisher": 1.2345}, {}):
        assert one(moved, example(scores=scores))[0].startswith("e1 (gold positive, λmax 1.23 → 0.0567)")


def test_facts_that_are_not_known_are_left_out() -> None:
    shown = one(failure("e1", (2, 6, "fine"), arm="all"), example(label=None, scores={"fisher": None}))
    assert shown[0] == "e1  positive 0.80 → negative 0.70"


def test_an_unchanged_label_shows_how_sure_and_the_reason() -> None:
    after = PredictionRecord(label="positive", probabilities=[0.45, 0.55])
    shown = one(failure("e1", (2, 6, "fine"), after=after, reason="P(positive) fell"), example())
    assert shown[0] == "e1 (gold positive)  positive 0.80 → 0.55  P(positive) fell"


def test_a_step_shows_its_length_and_the_text_as_it_is() -> None:
    shown = one(failure("e1", step=StepRecord(direction="eigenvector", norm=0.5)), example())
    assert shown[1:3] == ["    a step of +0.5 along the eigenvector; the text is unchanged", f"    {TEXT}"]


def test_fields_are_named_where_there_are_several() -> None:
    found = failure("e1", (2, 6, "fine"), fields={"text": "x", "other": "y"})
    shown = one(found, example(fields={"text": TEXT, "other": "y"}))
    assert shown[1:3] == ["    text: a [-good-]{+fine+} film", "    robustfim run s.yaml::c --example e1"]


@pytest.mark.parametrize(("verbosity", "shown", "more"), [(-1, 0, ""), (0, 3, "'-v'"), (1, 10, "'-vv'"), (2, 12, "")])
def test_verbosity_says_how_many_failures_are_shown(verbosity: int, shown: int, more: str) -> None:
    names = [f"e{number:02}" for number in range(12)]
    data = record(
        checks=[check()],
        failures=[failure(name, (2, 6, "fine")) for name in names],
        examples=[example(name) for name in names],
    )
    lines = printed(print_failures, data, verbosity)
    assert sum(line.startswith("    robustfim run") for line in lines) == shown
    rest = [line for line in lines if line.startswith("… and")]
    assert len(rest) == bool(more)
    assert all(f"{12 - shown} more failing examples" in line and more in line for line in rest)


@pytest.mark.parametrize(("outcome", "usually"), [(Outcome.PASSED, False), (Outcome.XFAILED, False)]
    + [(each, True) for each in (Outcome.FAILED, Outcome.ERROR, Outcome.XPASSED, Outcome.INCONCLUSIVE)])  # fmt: skip
def test_failures_of_a_check_that_passed_are_shown_only_when_asked_for(outcome: Outcome, usually: bool) -> None:
    data = record(checks=[check(outcome)], failures=[failure("e1", (2, 6, "fine"))], examples=[example()])
    assert bool(printed(print_failures, data, 0)) is usually
    assert printed(print_failures, data, 1)
    lines = printed(print_outcomes, data, 0)
    assert bool(lines) is usually
    assert printed(print_outcomes, data, 1)[1] == f"{outcome.value.upper()} s.yaml::c - why."


def test_the_end_of_a_long_traceback_is_shown_and_all_of_it_when_asked_for() -> None:
    traceback = "\n".join(f"line {number}" for number in range(30))
    data = record(checks=[check(Outcome.ERROR, traceback=traceback)])
    usual = printed(print_errors, data, 0)
    assert usual[2:4] == ["why.", "    …"]
    assert usual[-2:] == ["    line 29", "    ('-v' shows the whole traceback)"]
    assert len(usual) == 3 + 12
    assert len(printed(print_errors, data, 1)) == 3 + 30
    assert printed(print_errors, data, -1)[2:] == ["why."]


def test_one_error_of_all_checks_is_printed_once() -> None:
    checks = [check(Outcome.ERROR, id=f"s.yaml::{name}", traceback="deep") for name in "abc"]
    data = record(checks=checks, message="why.")
    assert printed(print_errors, data, 0) == [" ERROR ".center(100, "="), "    deep"]
    assert printed(print_outcomes, data, 0)[1:] == [f"ERROR s.yaml::{name}" for name in "abc"]


def test_a_broken_score_is_told_at_the_end() -> None:
    score = ScoreRecord(name="long", hardest="highest", message="score 'long' raised.", broken=True)
    data = record(checks=[check(Outcome.PASSED)], scores=[score], exit_code=1)
    assert printed(print_outcomes, data, 0)[1] == "ERROR score 'long' raised."
    assert "1 passed, 1 broken score in 0.00s" in printed(print_last_line, data)[0]


@pytest.mark.parametrize(
    ("summary", "seconds", "interrupted", "line"),
    [
        ({"passed": 2}, 1.234, False, "2 passed in 1.23s"),
        ({"passed": 2, "failed": 1, "error": 2, "skipped": 0}, 59.2, False, "1 failed, 2 errors, 2 passed in 59.20s"),
        ({"error": 1, "xfailed": 1}, 3725.0, False, "1 error, 1 xfailed in 3725.00s (1:02:05)"),
        ({}, 0.0, False, "no check ran in 0.00s"),
        ({"passed": 1}, 0.0, True, "interrupted, 1 passed in 0.00s"),
    ],
)
def test_the_last_line_is_pytests(summary: dict[str, int], seconds: float, interrupted: bool, line: str) -> None:
    checks = [check(Outcome(name)) for name, number in summary.items() for _ in range(number)]
    data = record(checks=checks, duration_s=seconds, interrupted=interrupted)
    (printed_line,) = printed(print_last_line, data)
    assert printed_line.strip("= ") == line
    assert len(printed_line) == 100


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("negative", "1 passed, answers go against the labels in 0.00s"),
        ("inconclusive", "1 passed, answers not proved by the labels in 0.00s"),
        ("positive", "1 passed in 0.00s"),
    ],
)
def test_the_last_line_says_what_the_answers_have_to_do_with_the_labels(verdict: Any, said: str) -> None:
    for allowed, line in ((False, said), (True, "1 passed in 0.00s")):
        model = ModelRecord(use="m", association=AssociationRecord(verdict=verdict, allowed=allowed))
        data = record(checks=[check(Outcome.PASSED, limit=0.1)], summary={"passed": 1}, model=model)
        assert printed(print_last_line, data)[0].strip("= ") == line


def test_the_last_line_says_that_the_baseline_stays() -> None:
    worse = Comparison(name="last", failed=True, headline="does not replace the baseline")
    fine = Comparison(proven=True, headline="may replace the baseline")
    data = record(checks=[check(Outcome.PASSED)], comparisons=[worse, fine])
    assert printed(print_last_line, data)[0].strip("= ") == "1 passed, last: does not replace the baseline in 0.00s"


def test_a_check_whose_change_the_model_does_not_see_is_counted_apart() -> None:
    blind = check(Outcome.PASSED, candidates=CandidateCounts(tested=3, unmoved=3), message="0 of 3.")
    data = record(checks=[blind, check(Outcome.PASSED, id="s.yaml::d")], summary={"passed": 2}, duration_s=1)
    assert printed(print_last_line, data)[0].strip("= ") == "2 passed (1 not seen by the model) in 1.00s"
    assert printed(print_outcomes, data, 0)[1:] == ["PASSED s.yaml::c - 0 of 3."]


def test_a_check_that_was_open_is_told_however_it_ends() -> None:
    data = record(checks=[check(Outcome.XFAILED, id=f"s.yaml::{name}", message=f"{name}.") for name in "cd"])

    def told(console: Console, data: Record, verbosity: int) -> None:
        print_outcomes(console, data, verbosity, {"s.yaml::c"})

    assert printed(told, data, 0)[1:] == ["XFAILED s.yaml::c - c."]


def test_the_slowest_checks_come_first() -> None:
    data: Record = record(checks=[check(id=f"s.yaml::{name}", duration_s=float(name)) for name in "132"])
    assert printed(print_durations, data, 2)[1:] == ["    3.00s  s.yaml::3", "    2.00s  s.yaml::2"]
    assert printed(print_durations, data, 0) == []
