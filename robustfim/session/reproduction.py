"""Show a single failure again: write its command line, find its example, and judge its check."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

from robustfim.collect.check import Check
from robustfim.collect.spool import Examples
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.judge.check_counts import CheckCounts
from robustfim.outcome import Outcome
from robustfim.record import CheckRecord
from robustfim.suite.config import RunConfig

__all__ = ["judge_alone", "named_examples", "reproducer"]


def reproducer(config: RunConfig) -> Callable[[Check, Example], str]:
    """Return a function that returns the command, or the Python call, to test a single failing example again."""
    extra = "".join(f" {shlex.quote(word)}" for word in config.options.overrides)

    def reproduce(check: Check, example: Example) -> str:
        if config.file.from_script:
            return f"robustfim.run(…, only=[{check.name!r}], examples=[{example.id!r}])"
        return f"robustfim run {shlex.quote(config.shown_path)}::{check.name} --example {example.id}{extra}"

    return reproduce


def named_examples(examples: Examples, beginnings: Sequence[str]) -> Examples:
    """Find the examples that ``--example`` names.

    Args:
        examples: Every usable example.
        beginnings: The first characters of example ids; empty for all examples.

    Raises:
        UsageError: A beginning matches no example or several examples.
    """
    if not beginnings:
        return examples
    named: set[int] = set()
    places = {id: place for place, id in enumerate(examples.ids())}
    for beginning in beginnings:
        matches = [beginning] if beginning in places else [id for id in places if id.startswith(beginning)]
        if len(matches) != 1:
            what = f"{len(matches)} examples have ids that begin" if matches else "no example has an id that begins"
            raise UsageError(
                f"--example {beginning}: {what} so. You find the ids in results.json and beside each failure."
            )
        named.add(places[matches[0]])
    return Examples(examples.spool, sorted(examples.rows[place] for place in named))


def judge_alone(check: CheckCounts) -> CheckRecord:
    """Judge a check on examples that the user named: it fails if any of them fails; no rate is tested."""
    if check.ended is not None:
        return check.record(check.ended)
    counts = check.candidates
    outcome = Outcome.FAILED if check.failing else Outcome.PASSED
    return check.record(
        outcome, limit=0.0, limit_of_valid=False, message=f"{counts.failed} of {counts.tested} candidates fail."
    )
