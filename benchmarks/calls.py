"""Calls: what the README's suite asks until it has decided what it decides, with a budget and without one."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import yaml

from benchmarks import turns
from benchmarks.sections import replace_section
from robustfim import run

__all__ = ["AIM", "Asked", "asked", "bounded", "calls", "told", "told_bounded"]

SUITE = Path(__file__).parents[1] / "suites" / "sentiment.yaml"
BUDGET = 480
"""All the suite's examples: a check may look at each, and stops when it is certain."""
AIM = 5000
DECIDED = ("passed", "failed")
BOUNDS = (1500, 2000, 3000, 4000)
"""Texts that may be sent to the model."""


@dataclass(frozen=True)
class Asked:
    """One run.

    Attributes:
        budget: Examples that each check may draw; None where it draws all.
        texts: Texts sent to the model.
        outcomes: The outcome of each check, by its name.
        drawn: The examples that each drew, likewise.
        candidates: The candidates that each tested, likewise.
    """

    budget: int | None
    texts: int
    outcomes: dict[str, str]
    drawn: dict[str, int]
    candidates: dict[str, int]


def asked(budget: int | None, suite: Path = SUITE, most: int | None = None) -> Asked:
    """Run a suite with an empty store.

    Args:
        budget: As in :class:`Asked`.
        suite: The suite.
        most: Texts that may be sent; None for no bound.
    """
    spec = yaml.safe_load(suite.read_text(encoding="utf-8")) | {"reports": ["json"]}
    with tempfile.TemporaryDirectory() as folder:
        spec |= {} if budget is None else {"budget": budget}
        record = run(spec, store=Path(folder) / "store.sqlite", reports=folder, max_calls=most).record
    return Asked(
        budget,
        record.model_calls,
        {each.name: str(each.outcome) for each in record.checks},
        {each.name: sum(arm.drawn for arm in each.arms.values()) for each in record.checks},
        {each.name: each.candidates.tested for each in record.checks},
    )


def bounded() -> Sequence[tuple[int, Asked, Asked]]:
    """Run the README's suite with a budget and few calls: its checks one after the other, and in turns."""
    found = []
    for most in BOUNDS:
        with patch("robustfim.session.flow.still_needed", lambda judged, share: -1.0):  # whichever began goes on
            behind = asked(BUDGET, most=most)
        found.append((most, behind, asked(BUDGET, most=most)))
    return found


def told_bounded(found: Sequence[tuple[int, Asked, Asked]]) -> str:
    """Write what was decided with few calls.

    Args:
        found: As :func:`bounded` has it.
    """
    lines = [
        f"`python -m benchmarks.calls`. Under `--max-calls`, with `budget: {BUDGET}` and an empty store: the checks "
        "that are decided where each is run to its end before the next one, and where they take "
        "[turns](../docs/sampling.md#budgets).",
        "",
        "| calls | one after the other | in turns | decided in turns alone | lost |",
        "| --- | --- | --- | --- | --- |",
    ]
    for most, *both in found:
        one, other = ({name for name, end in each.outcomes.items() if end in DECIDED} for each in both)
        more, less = (", ".join(sorted(part)) or "none" for part in (other - one, one - other))
        lines.append(f"| {most:,} | {len(one)} | {len(other)} | {more} | {less} |")
    return "\n".join(lines)


def calls() -> Sequence[Asked]:
    """Run the README's suite as it is, and with a budget of all its examples."""
    return [asked(None), asked(BUDGET)]


def told(found: Sequence[Asked]) -> str:
    """Write the section of RESULTS.md.

    Args:
        found: The run of all examples, and that with a budget.
    """
    whole, sparing = found
    lost = [name for name, end in whole.outcomes.items() if end in DECIDED and sparing.outcomes[name] != end]
    more = [name for name, end in sparing.outcomes.items() if end in DECIDED and whole.outcomes[name] not in DECIDED]
    lines = [
        "`python -m benchmarks.calls`. `suites/sentiment.yaml` as it is, which tests all 480 reviews, and with "
        f"`budget: {sparing.budget}`, each with an empty store: the examples that each check drew, the candidates that "
        "it tested, and its outcome. The texts count everything that was sent, the reviews themselves and what ranks "
        "words among it.",
        "",
        "| check | drawn | candidates | outcome | drawn, with a budget | candidates | outcome |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, outcome in whole.outcomes.items():
        rows = [f"{each.drawn[name]} | {each.candidates[name]:,}" for each in found]
        lines.append(f"| {name} | {rows[0]} | {outcome} | {rows[1]} | {sparing.outcomes[name]} |")
    lines += [
        f"| texts sent |  | {whole.texts:,} |  |  | {sparing.texts:,} |  |",
        "",
        f"Aim: at most {AIM:,} texts to decide what all examples decide: "
        f"{'met' if sparing.texts <= AIM and not lost else 'missed'}. Decided otherwise, or not any more: "
        f"{', '.join(lost) or 'none'}. Decided by looks alone: {', '.join(more) or 'none'}.",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    replace_section(f"## Calls until a suite is decided\n\n{told(calls())}")
    replace_section(f"## Calls shared out in turns\n\n{told_bounded(bounded())}\n\n{turns.told(turns.turns())}")
