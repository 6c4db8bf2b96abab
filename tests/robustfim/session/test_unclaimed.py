"""Labels that a tagger never finds are left out of what is right, and counted; a label that was asked for is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import robustfim
from robustfim.judge import compare
from robustfim.outcome import Outcome

TEXTS = [f"Ann Lee wrote {number} letters from Paris to ann{number}@example.org." for number in range(40)]
RULES = {"person": r"Ann Lee", "place": r"Paris", "mail": r"\S+@\S+\.org"}


def spans(text: str, *labels: str) -> list[tuple[int, int, str]]:
    return [(*match.span(), label) for label in labels for match in re.finditer(RULES[label], text)]


def finds(*labels: str) -> Callable[[Sequence[str]], list[Any]]:
    return lambda texts: [spans(text, *labels) for text in texts]


def run(*labels: str, baseline: Any = None, **check: Any) -> Any:
    rows = [{"text": text, "spans": spans(text, *RULES)} for text in TEXTS]
    checks: dict[str, Any] = {"right": {"perturb": "itself", "expect": "correct"}}
    if check:
        checks["case"] = {"perturb": {"use": "case", "kinds": ["first"]}, **check}
    suite = {
        "suite": "s", "model": {"use": "python", "call": finds(*labels), "task": "spans"},
        "data": {"use": "rows", "rows": rows, "spans": "spans"}, "checks": checks,
    }  # fmt: skip
    return robustfim.run(suite, baseline=baseline).record


def test_a_tagger_is_right_of_the_labels_that_it_knows() -> None:
    record = run("mail")
    assert record.model.unclaimed == {"person": 40, "place": 40}
    assert record.model.accuracy.rate == 1.0
    assert record.model.labelled_text == " (not claimed by the model: 40 spans of person, 40 spans of place)"
    assert record.checks[0].failing == 0
    assert {example.label for example in record.examples} == {
        f"⟦{text.index('ann')}:{len(text) - 1} mail⟧" for text in TEXTS
    }


def test_a_tagger_that_claims_all_labels_or_none_is_judged_on_all_of_them() -> None:
    assert run(*RULES).model.unclaimed == {}
    none = run()
    assert (none.model.unclaimed, none.model.accuracy.rate) == ({}, 0.0)


def test_a_label_that_a_check_names_or_limits_is_never_left_out() -> None:
    named = run("mail", expect={"use": "found", "labels": ["place", "mail"]}, limit={"missed": 0.1})
    assert named.model.unclaimed == {"person": 40}
    assert named.checks[1].outcome is Outcome.FAILED
    limited = run("mail", expect="found", limit={"missed": 0.1})
    assert limited.model.unclaimed == {}
    assert limited.checks[1].outcome is Outcome.FAILED


def test_a_release_that_loses_a_label_is_not_called_as_good() -> None:
    check = {"expect": "found"}
    before, after = run(*RULES, **check), run("mail", "place", **check)
    assert after.model.accuracy.rate == 1.0
    comparison = compare(before, after, margin=0.1)
    assert not comparison.proven
    assert comparison.accuracy.verdict != "no worse"
    assert comparison.notes[0].startswith("only one of the two taggers finds person, and gold spans")


def test_a_label_that_the_baseline_found_is_claimed_of_the_release_that_is_held_against_it() -> None:
    before = run("mail", "place", expect="found")
    after = run("mail", expect="found", baseline=before)
    assert after.model.unclaimed == {"person": 40}
    assert after.model.accuracy.rate == 0.0
    assert compare(before, after, margin=0.1).accuracy.verdict == "worse"
