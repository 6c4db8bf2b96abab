"""A digest: what a run found, in plain sentences, the worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from robustfim.errors import UsageError
from robustfim.exhibit import Section
from robustfim.members import member
from robustfim.outcome import Outcome
from robustfim.plugin.manager import PluginManager
from robustfim.record import CheckRecord, Failure, Record
from robustfim.statistics import Rate, percent
from robustfim.terminal.diff import inline_diff

__all__ = ["DIGEST", "digest"]

DIGEST = "digest"
"""The name of the section; a page opens on it."""

_ARMS = {"all": "texts", "control": "texts drawn at random", "difficult": "texts that are hardest"}
"""How the examples of an arm are called in a sentence."""


def digest(record: Record, manager: PluginManager, left_out: Sequence[str] = ()) -> Section:
    """Write a section of sentences: how often a change of the text changes the answer, and the worst such text.

    Checks are ranked by the lower end of the 95 % interval of their rate, of texts drawn at random where there are
    such: what surely happens often goes first. Steps in embedding space, which are no texts, come last.

    Args:
        record: The run.
        manager: The plugins, which say what each perturbation does.
        left_out: Sentences on what was not tested.
    """
    tested = [each for each in record.checks if each.tested and each.outcome is not Outcome.ERROR]
    ranked = sorted(tested, key=lambda each: (_steps(each, manager), -_surely(each), -(each.rate or 0), each.name))
    told = [_sentence(each, record, manager) for each in ranked if each.failing]
    if not told and tested:
        told.append("No tested text changes its answer.")
    calm = [_sentence(each, record, manager) for each in ranked if not each.failing]
    known = {each.id for each in tested}
    missing = [f"Not tested: {each.name}: {_why_not(each)}" for each in record.checks if each.id not in known]
    return Section(
        name=DIGEST,
        title="What changes the answers",
        findings=[*_head(record), *told, *calm, *missing, *(f"Not tested: {each}" for each in left_out)],
    )


def _why_not(check: CheckRecord) -> str:
    """Why a check tested nothing, once."""
    return check.message.removeprefix("tested nothing: ")


def _head(record: Record) -> Iterator[str]:
    if record.message:
        yield f"Not everything was looked at: {record.message}"
    if record.model.accuracy is not None:
        share = percent(record.model.accuracy, record.model.accuracy_interval)
        yield f"The model is right on {share} of {record.data.labelled:,} texts as they are."


def _sentence(check: CheckRecord, record: Record, manager: PluginManager) -> str:
    """Say how many texts fail a check, and which text is the worst."""
    expect = check.expectation.get("use")
    does = "change their label" if expect == "invariant" else f"fail {expect!r}"
    counts = " and ".join(
        f"{failing:,} of {tested:,} {who}, {percent(rate.rate, rate.interval)},"
        for who, failing, tested, rate in _counts(check)
    )
    sentence = f"{counts} {does} under {check.name!r}{_meaning(check, manager)}"
    if not check.failing:
        return f"{sentence}."
    worst = max(
        (each for each in record.failures if each.check == check.id), key=lambda each: each.margin, default=None
    )
    return f"{sentence}; worst: {_shown(worst, record)}" if worst is not None else f"{sentence}."


def _counts(check: CheckRecord) -> Iterator[tuple[str, int, int, Rate]]:
    arms = {name: (arm.failing, arm.tested) for name, arm in check.arms.items() if arm.tested}
    for name, (failing, tested) in sorted(arms.items()) or [("all", (check.failing, check.tested))]:
        yield _ARMS.get(name, f"texts of the arm {name}"), failing, tested, Rate(failing, tested)


def _surely(check: CheckRecord) -> float:
    """The lower end of the interval of the rate that ranks a check."""
    arm = check.arms.get("control")
    failing, tested = (arm.failing, arm.tested) if arm is not None and arm.tested else (check.failing, check.tested)
    return Rate(failing, tested).ends[0]


def _steps(check: CheckRecord, manager: PluginManager) -> bool:
    """Whether a check takes steps in embedding space."""
    try:
        cls = manager.get("perturbations", str(check.perturbation.get("use"))).cls
    except UsageError:  # an object of a script
        return False
    return member("perturbations", cls, "predict") is not None


def _meaning(check: CheckRecord, manager: PluginManager) -> str:
    """What the perturbation does, by the first line of its documentation."""
    try:
        summary = manager.get("perturbations", str(check.perturbation.get("use"))).summary.rstrip(".")
    except UsageError:  # an object of a script
        return ""
    return f" ({summary[:1].lower()}{summary[1:]})" if summary else ""


def _shown(failure: Failure, record: Record) -> str:
    """Show a failure as a short diff, with its labels."""
    sources = {each.id: each.fields for each in record.examples}
    edited = [edit.field for edit in failure.edits]
    field = edited[0] if edited else next(iter(failure.fields))
    text = sources.get(failure.example, failure.fields).get(field, "")
    diff = " ".join(inline_diff(text, [each for each in failure.edits if each.field == field]).plain.split())
    step = "" if failure.step is None else f" and a step of norm {failure.step.norm:g}"
    return f"“{diff}”{step} ({failure.before.label} → {failure.after.label})."
