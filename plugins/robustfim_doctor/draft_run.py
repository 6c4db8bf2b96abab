"""A draft that is run: a first look at a model and its data with the checks that could stand in a suite."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from robustfim.commands import Chosen, progress_bar
from robustfim.outcome import Outcome
from robustfim.parts import PerturbationPart
from robustfim.plugin import PluginManager, PluginOptions
from robustfim.plugin.options import options_model
from robustfim.record import ArmRecord, CheckRecord, Record
from robustfim.run_options import RunOptions
from robustfim.session import open_session
from robustfim.statistics import LEVEL, POWER, Aim, examples_for, limit_power, percent, tail
from robustfim.suite import SCRIPT, SuiteFile
from robustfim_doctor.deadline import Deadline
from robustfim_doctor.draft import Draft, DraftCheck
from robustfim_doctor.first_suite import FirstSuite, first_suite

__all__ = ["TESTED", "known_checks", "measured", "run_draft", "smallest_limit", "that_decide"]

TESTED = 20
"""Tested examples below which a rate says too little for a limit."""

_HIGH = 0.75
"""A limit above this gates nothing: such a check is known to fail."""

_HALF = 0.5


def known_checks(
    manager: PluginManager, users: Sequence[str], *, gradients: bool, suits: FirstSuite | None = None
) -> tuple[list[DraftCheck], list[str]]:
    """Choose the checks that the loaded plugins and the model allow.

    Args:
        manager: The plugins.
        users: Names of plugins that the user named; every perturbation of theirs that needs no option takes part.
        gradients: Whether the model can be differentiated.
        suits: What suits; by default what the plugins say.

    Returns:
        The checks, without limits, and a sentence for each known one that is left out.
    """
    offered, constraints, orders = map(manager.offers, ("perturbations", "constraints", "orders"))
    checks, left_out = [], []
    for name, spec in (suits or first_suite(manager)).checks.items():
        perturb = spec.perturb.model_dump(exclude_unset=True, exclude={"order"})
        if spec.perturb.use not in offered:
            left_out.append(f"{name}: no loaded plugin offers it.")
        elif not gradients and PerturbationPart(offered[spec.perturb.use].cls).takes_steps:
            left_out.append(f"{name}: steps in embedding space need gradients, which this model does not offer.")
        else:
            order = spec.perturb.order.use
            guided = {"order": order} if gradients and order in orders else {}
            kept = [each.use for each in spec.constrain if each.use in constraints]
            checks.append(DraftCheck(name, {**perturb, **guided}, kept, tuple(spec.marks)))
    for name, offer in offered.items():
        if offer.owner in users and name not in [each.perturb["use"] for each in checks]:
            options = options_model(offer.cls, offer.owner).model_fields
            needed = [key for key, each in options.items() if each.is_required()]
            if needed:
                left_out.append(f"{name}: it needs the option {needed[0]!r}; add it with a value.")
            elif gradients or not PerturbationPart(offer.cls).takes_steps:
                checks.append(DraftCheck(name, {"use": name}, (), (offer.owner,) if offer.owner.isidentifier() else ()))
    return checks, left_out


def run_draft(draft: Draft, plugins: PluginOptions, options: RunOptions, deadline: Deadline) -> Record:
    """Run a draft's checks through an ordinary session.

    Args:
        draft: The suite; its limits are not looked at.
        plugins: ``-p``.
        options: The options of the run; its store keeps what was predicted for the runs to come.
        deadline: Ends the run; what is not counted by then is not in the record.

    Raises:
        UsageError: The model does not allow the draft's selection.
        ModelError: The model gave no usable answer.
    """
    bare = replace(draft, reports=(), checks=[replace(each, limit=None, xfail="") for each in draft.checks])
    # The file's name is part of every check's id, and with it of every random choice.
    suite = SuiteFile(Path(f"{draft.name}.yaml"), bare.data(Path()))
    if any(part.use.given is not None for part in (draft.model, draft.data_source)):
        suite.overridden[()] = SCRIPT
    session = open_session(suite, plugins=plugins, options=options)
    with progress_bar(Chosen().console()) as progress:
        session.manager.register(progress, "robustfim.progress_bar")
        session.manager.register(deadline, "robustfim.deadline")
        session.configure()
        return session.run()[0]


def measured(checks: Sequence[DraftCheck], record: Record) -> tuple[list[DraftCheck], list[str]]:
    """Give each check the limit that its measured rate allows.

    Returns:
        The checks with limits and what was measured as comments, and a sentence for each that is left out.
    """
    found = {each.name: each for each in record.checks}
    limitable, left_out = [], []
    for check in checks:
        result = found.get(check.name)
        if result is None or result.outcome in (Outcome.ERROR, Outcome.SKIPPED):
            left_out.append(f"{check.name}: {'it did not run.' if result is None else result.message}")
        elif not _enough(check, result):
            numbers = " and ".join(f"{each.counted.tested} {each.name}".strip() for each in _counts(check, result))
            left_out.append(f"{check.name}: only {numbers or 0} examples have something that it changes.")
        else:
            limitable.append((check, result))
    comparisons = sum(len(_enough(check, result)) for check, result in limitable)
    return [_limited(check, result, comparisons) for check, result in limitable], left_out


def _limited(check: DraftCheck, result: CheckRecord, comparisons: int) -> DraftCheck:
    limits: dict[str, float] = {}
    broken = []
    for each in _enough(check, result):
        failing, tested = each.counted.failing, each.counted.tested
        worth = 1.0 if each.counted.effective is None else each.counted.effective / tested
        limit = smallest_limit(failing * worth, tested * worth)
        if limit > _HIGH and _surely_above(failing * worth, tested * worth, comparisons):
            limit = _HALF
            broken.append(f"{failing} of {tested} examples{each.where}")
        limits[each.part] = max(limit, limits.get(each.part, 0.0))  # that of a kind of error is for every label
    comments = [f"measured: {'; '.join(_rates(check, result))}"]
    reason = ""
    if broken:
        reason = f"{' and '.join(broken)} failed when this suite was written"
        comments.append("Too many to be held by a limit: known to fail, until fewer than half do.")
    limit_or_limits: float | dict[str, float] = limits.get("", limits)
    return replace(check, limit=limit_or_limits, xfail=reason, comments=comments)


def smallest_limit(failing: float, tested: float) -> float:
    """Find the smallest whole percentage that a measured rate passes beyond doubt.

    It lies above the upper end of the rate's 95 % interval; *passed* is tested at full level, however many checks
    the suite has.

    Args:
        failing: Failing examples.
        tested: Tested examples, ≥ 1; of clusters both are what they are worth in independent examples.

    Returns:
        The limit, in [0.01, 0.99]; 0.99 also where no limit below 1 would be passed.
    """
    for hundredths in range(1, 99):
        found = tail(failing, tested, hundredths / 100)
        if found.side is Outcome.PASSED and found.p_value <= LEVEL:
            return hundredths / 100
    return 0.99


def that_decide(checks: Sequence[DraftCheck], record: Record) -> str:
    """Say how many examples of each arm decide each limit in 80 % of cases, were the measured rates the true ones.

    Args:
        checks: Those with limits.
        record: The scan that they were measured in.

    Returns:
        ``210 difficult and 380 control examples``; "" where a rate is its limit, or a million are too few.
    """
    found, most = {each.name: each for each in record.checks}, dict[str, int]()
    for check in checks:
        result = found[check.name]
        for each in _enough(check, result):
            counted, arm = each.counted, each.part if each.part in result.arms else ""
            limit = check.limit[each.part] if isinstance(check.limit, Mapping) else check.limit or 0.0
            rate = counted.failing / counted.tested
            drawn = sum(drawn.drawn for name, drawn in result.arms.items() if arm in ("", name))
            needed = None if rate == limit else examples_for(partial(limit_power, Aim(rate, limit)), POWER)
            if needed is None:
                return ""
            share = (counted.effective or counted.tested) / max(drawn, counted.tested)
            most[arm] = max(most.get(arm, 0), math.ceil(needed / share))
    return f"{' and '.join(f'{number:,} {arm}'.strip() for arm, number in most.items())} examples"


def _surely_above(failing: float, tested: float, comparisons: int) -> bool:
    found = tail(failing, tested, _HALF)
    return found.side is Outcome.FAILED and found.p_value <= LEVEL / comparisons


@dataclass(frozen=True)
class _Counted:
    """What can hold a limit of its own: a check, an arm of two, or a kind of error."""

    part: str
    """What the limit is for; empty for all."""
    name: str
    """Likewise, with the label where several are decided for."""
    counted: ArmRecord | CheckRecord
    where: str = ""
    """Which of the check's examples it counts."""


def _enough(check: DraftCheck, result: CheckRecord) -> list[_Counted]:
    """The counts that are enough for a limit: of two arms each, since their common rate is the rate of nothing."""
    return [each for each in _counts(check, result) if each.counted.tested >= TESTED]


def _counts(check: DraftCheck, result: CheckRecord) -> list[_Counted]:
    """Failing and tested examples, by kind of error where limits are for these, or by arm where there are two."""
    if check.errors:
        kinds = [(kind, name, each) for kind in check.errors for name, each in result.errors_of(kind).items()]
        return [
            _Counted(kind, name.replace("_", " "), each, f" ({name.replace('_', ' ')})") for kind, name, each in kinds
        ]
    arms = {name: arm for name, arm in result.arms.items() if name != "all" and arm.drawn}
    if len(arms) < 2:
        return [_Counted("", "", result)]
    return [_Counted(name, name, arm, f" of the {name} arm") for name, arm in arms.items()]


def _rates(check: DraftCheck, result: CheckRecord) -> Iterator[str]:
    for each in _counts(check, result):
        if each.counted.tested:
            share = percent(each.counted.failing / each.counted.tested, each.counted.interval)
            yield f"{each.name} {each.counted.failing} of {each.counted.tested} fail, {share}".strip()
