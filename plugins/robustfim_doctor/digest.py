"""A digest: what a run found, in plain sentences, the worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from robustfim.errors import UsageError
from robustfim.exhibit import DIGEST, Section
from robustfim.judge import failures_by_check
from robustfim.outcome import Outcome
from robustfim.parts import PerturbationPart
from robustfim.plugin import PluginManager
from robustfim.record import CheckRecord, Failure, Record
from robustfim.spans import is_spans, written_spans
from robustfim.statistics import Rate, percent
from robustfim.terminal.diff import inline_diff

__all__ = ["digest", "ranked"]

_WIDE = 0.4
"""A wider 95 % interval says too little: up to 20 texts of which half fail, up to 5 of which none does."""

_ARMS = {"all": "texts", "control": "texts drawn at random", "difficult": "texts that are hardest"}
"""How the examples of an arm are called in a sentence."""


def digest(record: Record, manager: PluginManager, left_out: Sequence[str] = ()) -> Section:
    """Write a section of sentences: how often a change of the text changes the answer, and the worst such text.

    Checks stand as :func:`ranked` has them; of one whose interval is wider than 40 points the sentence begins with
    *too few to say*. Those of them that no text fails share one sentence, which says what to do.
    """
    order = [check for check in ranked(record, manager) if not _perturbation(check, manager).contract.unchanged]
    tested = [check for check in order if _is_tested(check)]
    few = [check for check in tested if not check.failing and _is_wide(_at_random(check, record))]
    sentences = [_sentence(check, record, manager) for check in tested if check not in few]
    if tested and not any(check.failing for check in tested):
        sentences.insert(0, "No tested text changes its answer.")
    sentences += _too_few(few, record)
    untested: dict[str, list[str]] = {}
    for check in order:
        if not _is_tested(check):
            untested.setdefault(_why_not(check, record), []).append(check.name)
    missing = [f"Not tested: {', '.join(names)}{f': {why}' if why else '.'}" for why, names in untested.items()]
    return Section(
        name=DIGEST,
        title="What changes the answers",
        findings=[*_weak(record), *_head(record), *sentences, *missing, *(f"Not tested: {each}" for each in left_out)],
    )


def ranked(record: Record, manager: PluginManager) -> list[CheckRecord]:
    """Order the checks of a run without limits, the worst first.

    They are ranked by the lower end of the 95 % interval of their rate, of texts drawn at random where there are such
    and the arms leave texts out: what surely happens often goes first. Steps in embedding space, which are no texts,
    come after texts; then those that no text fails, those of which too few were tested to say anything, and those that
    tested nothing.
    """

    def key(check: CheckRecord) -> tuple[Any, ...]:
        if not _is_tested(check):
            return (True,)
        rate = _at_random(check, record)
        calm, steps = not check.failing, _perturbation(check, manager).takes_steps
        return (False, _is_wide(rate), calm, steps, -rate.ends[0], -(check.rate or 0.0), check.name)

    return sorted(record.checks, key=key)


def _is_tested(check: CheckRecord) -> bool:
    return bool(check.tested) and check.outcome is not Outcome.ERROR


def _too_few(checks: Sequence[CheckRecord], record: Record) -> Iterator[str]:
    """List the checks that no text fails, and that changed too few texts to say more, with the way out."""
    if not checks:
        return
    tried = ", ".join(f"{check.name!r} ({check.tested})" for check in checks)
    gold = [each.label for each in record.examples if each.label is not None and is_spans(each.label)]
    if gold:
        found = sum(each != written_spans(()) for each in gold)
        why = f"{found} of {len(gold)} tested texts have a gold span; give more with --examples or in the data"
    else:
        why = "give more with --examples, or texts that they change"
    yield f"Too few texts to say anything, none of which fails: {tried}; {why}."


def _is_wide(rate: Rate) -> bool:
    low, high = rate.ends
    return high - low > _WIDE


def _why_not(check: CheckRecord, record: Record) -> str:
    """Why a check tested nothing; empty where what broke the run did, which is told before."""
    why = check.message.removeprefix("tested nothing: ")
    return "" if record.message and record.message in why else why


def _weak(record: Record) -> Iterator[str]:
    """Say that the answers do not go with the gold labels, as a run judges it, with the likely causes and ways out."""
    known = record.model.association
    if not known.asked or known.verdict == "positive" or known.missing:
        return
    against = known.verdict == "negative"
    begin = "The answers go against" if against else "It is not shown that the answers have anything to do with"
    majority = record.model.majority
    most = "" if majority is None else f"; always giving the commonest label is right on {percent(majority, None)}"
    yield (
        f"{begin} the gold labels (Matthews' coefficient {known} of {record.data.labelled:,} texts{most}). Likely "
        "causes: labels with the wrong names or in the wrong order, or data that the model is not meant for. "
        "'robustfim doctor' with the same --model and --data compares the labels; --allow-weak, in Python "
        "allow_weak=True, accepts such a model."
    )


def _head(record: Record) -> Iterator[str]:
    if record.message:
        yield f"Not everything was looked at: {record.message}"
    if record.model.accuracy is not None:
        share = percent(record.model.accuracy, record.model.accuracy_interval)
        text = f"{record.data.labelled:,} texts as they are{record.model.labelled_text}"
        yield f"The model is right on {share} of {text}."


def _sentence(check: CheckRecord, record: Record, manager: PluginManager) -> str:
    """Say how many texts fail a check, and which text is the worst."""
    expect = check.expectation.get("use")
    does = f"fail {expect!r}"
    if expect == "invariant":
        does = "change their label" if record.model.labels else "change their answer"
        does = "lose spans" if any(is_spans(each.before.label) for each in record.failures) else does
    counts = " and ".join(
        f"{failing:,} of {tested:,} {who}, {percent(rate.rate, rate.interval)},"
        for who, failing, tested, rate in _counts(check, record)
    )
    few = "Too few to say: " if _is_wide(_at_random(check, record)) else ""
    sentence = f"{few}{counts} {does} under {check.name!r}{_meaning(check, manager)}"
    if not check.failing:
        return f"{sentence}."
    worst = next(iter(failures_by_check(record)[check.id]), None)
    return f"{sentence}; worst: {_shown(worst, record)}" if worst is not None else f"{sentence}."


def _counts(check: CheckRecord, record: Record) -> Iterator[tuple[str, int, int, Rate]]:
    arms = {name: (arm.failing, arm.tested) for name, arm in check.arms.items() if arm.tested}
    arms = {} if arms and _is_whole(record) else arms
    for name, (failing, tested) in sorted(arms.items()) or [("all", (check.failing, check.tested))]:
        who = _ARMS.get(name, f"texts of the arm {name}")
        rest = " from the others" if name == "control" and len(arms) > 1 else ""
        yield f"{who}{rest}", failing, tested, Rate(failing, tested)


def _at_random(check: CheckRecord, record: Record) -> Rate:
    """The rate that ranks a check: of texts drawn at random, where there are such and the arms leave texts out."""
    arm = check.arms.get("control")
    drawn = arm is not None and arm.tested and not _is_whole(record)
    failing, tested = (arm.failing, arm.tested) if arm is not None and drawn else (check.failing, check.tested)
    return Rate(failing, tested)


def _is_whole(record: Record) -> bool:
    """Whether the arms are all of the data, but for a pilot: the control arm is then the easier rest."""
    selection = record.selection
    pilot = 0 if selection.pilot is None else len(selection.pilot.examples)
    return selection.difficult + selection.control + pilot >= record.data.examples


def _perturbation(check: CheckRecord, manager: PluginManager) -> PerturbationPart:
    """The class of a check's perturbation; one that promises nothing of its own for an object of a script."""
    try:
        return PerturbationPart(manager.get("perturbations", str(check.perturbation.get("use"))).cls)
    except UsageError:
        return PerturbationPart(object)


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
    spans = is_spans(failure.before.label) and failure.reason
    return f"“{diff}”{step} ({spans or f'{failure.before.label} → {failure.after.label}'})."
