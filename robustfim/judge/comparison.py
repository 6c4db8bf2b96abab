"""Comparison of two run records: what a new model broke, what it fixed, and what that proves.

One test of the whole suite comes first, at full level: the examples that fail any check, before and now. Under it
stands a test of each check. A loss is found by the first beyond chance, or by one of the others after Holm's
correction; that there is none above the margin has to be proved in all of them, each at full level, so that a loss
in any one check is let through in at most 2.5 % of cases (an intersection–union test, Berger 1982).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal

from robustfim.errors import UsageError
from robustfim.judge.answer import answered
from robustfim.judge.baseline import require_margin
from robustfim.judge.verdicts import fails_alone
from robustfim.outcome import Outcome
from robustfim.record import CheckComparison, CheckRecord, Comparison, PairedRecord, Record
from robustfim.statistics import holm_p_values
from robustfim.statistics.clusters import clustered_pairs
from robustfim.statistics.paired import Paired

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FailOn", "compare"]

FailOn = Literal["regression", "new", "any", "unproven"]
Verdict = Literal["no worse", "worse", "undecided"]


def compare(
    before: Record,
    after: Record,
    *,
    fail_on: FailOn = "regression",
    margin: float | None = None,
    strict: bool | None = None,
    name: str = "",
) -> Comparison:
    """Compare two runs of one suite, on the checks and examples that both tested.

    Args:
        before: The baseline.
        after: The new run.
        fail_on: What fails the gate. ``regression``: the run as a whole or a check is worse, an undecided one lost
            more than the margin, a check passed before and fails now, or is an error; ``new``: besides, an example
            is newly broken; ``any``: besides, a check fails its own limit; ``unproven``: besides, it is not proved
            that the run is no worse.
        margin: The tolerated loss, in [0, 1]; that of the new run where it is not given.
        strict: Whether an undecided test fails the gate whatever its estimate, and a check that is inconclusive
            against its own limit; as the new run has it where it is not given.
        name: What the baseline is called.

    Returns:
        The comparison of the matched part, with the rest listed.

    Raises:
        UsageError: The records are of different suites, or have no check in common; or a proof is demanded and
            there is no margin.
    """
    if before.suite != after.suite:
        raise UsageError(f"the baseline is of suite {before.suite!r}, this run of {after.suite!r}: nothing to compare.")
    margin = after.margin if margin is None else margin
    if fail_on == "unproven":
        require_margin(margin)
    gate = _Gate(fail_on, after.strict if strict is None else strict, margin)
    old = {check.name: check for check in before.checks}
    new = {check.name: check for check in after.checks}
    common = [name for name in new if name in old]
    if not common:
        raise UsageError(f"the two records of suite {after.suite!r} have no check in common.")
    broken_before, broken_after = _broken(before), _broken(after)
    clusters = {each.id: each.cluster for each in after.examples if each.cluster is not None}
    matches = [_match(old[each], new[each], broken_before, broken_after, clusters) for each in common]
    paired = [each.paired for each in matches]
    p_values = holm_p_values([each.p_value for each in paired])
    lost = sum(not each.is_worse(p_value) for each, p_value in zip(paired, p_values, strict=True))
    checks = [
        _check(old[name], new[name], match, p_value, max(1, lost), gate)
        for name, match, p_value in zip(common, matches, p_values, strict=True)
    ]
    whole = _whole(matches)
    comparison = Comparison(
        name=name,
        baseline=f"{before.model.use}, {before.started[:10]}",
        fail_on=fail_on,
        whole=PairedRecord.model_validate(_judged(whole, whole.paired.p_value, 1, gate.margin, gate)),
        checks=checks,
        only_before=[check.id for name, check in old.items() if name not in new],
        only_after=[check.id for name, check in new.items() if name not in old],
        notes=_notes(before, after, [(old[each], new[each]) for each in common]),
    )
    return _decided(comparison, after, gate)


@dataclass(frozen=True)
class _Gate:
    """What fails a comparison."""

    on: FailOn
    strict: bool
    margin: float | None

    def fails(self, found: PairedRecord) -> bool:
        """Tell whether one test does."""
        if found.verdict == "worse" or (self.on in ("new", "any") and found.newly_broken):
            return True
        if found.verdict == "no worse" or found.margin is None:
            return False
        above = found.difference is not None and found.difference > found.margin
        return above or self.strict or self.on == "unproven"

    def fails_beside(self, check: CheckRecord) -> bool:
        """Tell whether what a check is on its own, against its limit, fails the run."""
        return (self.strict and check.outcome is Outcome.INCONCLUSIVE) or (self.on == "any" and fails_alone(check))


@dataclass(frozen=True)
class _Match:
    """Matched examples, before any test."""

    matched: Sequence[str]
    was: set[str]
    now: set[str]
    clusters: Mapping[str, str]

    @cached_property
    def counted(self) -> tuple[Paired, float | None]:
        """Their counts as independent examples, and how many of these they are worth; None where all are."""
        return clustered_pairs(self.now, self.was, self.matched, self.clusters)

    @property
    def paired(self) -> Paired:
        """Their counts as independent examples."""
        return self.counted[0]


def _match(
    old: CheckRecord,
    new: CheckRecord,
    before: set[tuple[str, str]],
    after: set[tuple[str, str]],
    clusters: Mapping[str, str],
) -> _Match:
    tested = set(old.examples)
    matched = [each for each in new.examples if each in tested]
    was = {each for each in matched if (old.id, each) in before}
    return _Match(matched, was, {each for each in matched if (new.id, each) in after}, clusters)


def _whole(checks: Sequence[_Match]) -> _Match:
    """The examples that fail any check, each in the checks that tested it both before and now."""
    matched = dict.fromkeys(each for check in checks for each in check.matched)
    was: set[str] = set().union(*(check.was for check in checks))
    now: set[str] = set().union(*(check.now for check in checks))
    return _Match(list(matched), was, now, checks[0].clusters)


def _judged(match: _Match, p_value: float, others: int, margin: float | None, gate: _Gate) -> dict[str, Any]:
    """Say what the matched examples prove; ``others`` are the tests of which a loss would have to win this one."""
    paired = match.paired
    no_worse = paired.is_no_worse(0.0 if margin is None else margin)
    verdict: Verdict = "no worse" if no_worse else "worse" if paired.is_worse(p_value) else "undecided"
    found = PairedRecord(
        matched=len(match.matched),
        newly_broken=[each for each in match.matched if each in match.now - match.was],
        newly_fixed=[each for each in match.matched if each in match.was - match.now],
        still_broken=[each for each in match.matched if each in match.was & match.now],
        difference=paired.difference,
        interval=paired.interval,
        p_value=p_value,
        margin=margin,
        verdict=verdict,
        needed=_needed(match, margin, others) if verdict == "undecided" and margin is not None else None,
        effective=match.counted[1],
        detectable=paired.detectable(),
    )
    return {**found.model_dump(), "fails": gate.fails(found)}


def _needed(match: _Match, margin: float, others: int) -> int | None:
    """The matched examples that an undecided test lacks, clusters of the size there is counted in."""
    paired = match.paired
    more = paired.more_to_decide(margin, others)
    return None if more is None else math.ceil(more * len(match.matched) / paired.matched)


def _check(
    old: CheckRecord, new: CheckRecord, match: _Match, p_value: float, others: int, gate: _Gate
) -> CheckComparison:
    found = _judged(match, p_value, others, gate.margin if new.margin is None else new.margin, gate)
    fell = old.outcome is Outcome.PASSED and new.outcome in (Outcome.FAILED, Outcome.ERROR)
    found["fails"] = found["fails"] or fell or gate.fails_beside(new) or new.outcome is Outcome.ERROR
    return CheckComparison(
        **found,
        id=new.id,
        before=old.outcome,
        after=new.outcome,
        only_before=len(old.examples) - len(match.matched),
        only_after=len(new.examples) - len(match.matched),
        regressed=found["verdict"] == "worse" or fell,
    )


def _decided(comparison: Comparison, after: Record, gate: _Gate) -> Comparison:
    """Say whether the run may replace the baseline, and why not."""
    outside = [check for check in after.checks if check.id in comparison.only_after]
    errors = [check for check in after.checks if check.outcome is Outcome.ERROR]
    failing = [each for each in outside if gate.fails_beside(each)]
    tests: list[PairedRecord] = [comparison.whole, *comparison.checks]
    proven = (
        all(each.verdict == "no worse" for each in tests)
        and not comparison.only_before
        and not errors
        and not after.interrupted
        and not after.message
    )
    failed = bool(errors or failing) or any(each.fails for each in tests) or (gate.on == "unproven" and not proven)
    comparison = comparison.model_copy(update={"failed": failed, "proven": proven and not failed})
    return answered(comparison, after, strict=gate.strict)


def _broken(record: Record) -> set[tuple[str, str]]:
    return {(failure.check, failure.example) for failure in record.failures}


def _notes(before: Record, after: Record, pairs: Sequence[tuple[CheckRecord, CheckRecord]]) -> list[str]:
    notes = []
    if before.lock != after.lock:
        notes.append("the lock files differ: the two runs tested different texts.")
    if before.seed != after.seed and after.lock is None:
        notes.append(f"the seeds differ ({before.seed} and {after.seed}), and with them the candidates.")
    notes += _data_notes(before, after)
    for old, new in pairs:
        if (old.perturbation, old.constraints, old.expectation) != (new.perturbation, new.constraints, new.expectation):
            notes.append(f"{new.id} has other settings than in the baseline.")
    return notes + _other_resources(pairs)


def _other_resources(pairs: Sequence[tuple[CheckRecord, CheckRecord]]) -> list[str]:
    """Tell which checks made their texts with something else, those of one difference together."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for old, new in pairs:
        for name in dict.fromkeys([*old.resources, *new.resources]):
            there, here = (each.resources.get(name, "not named") for each in (old, new))
            if there != here:
                found.setdefault((name, there, here), []).append(new.name)
    return [
        f"other tests in {', '.join(checks)}: {name} {there} there, {here} here."
        for (name, there, here), checks in found.items()
    ]


def _data_notes(before: Record, after: Record) -> list[str]:
    """Say whether the two runs had the same usable examples."""
    import numpy as np

    try:
        own, others = _ids(before), _ids(after)
    except UsageError as error:
        return [f"whether the data are the same is not known: {error}"]
    shared = int(np.intersect1d(own, others, assume_unique=True).size)
    if shared == len(own) == len(others):
        return []
    return [
        f"the data differ: {shared} examples are in both, {len(own) - shared} only in the baseline, "
        f"{len(others) - shared} only in this run."
    ]


def _ids(record: Record) -> NDArray[np.uint64]:
    """Hash the ids of all usable examples, 8 bytes each: there may be more of them than memory holds as texts."""
    import numpy as np

    found = bytearray()
    for block in record.table.blocks(["id"]):
        for each in block["id"]:
            found += blake2b(each.encode(), digest_size=8).digest()
    return np.unique(np.frombuffer(found, dtype=np.uint64))
