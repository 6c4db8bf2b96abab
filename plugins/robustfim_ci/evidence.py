"""The report ``evidence``: the evidence of a run on a model, as a page for a release's documents."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from robustfim.commands import printable
from robustfim.judge import Trials, limit_text, reach_word
from robustfim.outcome import Outcome
from robustfim.record import CheckRecord, ModelRecord, Record
from robustfim.statistics import percent
from robustfim_ci.baseline import answers
from robustfim_ci.markdown import code, escaped, fenced
from robustfim_ci.output import FileReport
from robustfim_ci.rates import first_line
from robustfim_drawing import rate_lines

__all__ = ["EvidenceReport", "checks_table", "digests", "unproved"]

_SETTLED = (Outcome.PASSED, Outcome.FAILED, Outcome.XFAILED, Outcome.XPASSED)
_ASKED = (
    ("Article 15(3): levels and metrics of accuracy", "*Model and data*: accuracy, with its interval"),
    ("Article 15(4): resilience to errors, faults and inconsistencies",
     "*What was asked*: each check, its limit, its rate and how it ended"),
    ("Article 15(5): inputs made to cause mistakes", "the checks whose perturbation searches, or evades a guard"),
    ("Annex IV, 2(g): procedures, data and metrics of validation and testing; logs, dated and signed",
     "*Model and data*, *How certain it is*, *Repeat it*; the record is the log"),
    ("Annex IV, 3: limits of performance, also for groups", "*What is not proved*; the slices below"),
)  # fmt: skip
"""What Regulation (EU) 2024/1689 asks of robustness, and where it stands on the page."""


class EvidenceReport(FileReport):
    """Writes an evidence page: the tested model and data, the checks with their limits, and how certain they are.

    Args:
        path: The file to write; ``evidence.md`` in the suite's report folder when None.
    """

    file = "evidence.md"

    def text(self, record: Record) -> str:
        """Return the page in Markdown. Texts of the record are escaped, and the same record gives the same page."""
        known = digests(record)
        parts = [
            f"# Robustness of {code(record.model.use)}: {escaped(record.suite)}",
            f"{escaped(first_line(record))}. Tested on {escaped(record.started[:10])}.",
            *[escaped(answer) for answer in answers(record)],
            "## Model and data",
            _table(("", ""), [*_model(record.model), *_data(record)]),
            "## What was asked",
            checks_table(record),
            "## How certain it is",
            *_certainty(record),
            "## What is not proved",
            unproved(record),
            *(["## By slice", _slices(record)] if record.slices else []),
            "## Where the law asks for it",
            "Regulation (EU) 2024/1689, the AI Act, asks this of a high-risk system. The page is evidence of "
            "robustness to the changes above, and no legal advice.",
            _table(("asked", "on this page"), _ASKED),
            "## Repeat it",
            _repeat(record, known),
            "Responsible: ____________________  Date: ____________________",
        ]
        return "\n\n".join(filter(None, parts)) + "\n"


def digests(record: Record) -> dict[str, str]:
    """Return hashes of a run's data and findings, which are equal for repeated runs of a model on the same data.

    Neither hash includes times, numbers of calls, or numbers whose last digits depend on the batch.

    Returns:
        SHA-256 in hexadecimal digits. ``data`` is the hash of the ids of all usable examples (an id is a hash of the
        text) with their gold labels. ``findings`` is the hash of the settings, outcomes, tested examples and failures
        of all checks.
    """
    data = [*record.table.rows(["id", "label"])]
    trials = Trials.of_record(record)
    found = [
        {
            **check.model_dump(
                include={"id", "perturbation", "constraints", "expectation", "fails", "limit", "outcome"}
            ),
            "tested": sorted(check.examples),
            "failing": sorted(trials.of_checks(check.id).failing),
        }
        for check in record.checks
    ]
    return {"data": _sha256(sorted(data)), "findings": _sha256(found)}


def _sha256(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


# ---- the parts of the page ----------------------------------------------------------------------------


def _model(model: ModelRecord) -> Iterator[tuple[str, str]]:
    options = {name: value for name, value in model.options.items() if name != "decide"}
    yield "model", f"{code(model.use)} {code(_plain(options))}" if options else code(model.use)
    yield "fingerprint", code(model.fingerprint or "none")
    yield "labels", code(", ".join(model.labels)) if model.labels else "answers in its own words"
    rule = model.options.get("decide")
    yield "decision", "the label with the highest probability" if rule is None else code(_plain(rule))
    if model.threshold is not None:
        yield "threshold", escaped(model.threshold.sentence)
    if model.asked_again is not None:
        yield "the same model", escaped(model.asked_again.sentence)


def _data(record: Record) -> Iterator[tuple[str, str]]:
    data, accuracy = record.data, record.model.accuracy
    yield "data", f"{code(data.use)} {code(_plain(data.options))}" if data.options else code(data.use)
    left = ", ".join(f"{number:,} {reason}" for reason, number in data.skipped.items())
    yield (
        "examples",
        f"{data.examples:,}, {data.labelled:,} with a gold label" + (f"; left out: {escaped(left)}" if left else ""),
    )
    if accuracy.tested:
        yield "accuracy", accuracy.text + escaped(record.model.labelled_text)
    if data.window is not None and data.window.sentence:
        yield "read in part", escaped(data.window.sentence)
    chosen = record.selection
    how = (
        f"the hardest {chosen.difficult:,}{f' and easiest {chosen.easiest:,}' * bool(chosen.easiest)} by {chosen.by}, "
        f"and {chosen.control:,} at random"
        if chosen.difficult or chosen.easiest
        else ""
    )
    how = f"{len(chosen.strata)} strata by {chosen.by}" if chosen.strata else how
    yield "tested", escaped(how) if how else f"{chosen.control:,} at random" if chosen.control else "all examples"
    if record.lock is not None:
        yield "lock", code(record.lock)


def checks_table(record: Record) -> str:
    """Return a table in Markdown with the change, expectation, limit, rate and outcome of each check."""
    rows = [
        (
            code(check.name),
            code(_plain(check.perturbation)),
            code(_plain(check.expectation)),
            escaped(limit_text(check)) or "none",
            "<br>".join(map(escaped, rate_lines(check))) or "–",
            check.outcome.value,
        )
        for check in record.checks
    ]
    return _table(("check", "changed", "expected", "limit", "rate [95 % interval]", "outcome"), rows)


def _certainty(record: Record) -> Iterator[str]:
    yield (
        "*Passed* is said of a check where its limit is proved: were the true rate the limit, it would be said with "
        "2.5 % at most. *Failed* is said where the rate is proved to be above it, corrected by Holm's method, so that "
        "a model within all limits is failed with 5 % at most. "
        "Whatever lies between is *inconclusive*, and counts as neither. A check without a limit is *measured*."
    )
    rows = [
        (
            code(check.name),
            check.outcome.value,
            "–" if check.p_value is None else f"{check.p_value:.2g}",
            f"{check.tested:,}",
            "independent" if check.clusters is None else f"{check.clusters:,} clusters",
            _validity(check),
        )
        for check in record.checks
        if check.outcome in (*_SETTLED, Outcome.INCONCLUSIVE)
    ]
    if rows:
        yield _table(("check", "outcome", "p-value", "examples", "which are", "failing texts that are valid"), rows)


def _validity(check: CheckRecord) -> str:
    """Whether anybody has looked at what fails."""
    found = check.validity
    if found is None:
        return "nobody has looked" if check.failing else "–"
    seen = found.valid + found.invalid + found.unsure
    rate = percent(found.rate, found.interval)
    return f"{found.valid:,} of {seen:,} looked at; {rate} of the tested examples fail validly"


def unproved(record: Record) -> str:
    """Return a Markdown list of what the run did not prove: undecided or left-out checks, caveats, warnings."""
    said = [escaped(record.message)] if record.message else []
    for check in record.checks:
        if check.outcome not in _SETTLED:
            said.append(f"{code(check.name)}: {check.outcome.value}. {escaped(check.message)}")
        if check.unseen:
            said.append(f"{code(check.name)}: the model sees none of its changes.")
        said += [f"{code(check.name)}: {escaped(caveat)}." for caveat in check.caveats]
    said += [f"{code(name)}: left out of this run." for name in record.deselected]
    said += map(escaped, record.warnings)
    whole = "Every check that has a limit is decided, and nothing was left out."
    return "\n".join(f"- {line}" for line in said) or whole


def _slices(record: Record) -> str:
    rows = [
        (
            code(part.name),
            f"{part.examples:,}",
            *(escaped(str(rate)) if rate.tested else "–" for rate in (part.accuracy, part.failures)),
        )
        for part in record.slices
    ]
    return _table(("slice", "examples", "accuracy", escaped(reach_word(record))), rows)


def _repeat(record: Record, known: Mapping[str, str]) -> str:
    """The command, what it must find, and what it ran on."""
    environment = record.environment
    packages = ", ".join(f"{name} {version}" for name, version in environment.packages.items())
    command = f"{fenced(printable(record.command), 'shell')}\n" if record.command else ""
    rows = [
        ("data, SHA-256", code(known["data"])),
        ("findings, SHA-256", code(known["findings"])),
        ("seed", f"{record.seed}"),
        ("robustfim", escaped(environment.robustfim)),
        ("Python and libraries", escaped(f"{environment.python}; {packages}" if packages else environment.python)),
        ("computed on", escaped(environment.device or "not told")),
    ]
    sentence = "Whoever runs it again and writes this page must find the same two hashes, in which there is no time."
    return f"{command}{sentence}\n\n{_table(('', ''), rows)}"


# ---- Markdown -----------------------------------------------------------------------------------------


def _table(heads: Sequence[str], rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> str:
    """A table of cells that are Markdown already."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _plain(value: Any) -> str:
    """A setting as a suite writes it, in one line."""
    return json.dumps(value, ensure_ascii=False, default=str) if not isinstance(value, str) else value
