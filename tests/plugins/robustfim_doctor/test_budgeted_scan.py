from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

import robustfim
import robustfim_doctor
from robustfim.outcome import Outcome
from robustfim.record import CheckRecord, Record
from robustfim_doctor import budgeted_scan, deadline
from robustfim_doctor.budgeted_scan import FIRST, Scan, first_look, merged, sized
from robustfim_doctor.draft import Draft, DraftCheck


def judge(texts: Sequence[str]) -> list[str]:
    return ["positive" if "great" in text else "negative" for text in texts]


ROWS = [
    {"text": f"Film number {n} is {word} and long.", "label": label}
    for n in range(100)
    for word, label in (("great", "positive"), ("awful", "negative"))
]


def scanned(**budget: float | None) -> robustfim.Run:
    return robustfim_doctor.scan(judge, ROWS, labels=["negative", "positive"], **budget)  # type: ignore[arg-type]  # one of each


def test_a_scan_of_python_objects_ends_with_a_line_for_each_change_the_worst_first() -> None:
    run = scanned(seconds=None, examples=100)
    section = run.record.sections[0]
    assert section.name == "digest"
    first = next(
        place for place, finding in enumerate(section.findings) if finding.startswith("The model is right on 100 %")
    )
    assert len(run.record.causes) == first, "what is concentrated comes first"
    names = [row[0] for row in section.tables[0].rows]
    rates = [run.checks[name].rate or 0 for name in names]
    assert rates[0] == max(rates) > 0
    assert "right" not in run.checks, "accuracy is no change"
    assert run.record.selection.control == 100
    assert run.record.summary["error"] == run.record.exit_code == 0, run.record.summary
    assert run.record.summary["skipped"] > 0  # what found nothing to change


def test_a_scan_looks_at_as_many_examples_as_its_time_allows_and_names_what_it_did_not_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Clock:
        """Each look at it takes a second."""

        now = 0.0

        def monotonic(self) -> float:
            self.now += 1
            return self.now

    whole = scanned(seconds=100_000, examples=200).record
    assert max(check.tested for check in whole.checks) == 200, "the time is used"
    monkeypatch.setattr(deadline, "time", Clock())
    short = scanned(seconds=25, examples=200).record
    reached = {check.name for check in short.checks}
    late = next(finding for finding in short.sections[0].findings if finding.endswith(": the time was up."))
    names = late.removeprefix("Not tested: ").removesuffix(": the time was up.").split(", ")
    assert reached
    assert not reached & set(names)
    assert reached | set(names) == {check.name for check in whole.checks}
    assert (short.interrupted, short.message) == (False, "")


def test_a_slow_model_gets_a_smaller_first_look_at_fewer_rows() -> None:
    checks = [DraftCheck(str(number), {"candidates": 5}) for number in range(10)]
    draft = Draft("s", 0, (), None, None, checks=checks)  # type: ignore[arg-type]  # model and data are not looked at
    assert first_look(draft, 1e-6, 60, 500) == (FIRST, None)
    assert first_look(draft, 0.02, 60, 500) == (36, None)
    assert first_look(draft, 0.1, 60, 500) == (7, 240)
    assert first_look(draft, 1.0, 60, 500) == (5, 24)


def test_unchanged_texts_that_take_the_time_of_the_checks_are_fewer_in_a_second_try(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Clock:
        """A text takes two seconds from the hundredth on."""

        now = 0.0

        def monotonic(self) -> float:
            return self.now

    clock, asked = Clock(), list[int]()

    def slow(texts: Sequence[str]) -> list[str]:
        asked.append(len(texts))
        clock.now += 2.0 * len(texts) if sum(asked) > 100 else 0.0
        return judge(texts)

    for module in (deadline, budgeted_scan):
        monkeypatch.setattr(module, "time", clock)
    path = tmp_path / "films.csv"
    rows = [f"{number} {row['text']},{row['label']}" for number in range(5) for row in ROWS]
    path.write_text("\n".join(["text,label", *rows]), encoding="utf-8")
    record = robustfim_doctor.scan(
        slow, {"use": "csv", "path": str(path)}, labels=["negative", "positive"], seconds=2_000, plugins=["no:fisher"]
    ).record
    assert record.data.examples < len(rows), "1,000 texts would take all of the time"
    assert len([check for check in record.checks if check.tested]) > 3


def test_labels_are_compared_on_as_many_texts_as_a_tenth_of_the_time_allows() -> None:
    assert [sized(pace, 60, 200) for pace in (0.0, 0.03, 0.1, 10.0)] == [200, 200, 60, 5]


def test_a_deadline_ends_a_run_once_while_unchanged_texts_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    clock = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr(deadline, "time", clock)
    limit = deadline.Deadline(60)
    limit.unchanged = 48
    limit.robustfim_progress("predict", 10, 100)
    now[0] = 13.0
    limit.robustfim_progress("read", 10, 100)
    with pytest.raises(KeyboardInterrupt):
        limit.robustfim_progress("predict", 20, 100)
    assert (limit.predicted, limit.passed) == (20, False)
    limit.robustfim_progress("predict", 30, 100)
    now[0] = 61.0
    with pytest.raises(KeyboardInterrupt):
        limit.robustfim_progress("predict", 30, 100)
    assert limit.passed


def test_a_later_round_that_is_cut_keeps_what_an_earlier_one_counted() -> None:
    one, two = (CheckRecord(id=name, name=name, outcome=Outcome.MEASURED, tested=60) for name in "ab")
    again = one.model_copy(update={"tested": 500})
    first = Scan(Record.model_construct(checks=[one, two], failures=[], examples=[]), None)  # type: ignore[arg-type]  # no draft is needed
    found = merged(first, Record.model_construct(checks=[again], failures=[], examples=[]))
    assert [(check.name, check.tested) for check in found.checks] == [("a", 500), ("b", 60)]


def test_answers_that_go_against_the_labels_end_a_scan_of_python_objects_with_1() -> None:
    rows = [{**row, "label": "negative" if row["label"] == "positive" else "positive"} for row in ROWS]
    run = robustfim_doctor.scan(judge, rows, labels=["negative", "positive"], seconds=None, examples=20)
    assert run.exit_code == 1
    assert run.record.sections[0].findings[0].startswith("The answers go against the gold labels")


def test_the_calls_are_bounded() -> None:
    bounded = scanned(seconds=None, examples=200, max_calls=250)
    assert bounded.record.message == "" or "250" in bounded.record.message
    assert bounded.record.model_calls <= 250
