"""A digest: the results of a run, a line for each change of the text, the worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.exhibit import DIGEST, Section, Table
from robustfim.judge import failures_by_check
from robustfim.outcome import Outcome
from robustfim.parts import PerturbationPart
from robustfim.plugin import PluginManager
from robustfim.record import CheckRecord, EditRecord, Failure, Record
from robustfim.spans import is_spans, written_spans
from robustfim.statistics import Rate, percent
from robustfim.words import first_words
from robustfim_texts import LANGUAGES, language_shares

__all__ = ["digest", "edit_text", "ranked"]

_WIDE = 0.4
"""A wider 95 % interval says too little: up to 20 texts of which half fail, up to 5 of which none does."""

_COMMON, _MAIN = 0.05, 0.9
"""The fractions of texts in a language from which it is named, and from which English needs no mention."""

_EDITS = 2
"""Edits of a text that are shown; how many more there are is said."""

_LONG = 32
"""Characters of an edit that are shown."""


def digest(record: Record, manager: PluginManager, left_out: Sequence[str] = (), following: str = "") -> Section:
    """Summarise a run as a section: a sentence about the model, and a line for each kind of change (check).

    Causes (edits that explain many failures) come first. The line of a change has its name, the rate at which it breaks
    the answer, and the worst edit of a text that was right. For a tagger a second table has the recall of each label.
    Lines are ordered by :func:`ranked`; changes that applied to too few texts share one sentence.

    Args:
        record: The run.
        manager: The plugins.
        left_out: Sentences on what was not tried, and why.
        following: The command to continue with.
    """
    order = [check for check in ranked(record, manager) if not _perturbation(check, manager).contract.unchanged]
    tested = [check for check in order if _is_tested(check)]
    few = [check for check in tested if _is_wide(_at_random(check, record))]
    worst = failures_by_check(record)
    spans = _has_spans(record)
    right = {example.id for example in record.examples if example.correct is not False or spans}
    rows = []
    for check in tested:
        if check not in few and check.failing:
            shown = next((_shown(each, record) for each in worst[check.id] if each.example in right), "")
            rows.append([check.name, str(_at_random(check, record)), shown])
    calm = [f"{check.name} ({check.tested:,})" for check in tested if check not in few and not check.failing]
    untested: dict[str, list[str]] = {}
    for check in order:
        if not _is_tested(check):
            untested.setdefault(_why_not(check, record), []).append(check.name)
    missing = [f"Not tested: {', '.join(names)}{f': {why}' if why else '.'}" for why, names in untested.items()]
    table = Table(
        title="", header=["change", _verb(record), "worst edit of a text that was right"], rows=rows, texts=[2]
    )
    names = {check.id: check.name for check in record.checks}
    return Section(
        name=DIGEST,
        title="What changes the answers",
        findings=[
            *_weak(record), *(f"{cause.sentence} ({names.get(cause.check, cause.check)})." for cause in record.causes),
            *_head(record), *_languages(record),
            *([f"No answer broke under {', '.join(calm)}."] if calm else []),
            *_too_few(few, record), *missing,
            *(f"Not tested: {each}" for each in left_out), *([f"Next: {following}"] if following else []),
        ],
        tables=[*([table] if rows else []), *_recall(tested)],
    )  # fmt: skip


def ranked(record: Record, manager: PluginManager) -> list[CheckRecord]:
    """Order the checks of a run without limits, the worst first.

    Checks are ordered by the lower end of the 95 % interval of their rate. If only some groups of texts (arms) were
    tested, the rate of the texts drawn at random is used, if there are any. Steps in embedding space come after changes
    of the text. Then come checks that no text fails, checks with too few tested texts, and last checks that tested
    nothing.
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
    """List the changes that applied to too few texts to say more, with the way out."""
    if not checks:
        return
    tried = ", ".join(f"{check.name} ({check.failing} of {check.tested})" for check in checks)
    gold = [example.label for example in record.examples if example.label is not None and is_spans(example.label)]
    if gold:
        found = sum(each != written_spans(()) for each in gold)
        why = f"{found} of {len(gold)} tested texts have a gold span; give more with --examples or in the data"
    else:
        why = "give more texts that they change, or more --seconds"
    yield f"Too few texts to say anything: {tried}; {why}."


def _is_wide(rate: Rate) -> bool:
    low, high = rate.ends
    return high - low > _WIDE


def _why_not(check: CheckRecord, record: Record) -> str:
    """Why a check tested nothing; empty where what broke the run did, which is told before."""
    why = check.message.removeprefix("tested nothing: ").removeprefix(f"{check.perturbation.get('use')!r} found ")
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
    if record.model.accuracy.tested:
        share = record.model.accuracy.text
        text = f"{record.data.labelled:,} texts as they are{record.model.labelled_text}"
        yield f"The model is right on {share} of {text}."


def _languages(record: Record) -> Iterator[str]:
    """Name the languages of the tested texts, and the changes that this leaves out; nothing if all are English."""
    shares = language_shares([Example(example.fields) for example in record.examples if example.fields])
    named = [f"{LANGUAGES[code]} ({percent(share)})" for code, share in shares.items() if share >= _COMMON]
    if not shares or shares.get("en", 0.0) >= _MAIN:
        return
    english = "leave the others alone" if shares.get("en", 0.0) >= _COMMON else "are left out"
    yield f"The texts are {', '.join(named)}, as far as they show it: changes of English {english}."


def _verb(record: Record) -> str:
    """Say what is counted, broken answers, lost spans or changes where no text has a gold label; and of which texts."""
    verb = "breaks" if record.data.labelled else "changes"
    if _has_spans(record):
        verb = "loses spans"
    chosen = record.selection.difficult or record.selection.easiest
    drawn = chosen and record.selection.control and not _is_whole(record)
    return f"{verb}, at random" if drawn else verb


def _has_spans(record: Record) -> bool:
    return any(example.label is not None and is_spans(example.label) for example in record.examples)


def _recall(checks: Sequence[CheckRecord]) -> Iterator[Table]:
    """Tell of each label that a tagger ever finds its recall in the texts as they are, and under the worst change."""
    rows = []
    known = [(check.name, recall) for check in checks for recall in check.recall if recall.after.tested]
    for label in dict.fromkeys(recall.label for _, recall in known):
        own = [(name, recall) for name, recall in known if recall.label == label]
        _, most = max(own, key=lambda pair: pair[1].before.tested)
        name, worst = min(own, key=lambda pair: pair[1].after.ends[1])
        if most.before.count:
            rows.append([label, percent(most.before.rate), str(worst.after), name])
    if rows:
        yield Table(
            title="",
            header=["gold spans", "found", "after the worst change", ""],
            rows=rows,
            notes=["Shares of the gold spans of all candidates, with 95 % intervals."],
        )


def _at_random(check: CheckRecord, record: Record) -> Rate:
    """The rate that ranks a check: of texts drawn at random, where there are such and the arms leave texts out."""
    arm = check.arms.get("control")
    drawn = arm is not None and arm.tested and not _is_whole(record)
    part = arm if arm is not None and drawn else check
    return Rate(part.failing, part.tested, part.interval)


def _is_whole(record: Record) -> bool:
    """Whether the arms are all of the data, but for a pilot: the control arm is then the easier rest."""
    selection = record.selection
    pilot = 0 if selection.pilot is None else len(selection.pilot.examples)
    return selection.difficult + selection.easiest + selection.control + pilot >= record.data.examples


def _perturbation(check: CheckRecord, manager: PluginManager) -> PerturbationPart:
    """The class of a check's perturbation; one that promises nothing of its own for an object of a script."""
    try:
        return PerturbationPart(manager.get("perturbations", str(check.perturbation.get("use"))).cls)
    except UsageError:
        return PerturbationPart(object)


def _shown(failure: Failure, record: Record) -> str:
    """Show what an edit changes, with the labels before and after."""
    spans = is_spans(failure.before.label) and failure.reason
    sources = {example.id: example.fields for example in record.examples}.get(failure.example, {})
    edits = [edit_text(edit, sources.get(edit.field, "")) for edit in failure.edits[:_EDITS]]
    more = len(failure.edits) - len(edits)
    step = "" if failure.step is None else f"a step of norm {failure.step.norm:g}"
    changed = ", ".join([*filter(None, [*edits, step]), *([f"{more} more"] if more > 0 else [])])
    return f"{changed} ({spans or f'{failure.before.label} → {failure.after.label}'})"


def edit_text(edit: EditRecord, text: str) -> str:
    """Show the words that an edit changes, without unchanged words at its ends."""
    before, after = edit.before, edit.after
    if text and not (before.strip() and after.strip()) and before:  # the words around a blank that goes
        start, end = text.rfind(" ", 0, edit.start) + 1, text.find(" ", edit.end)
        end = len(text) if end < 0 else end
        before, after = text[start:end], text[start : edit.start] + after + text[edit.end : end]
    old, new = before.split(), after.split()
    while len(old) > 1 and len(new) > 1 and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while len(old) > 1 and len(new) > 1 and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    if not old or not new or old == new:
        return f"+ {_short(after)}" if not before.strip() else f"{_short(before)} → {_short(after)}"
    return f"{_short(' '.join(old))} → {_short(' '.join(new))}"


def _short(text: str) -> str:
    """The beginning of a long edit, in whole words where it has any."""
    text = " ".join(text.split()) or repr(text)
    return text if len(text) <= _LONG else f"{first_words(text, _LONG)}…"
