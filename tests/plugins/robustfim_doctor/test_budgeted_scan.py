from __future__ import annotations

from collections.abc import Sequence

import robustfim
import robustfim_doctor
from robustfim_doctor.budgeted_scan import FIRST


def judge(texts: Sequence[str]) -> list[str]:
    return ["positive" if "great" in text else "negative" for text in texts]


ROWS = [
    {"text": f"Film number {n} is {word} and long.", "label": label}
    for n in range(100)
    for word, label in (("great", "positive"), ("awful", "negative"))
]


def scanned(**budget: float | None) -> robustfim.Run:
    return robustfim_doctor.scan(judge, ROWS, labels=["negative", "positive"], **budget)  # type: ignore[arg-type]  # one of each


def test_a_scan_of_python_objects_ends_with_sentences_the_worst_first() -> None:
    run = scanned(seconds=None, examples=100)
    section = run.record.sections[0]
    assert section.name == "digest"
    assert section.findings[0].startswith("The model is right on 100 % ")
    rates = [
        run.checks[each.split("under '")[1].split("'")[0]].rate or 0 for each in section.findings if "under '" in each
    ]
    assert rates[0] == max(rates) > 0
    assert run.record.selection.control == 100
    assert run.record.summary["error"] == run.record.exit_code == 0, run.record.summary
    assert run.record.summary["skipped"] > 0  # what found nothing to change


def test_the_first_round_is_whole_whatever_the_time_and_the_calls_are_bounded() -> None:
    assert scanned(seconds=0.001, examples=200).record.selection.control == FIRST
    bounded = scanned(seconds=None, examples=200, max_calls=250)
    assert bounded.record.message == "" or "250" in bounded.record.message
    assert bounded.record.model_calls <= 250
