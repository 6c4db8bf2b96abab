"""A run record as a real run would leave it, made of invented sentences by a seeded generator."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from robustfim.outcome import Outcome
from robustfim.record import (
    ArmRecord,
    CandidateCounts,
    CheckRecord,
    ClaimRecord,
    DataRecord,
    Environment,
    ExampleRecord,
    Failure,
    ModelRecord,
    PluginRecord,
    Record,
    ScoreRecord,
    SelectionRecord,
    WindowRecord,
)
from robustfim.statistics import Rate, wilson
from tests.plugins.robustfim_html import reviews

__all__ = ["PLAN", "build", "claimed"]


@dataclass(frozen=True)
class Plan:
    """A check and how often it should fail on either arm."""

    name: str
    outcome: Outcome
    perturbation: dict[str, Any]
    difficult: float = 0.0
    control: float = 0.0
    limit: float | dict[str, float] = 0.1
    marks: list[str] = field(default_factory=list)


PLAN = (
    Plan(
        "synonyms",
        Outcome.FAILED,
        {"use": "synonyms", "words": 0.1, "candidates": 8, "order": "guided"},
        0.42,
        0.05,
        marks=["lexical"],
    ),
    Plan(
        "typos",
        Outcome.FAILED,
        {"use": "typos", "words": 1, "candidates": 12},
        0.29,
        0.06,
        {"difficult": 0.2, "control": 0.05},
        ["noise"],
    ),
    Plan("people", Outcome.PASSED, {"use": "people", "candidates": 4}, 0.02, 0.0, 0.15),
    Plan("contractions", Outcome.PASSED, {"use": "contractions"}, 0.01, marks=["lexical"]),
    Plan("numbers", Outcome.INCONCLUSIVE, {"use": "numbers", "candidates": 3}, 0.17, 0.06),
    Plan(
        "eigenvector",
        Outcome.FAILED,
        {"use": "eigenvector", "norms": [0.5, 1.0]},
        0.38,
        0.09,
        {"difficult": 0.25, "control": 0.1},
        ["step"],
    ),
    Plan("neighbours", Outcome.ERROR, {"use": "neighbours", "candidates": 8}),
    Plan("rules", Outcome.XFAILED, {"use": "rules", "path": "rules/mined.json"}, 0.14, 0.04, 0.05, ["known"]),
    Plan("nouns", Outcome.SKIPPED, {"use": "nouns"}),
)


def _message(outcome: Outcome, failing: int, tested: int, limit: Any) -> str:
    if outcome is Outcome.ERROR:
        return "robustfim_words (neighbours) raised FileNotFoundError: no word vectors at 'vectors/small.txt'"
    if outcome is Outcome.SKIPPED:
        return "needs a tagger: pip install 'robustfim[spacy]'"
    if outcome is Outcome.XFAILED:
        return "known, issue 12"
    if outcome is Outcome.INCONCLUSIVE:
        return f"{failing} of {tested} examples fail and the interval holds the limit; about 260 more would decide"
    if outcome is Outcome.FAILED:
        named = (
            " and ".join(f"{value:.0%} ({arm})" for arm, value in limit.items())
            if isinstance(limit, dict)
            else f"{limit:.0%}"
        )
        return f"{failing} of {tested} examples fail, above the limit of {named}"
    return ""


def claimed(check: CheckRecord) -> CheckRecord:
    """The check with a claim for each of its limits."""
    parts: dict[str, Any] = {**check.limited, **({"": check} if isinstance(check.limit, float) else {})}
    claims = [
        ClaimRecord(where=where, limit=limit, side=Outcome.FAILED, verdict=check.outcome,
                    estimate=Rate(part.failing, part.tested, part.interval, part.rate))
        for where, part in parts.items()
        if isinstance(limit := part.limit, float)
    ]  # fmt: skip
    return check.model_copy(update={"claims": claims})


def _check(
    plan: Plan,
    line: int,
    arms: dict[str, ArmRecord],
    pairs: int,
    examples: list[str],
) -> CheckRecord:
    name, outcome, limit = plan.name, plan.outcome, plan.limit
    ran = outcome not in {Outcome.ERROR, Outcome.SKIPPED}
    tested, failing = sum(a.tested for a in arms.values()), sum(a.failing for a in arms.values())
    proposed = tested * 8 + 77
    return claimed(
        CheckRecord(
            id=f"sentiment.yaml::{name}",
            name=name,
            outcome=outcome,
            perturbation=plan.perturbation,
            constraints=["same_part_of_speech", {"use": "similar", "least": 0.8}] if name == "synonyms" else [],
            expectation={"use": "invariant"},
            limit=limit,
            marks=plan.marks,
            path="suites/sentiment.yaml",
            line=line,
            tested=tested if ran else 0,
            failing=failing if ran else 0,
            rate=failing / tested if ran and tested else None,
            interval=wilson(failing, tested) if ran else None,
            p_value=0.00213 if outcome is Outcome.FAILED else None,
            needed=260 if outcome is Outcome.INCONCLUSIVE else None,
            arms=arms if ran else {},
            examples=examples if ran else [],
            candidates=CandidateCounts(
                edits=proposed * 3,
                edits_rejected={"same_part_of_speech: adjective → noun": proposed // 2},
                proposed=proposed,
                unchanged=9,
                duplicate=21,
                rejected={"same_part_of_speech: noun → verb": 31, "similar: below 0.8": 10},
                undefined=0,
                not_applicable=6,
                tested=proposed - 77,
                failed=pairs,
            )
            if ran
            else CandidateCounts(),
            duration_s=0.37 * len(name) ** 2 if ran else 0.02,
            message=_message(outcome, failing, tested, limit),
            traceback='Traceback (most recent call last):\n  File "robustfim_words/neighbours.py", line 41, in run\n'
            "    vectors = read(path)\nFileNotFoundError: no word vectors at 'vectors/small.txt'\n"
            if outcome is Outcome.ERROR
            else "",
        )
    )


def build(
    *,
    seed: int = 0,
    examples: int = 600,
    difficult: int = 100,
    control: int = 100,
    most: int = 4,
    keep: tuple[str, ...] = (),
) -> Record:
    """Make a record.

    Args:
        seed: Decides everything.
        examples: Usable examples.
        difficult: Examples in the difficult arm; with ``control`` also 0 all examples are tested, in arm ``all``.
        control: Examples in the control arm.
        most: Failing candidates of one example in one check, at most.
        keep: Names of the checks to keep; all when empty.
    """
    random = Random(seed)  # sentences, not secrets
    rows, threshold = reviews.examples(random, examples, difficult, control)
    fragile = {row.id: random.random() for row in rows}
    members: dict[str, list[ExampleRecord]] = {}
    for row in rows:
        if row.arm is not None:
            members.setdefault(row.arm, []).append(row)
    checks: list[CheckRecord] = []
    failures: list[Failure] = []
    for line, plan in enumerate(PLAN):
        name, outcome, limit = plan.name, plan.outcome, plan.limit
        if keep and name not in keep:
            continue
        arms: dict[str, ArmRecord] = {}
        found: list[Failure] = []
        for arm, tested in members.items():
            expected = plan.control if arm == "control" else plan.difficult
            # An example that one check breaks is more often broken by another, too.
            failing = [
                row for row in tested if (fragile[row.id] if random.random() < 0.6 else random.random()) < expected
            ]
            for row in failing:
                made = (
                    reviews.failure(random, f"sentiment.yaml::{name}", plan.perturbation["use"], row, number)
                    for number in range(random.choice((1, 1, 1, 2, most)))
                )
                found += {failure.id: failure for failure in made}.values()
            arms[arm] = ArmRecord(
                tested=len(tested),
                failing=len(failing),
                interval=wilson(len(failing), len(tested)),
                limit=limit.get(arm) if isinstance(limit, dict) else None,
            )
        if outcome in {Outcome.ERROR, Outcome.SKIPPED}:
            found = []
        checks.append(_check(plan, 14 + 6 * line, arms, len(found), [row.id for row in rows if row.arm]))
        failures += found
    right = sum(row.label == row.prediction for row in rows)
    return Record(
        suite="sentiment",
        path="suites/sentiment.yaml",
        model=ModelRecord(
            use="reference/cnn",
            fingerprint="9b1f6c0d2a7e",
            labels=reviews.LABELS,
            accuracy=Rate(right, len(rows)),
        ),
        data=DataRecord(
            use="reviews",
            options={"split": "test"},
            examples=len(rows),
            labelled=len(rows),
            skipped={"empty text": 3, "label is not one of the model’s": 1},
            window=WindowRecord(partly=14),
        ),
        environment=Environment(
            robustfim="0.1.0",
            python="3.11.9",
            packages={"torch": "2.13.0", "numpy": "2.2.1", "transformers": "4.57.1"},
            plugins=[
                PluginRecord(name="robustfim_fisher", version="0.1.0"),
                PluginRecord(name="robustfim_words", version="0.1.0"),
                PluginRecord(name="shout.py", sha256="3b6f0c" * 10 + "aaaa"),
            ],
            device="cpu",
        ),
        seed=seed,
        started="2026-11-20T21:03:07Z",
        duration_s=252.4,
        model_calls=11_482,
        cached_calls=3_210,
        gradient_calls=len(rows),
        step_calls=400,
        exit_code=1,
        summary={},
        scores=[
            ScoreRecord(name="fisher", hardest="highest"),
            ScoreRecord(name="boundary", hardest="lowest"),
            ScoreRecord(
                name="entropy", hardest="highest", undefined=sum(row.scores["entropy"] is None for row in rows)
            ),
        ],
        selection=SelectionRecord(by="fisher", difficult=difficult, control=control, threshold=threshold)
        if difficult
        else SelectionRecord(),
        examples=rows,
        checks=checks,
        failures=failures,
    )
