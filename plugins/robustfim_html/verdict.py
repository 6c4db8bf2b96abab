"""What the run found, in twelve words, and what to do next."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from robustfim.judge import above_limits, error_text, rate_of, reaches, whole_limit_text
from robustfim.outcome import BY_URGENCY, Outcome
from robustfim.record import CheckRecord, Record
from robustfim.statistics import percent
from robustfim_drawing import count
from robustfim_html.visible import plain

__all__ = ["Answer", "answer", "outcomes", "overall", "unseen"]

_BAD = {Outcome.FAILED: "failed", Outcome.ERROR: "broke", Outcome.XPASSED: "passed unexpectedly"}
_QUIET = (Outcome.INCONCLUSIVE, Outcome.PASSED)


def outcomes(record: Record) -> dict[Outcome, int]:
    """Count the checks by outcome, those to look at first; outcomes that no check has are left out."""
    counted = Counter(check.outcome for check in record.checks)
    return {outcome: counted[outcome] for outcome in BY_URGENCY if counted[outcome]}


def unseen(record: Record) -> int:
    """Count the checks that passed on a change that the model does not see."""
    return sum(check.unseen for check in record.checks if check.outcome is Outcome.PASSED)


def overall(record: Record) -> Outcome | None:
    """Return the outcome that sums up the run: the worst, but for skipped and expected ones beside passed ones.

    Returns:
        None without checks, and for a scan, whose checks passed no limit that anybody set.
    """
    if _scanned(record):
        return None
    counted = outcomes(record)
    for outcome in (Outcome.FAILED, Outcome.ERROR, Outcome.XPASSED, Outcome.INCONCLUSIVE, Outcome.PASSED):
        if outcome in counted:
            return outcome
    return next(iter(counted), None)


@dataclass(frozen=True)
class Answer:
    """What a run found, for who reads no more than this.

    Attributes:
        icon: The outcome that it comes to, or "" where there is no verdict.
        verdict: At most twelve words.
        evidence: What it stands on: one line of a check with its count, interval and limit, or of each baseline.
        link: The fragment of the page that shows more of what is to be done; empty where none does.
        step: What to do next.
        command: What to type for it; empty where nothing is.
    """

    icon: str
    verdict: str
    evidence: tuple[str, ...]
    link: str
    step: str
    command: str


def answer(record: Record) -> Answer:
    """Say what a run found, what that stands on, and what to do next."""
    worst = overall(record)
    icon = worst.value if worst is not None else ""
    check = _telling(record)
    evidence: tuple[str, ...] = (_evidence(check),) if check is not None else ()
    link, step, command = _next(record, check)
    if record.comparisons:
        first = min(record.comparisons, key=lambda each: (not each.failed, each.proven))
        icon = "failed" if first.failed else "passed" if first.proven else "inconclusive"
        evidence = tuple(
            f"{each.name + ': ' if len(record.comparisons) > 1 else ''}{_sentence(each.answer)}"
            for each in record.comparisons
        )
        number, above = above_limits(record)
        said = "; ".join([first.headline or first.answer, *[f"{number} {above}"] * bool(number)])
        return Answer(icon, _sentence(said), evidence, link, step, command)
    return Answer(icon, _sentence(_verdict(record)), evidence, link, step, command)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def _verdict(record: Record) -> str:
    """Say how the checks ended, in few words."""
    counted, number = outcomes(record), len(record.checks)
    found = record.reach or reaches(record)
    if _scanned(record):
        broken, tested = sum(each.rate.count for each in found), sum(each.rate.tested for each in found)
        return f"changed texts break {count(broken)} of {count(tested)} answers" if tested else "no text was tested"
    if not number:
        return "no check ran"
    all_of = f"{count(number)} check{'s' * (number > 1)}"
    passed, free = counted.get(Outcome.PASSED, 0), counted.get(Outcome.MEASURED, 0)
    bad = [outcome for outcome in _BAD if outcome in counted]
    if bad:
        head, shown = f"{count(counted[bad[0]])} of {all_of} {_BAD[bad[0]]}", {bad[0], Outcome.PASSED}
    elif Outcome.INCONCLUSIVE in counted:
        head, shown = f"{count(counted[Outcome.INCONCLUSIVE])} of {all_of} inconclusive, none failed", {*_QUIET}
    elif _against_labels(record):
        return "the answers are not shown to go with the gold labels"
    elif free and free + counted.get(Outcome.SKIPPED, 0) == number:
        return f"nothing is gated: {count(free)} of {all_of} measured"
    elif passed == number:
        blind = unseen(record)
        head = f"all {all_of} passed" if number > 1 else "the check passed"
        return f"{head}, {count(blind)} on changes that the model does not see" if blind else head
    else:
        head, shown = f"{count(passed)} of {all_of} passed", {Outcome.PASSED}
    return ", ".join([head, *(f"{count(n)} {outcome}" for outcome, n in counted.items() if outcome not in shown)][:3])


def _against_labels(record: Record) -> bool:
    known = record.model.association
    return known.asked and known.verdict != "positive"


def _limits(check: CheckRecord) -> Iterator[tuple[str, str, float]]:
    """The rates of a check in words, each with its limit, and how far it surely lies above it."""
    for name, arm in check.limited.items():
        if arm.limit is not None and arm.rate is not None and arm.interval is not None:
            told = _fail(check, arm.failing, arm.tested, f" {name}", rate_of(check, arm.rate, arm.interval))
            error = check.errors.get(name)
            yield told if error is None else error_text(name, error), percent(arm.limit), arm.interval[0] - arm.limit
    if check.rate is None or check.interval is None or isinstance(check.limit, dict):
        return
    if check.groups:
        more = " more often than ".join(check.groups)
        told = f"{more}: {rate_of(check, check.rate, check.interval)} on {count(check.tested)} examples"
    elif (held := check.held) is not None:
        told = f"{count(check.failing)} of {count(check.tested)} examples fail; of the {held.of} "
        told += percent(held.rate, held.interval)
    else:
        told = _fail(check, check.failing, check.tested, "", percent(check.rate, check.interval))
    low = (check.interval if check.held is None else check.held.interval)[0]
    yield told, whole_limit_text(check), -1.0 if check.limit is None else low - check.limit


def _fail(check: CheckRecord, failing: int, tested: int, arm: str, rate: str) -> str:
    """Say how many examples fail, or by how much on average."""
    counted = f"{count(failing)} of {count(tested)}{arm} examples"
    if check.numbers is not None:
        return f"on average {rate} of an example's candidates fail, in {counted} at least one"
    return f"{counted} fail, {rate}"


def _telling(record: Record) -> CheckRecord | None:
    """Choose the check on which the verdict stands: the worst outcome's, the furthest above its limit.

    A look at a model speaks of texts: steps in embedding space come last.
    """
    steps = {each.check for each in record.failures if each.step is not None} if _scanned(record) else set()

    def place(check: CheckRecord) -> tuple[bool, int, float, float]:
        over = max((each[-1] for each in _limits(check)), default=-1.0)
        return check.id in steps, BY_URGENCY.index(check.outcome), -over, -(check.rate or 0.0)

    return min(record.checks, key=place, default=None)


def _evidence(check: CheckRecord) -> str:
    """Tell a check's count, interval and limit."""
    rows = list(_limits(check))
    if check.outcome in (Outcome.ERROR, Outcome.SKIPPED) or not rows:
        return f"{check.name}: {check.message or check.outcome}"
    told, limit, _ = max(rows, key=lambda row: row[-1])
    return f"{check.name}: {told}; {f'limit {limit}' if limit else 'no limit'}."


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
            f"Read what fails in {check.name}; say which texts are fair",
            f"robustfim review {file}" if file else "",
        )
    if check.outcome is Outcome.INCONCLUSIVE:
        more = check.needed_rows or check.needed
        told = f"About {count(more)} more examples decide {check.name} in 80 % of cases" if more else (
            f"No number of examples decides {check.name} at this rate: move its limit, or mend the model"
        )  # fmt: skip
        return "#checks", told, f"robustfim plan {shlex.quote(record.path)}" if record.path else ""
    if check.outcome is Outcome.PASSED:
        return "#checks", "Hold the next model against this run", f"robustfim accept {file}" if file else ""
    return "#checks", "Give a check a limit that it must not exceed: limit: 0.1", ""


def _scanned(record: Record) -> bool:
    """Whether it is a look at a model, told by the section that opens its page."""
    return any(each.name == "digest" for each in record.sections)
