"""The result of a run in at most twelve words, and the next thing to do."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

from robustfim.judge import above_limits, failures_by_check, rate_of, reaches
from robustfim.outcome import BY_URGENCY, Outcome
from robustfim.record import CheckRecord, DataRecord, ModelRecord, RecallRecord, Record
from robustfim.statistics import Rate, percent
from robustfim_drawing import count, headline, rate_bar
from robustfim_html.diff import named_edits
from robustfim_html.visible import plain

__all__ = ["Answer", "Row", "answer", "outcomes", "overall", "quiet", "recalls", "rows", "subject"]

_LOOKED_AT = (Outcome.FAILED, Outcome.ERROR, Outcome.XPASSED, Outcome.INCONCLUSIVE)
_FAR = 10
"""The most further examples that are still advice, as a multiple of the tested ones."""
_EDIT = 36
"""Characters of the edit in a row."""
_LABELS = 6
"""Labels whose recall the first screen shows."""


def outcomes(record: Record) -> dict[Outcome, int]:
    """Count the checks by outcome, the most urgent outcome first; outcomes without a check are left out."""
    counted = Counter(check.outcome for check in record.checks)
    return {outcome: counted[outcome] for outcome in BY_URGENCY if counted[outcome]}


def overall(record: Record) -> Outcome | None:
    """Return the overall outcome of a run: the worst outcome of its checks.

    Skipped checks and expected failures count only if every check is one of them.

    Returns:
        None without checks, and for a scan, whose checks have no limits set by a person.
    """
    if _scanned(record):
        return None
    counted = outcomes(record)
    return next((outcome for outcome in (*_LOOKED_AT, Outcome.PASSED, *counted) if outcome in counted), None)


@dataclass(frozen=True)
class Answer:
    """The result of a run in words, for readers who read nothing else.

    Attributes:
        icon: The overall outcome; "" without a verdict.
        verdict: The result in at most twelve words.
        evidence: Sentences on the comparison with each baseline.
        link: The id of the page's section with more about the next thing to do; empty for none.
        step: The next thing to do.
        command: The command for it; empty for none.
    """

    icon: str
    verdict: str
    evidence: tuple[str, ...]
    link: str
    step: str
    command: str


def answer(record: Record) -> Answer:
    """Return the result of a run, the evidence for it, and the next thing to do."""
    worst = overall(record)
    icon = worst.value if worst is not None else ""
    following = _next(record, _telling(record))
    if not record.comparisons:
        return Answer(icon, _sentence(_verdict(record)), (), *following)
    first = min(record.comparisons, key=lambda comparison: (not comparison.failed, comparison.proven))
    icon = "failed" if first.failed else "passed" if first.proven else "inconclusive"
    number, above = above_limits(record)
    evidence = []
    for comparison in record.comparisons:  # without what the verdict says
        parts = comparison.answer.split("; ")
        kept = (part for part in parts if part != comparison.headline and not part.endswith(above or ";"))
        name = f"{comparison.name}: " if len(record.comparisons) > 1 else ""
        evidence.append(name + _sentence("; ".join(kept)))
    said = "; ".join([first.headline or first.answer, *[f"{number} {above}"] * bool(number)])
    return Answer(icon, _sentence(said), tuple(evidence), *following)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def _verdict(record: Record) -> str:
    """Say how the checks ended, in few words."""
    counted, number = outcomes(record), len(record.checks)
    found = record.reach or reaches(record)
    if _scanned(record):
        broken, tested = sum(each.rate.count for each in found), sum(each.rate.tested for each in found)
        return f"changed texts break {count(broken)} of {count(tested)} answers" if tested else "no text was tested"
    free = counted.get(Outcome.MEASURED, 0)
    if not any(outcome in _LOOKED_AT for outcome in counted):
        known = record.model.association
        if number and known.asked and known.verdict != "positive":
            return "the answers are not shown to go with the gold labels"
        if free and free + counted.get(Outcome.SKIPPED, 0) == number:
            return f"nothing is gated: {headline(record)}"
    return headline(record, 3)


def _held(check: CheckRecord) -> tuple[str, Rate, float | None]:
    """The part, rate and limit on which the verdict of a check stands: of its worst claim; without a claim, its own."""
    if claims := check.limit_claims:
        return claims[0].where, claims[0].estimate, claims[0].limit
    return "", check.estimate, None


@dataclass(frozen=True)
class Row:
    """A check's row in the table on the report's first screen.

    Attributes:
        outcome: The outcome of the check.
        id: The id of the check.
        name: The name of the check, with the group of examples, slice or kind of error that decides the outcome, if
            any.
        rate: The failure rate that decides the outcome, in words; empty for none.
        interval: The interval of this rate, in words.
        limit: The limit of this rate, in words.
        bar: Rate, interval and limit as a bar.
        edit: The edit to read first; for an error its message.
        pairs: The number of failing pairs.
    """

    outcome: Outcome
    id: str
    name: str
    rate: str
    interval: str
    limit: str
    bar: Markup
    edit: str
    pairs: int


def rows(record: Record, top: float) -> list[Row]:
    """List the checks that need attention: failed, inconclusive and erroneous checks, and unexpected passes.

    If there are none, list the checks without a limit that have failing texts.

    Args:
        record: The run.
        top: The rate that a bar of full width stands for, in (0, 1].
    """
    pairs = Counter(failure.check for failure in record.failures)
    shown = [check for check in record.checks if check.outcome in _LOOKED_AT] or [
        check for check in record.checks if check.outcome is Outcome.MEASURED and pairs[check.id]
    ]
    first, examples = failures_by_check(record), {example.id: example.fields for example in record.examples}
    made = []
    for check in sorted(shown, key=_urgency):
        (what, rate, limit), worst = _held(check), next(iter(first.get(check.id, ())), None)
        edit = "" if worst is None else named_edits(examples.get(worst.example, {}), worst.edits[:1], _EDIT)
        made.append(
            Row(
                check.outcome,
                check.id,
                f"{check.name}: {what}" if what else check.name,
                "" if rate.rate is None else rate_of(check, rate.rate) + _changed(check, what),
                "{:.1f}, {:.1f}".format(*(100 * end for end in rate.ends)),
                "" if limit is None else percent(limit),
                rate_bar(rate.rate, rate.interval, limit, top=top, kind=str(check.outcome), height=14),
                edit or (check.message if check.outcome is Outcome.ERROR else ""),
                pairs[check.id],
            )
        )  # fmt: skip
    return made


def recalls(record: Record) -> list[tuple[str, RecallRecord]]:
    """List a tagger's recall of each label under the check that lowers this recall most, the largest loss first.

    Returns:
        For each label the name of the check, and the recall before and after the check's edits. Labels without a
        comparable span are left out.
    """
    worst: dict[str, tuple[float, str, RecallRecord]] = {}
    for check in record.checks:
        for recall in () if check.yardstick else check.recall:
            lost = (recall.before.rate or 0.0) - (recall.after.rate or 0.0)
            if recall.after.tested and lost > worst.get(recall.label, (-1.0,))[0]:
                worst[recall.label] = lost, check.name, recall
    return [each[1:] for each in sorted(worst.values(), key=lambda each: (-each[0], each[2].label))][:_LABELS]


def _changed(check: CheckRecord, what: str) -> str:
    """The word beside a rate of changes, which errors are not."""
    return " changed" if check.counts == "changes" and what not in check.errors else ""


def quiet(record: Record, shown: Sequence[Row]) -> list[tuple[Outcome, list[str]]]:
    """Return, by outcome, the names of the checks without a row on the report's first screen."""
    own = {row.id for row in shown}
    names: dict[Outcome, list[str]] = {}
    for check in sorted(record.checks, key=lambda record_check: BY_URGENCY.index(record_check.outcome)):
        if check.id not in own:
            names.setdefault(check.outcome, []).append(check.name)
    return list(names.items())


def subject(part: ModelRecord | DataRecord) -> str:
    """Return the name by which a suite refers to a model or a data set.

    The name is the option for path, function, name or address; without such an option, the name of the model or data
    source in its plugin.
    """
    named = (part.options.get(key) for key in ("path", "call", "name", "url"))
    return next((each for each in named if isinstance(each, str) and each), part.use)


def _urgency(check: CheckRecord) -> tuple[int, float, float]:
    _, rate, limit = _held(check)
    return BY_URGENCY.index(check.outcome), 2.0 if limit is None else limit - rate.ends[0], -(check.rate or 0.0)


def _telling(record: Record) -> CheckRecord | None:
    """Choose the check on which the verdict stands: the worst outcome's, the furthest above its limit.

    A look at a model speaks of texts: steps in embedding space come last.
    """
    steps = {failure.check for failure in record.failures if failure.step is not None} if _scanned(record) else set()

    return min(record.checks, key=lambda check: (check.id in steps, *_urgency(check)), default=None)


def _next(record: Record, check: CheckRecord | None) -> tuple[str, str, str]:
    """Say what to do next: where the page shows more, in words, and what to type."""
    file = "" if record.file is None else shlex.quote(record.file.as_posix())
    if check is None or record.message or check.outcome is Outcome.ERROR:
        return ("#checks" if record.checks else "", "Mend what broke, and run the suite again.", "")
    if record.interrupted:
        return "#checks", "Run the same command again: it goes on from here.", ""
    if check.outcome in (Outcome.FAILED, Outcome.XPASSED):
        pairs = f"#check={quote(plain(check.id), safe='')}"
        return (
            pairs,
            f"Read the {count(sum(failure.check == check.id for failure in record.failures))} of {check.name}",
            f"robustfim review {file}" if file else "",
        )
    if check.outcome is Outcome.INCONCLUSIVE:
        more = check.needed_rows or check.needed
        sentence = f"These data cannot decide {check.name} at this rate: choose another limit, or fix the model"
        if more and (check.needed or 0) <= _FAR * check.tested:
            sentence = f"About {count(more)} more examples decide {check.name} in 80 % of cases"
        return "#checks", sentence, f"robustfim plan {shlex.quote(record.path)}" if record.path else ""
    if check.outcome is Outcome.PASSED:
        return "#checks", "Hold the next model against this run", f"robustfim accept {file}" if file else ""
    return "#checks", "Give a check a limit that it must not exceed: limit: 0.1", ""


def _scanned(record: Record) -> bool:
    """Whether it is a look at a model, told by the section that opens its page."""
    return any(section.name == "digest" for section in record.sections)
