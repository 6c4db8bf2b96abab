"""Run a draft: test a model on its data with the checks that may go into a suite."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from robustfim.commands import Chosen, progress_bar
from robustfim.outcome import Outcome
from robustfim.parts import PerturbationPart
from robustfim.plugin import PluginManager, PluginOptions
from robustfim.record import ArmRecord, CheckRecord, Record
from robustfim.run_options import RunOptions
from robustfim.session import open_session
from robustfim.statistics import percent
from robustfim.suite import SCRIPT, SuiteFile
from robustfim_doctor.deadline import Deadline
from robustfim_doctor.draft import Draft, DraftCheck
from robustfim_doctor.equal_model import GATED, limit_for
from robustfim_doctor.first_suite import FirstSuite, first_suite
from robustfim_power import limit_kept

__all__ = ["TESTED", "known_checks", "limits_kept", "measured", "run_draft"]

TESTED = 20
"""Tested examples below which a rate says too little for a limit."""

_HIGH = 0.75
"""A limit above this gates nothing."""

_STEP, _STEPS = 1.25, 14
"""Numbers of examples that are tried for a limit, each to the one before, and how many: up to 18 times as many."""


def known_checks(
    manager: PluginManager, users: Sequence[str], *, gradients: bool, suits: FirstSuite | None = None
) -> tuple[list[DraftCheck], list[str]]:
    """Choose the checks that suit the loaded plugins and the model.

    Args:
        manager: The plugins.
        users: Names of plugins that the user loaded; all their perturbations without required options are chosen.
        gradients: Whether the model can be differentiated.
        suits: The checks to choose from; by default the plugins' suggestions.

    Returns:
        The checks, without limits, and a sentence for each check that is left out.
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
        if offer.owner in users and name not in [check.perturb["use"] for check in checks]:
            needed = [key for key, option in offer.options.items() if option.is_required()]
            if needed:
                left_out.append(f"{name}: it needs the option {needed[0]!r}; add it with a value.")
            elif gradients or not PerturbationPart(offer.cls).takes_steps:
                checks.append(DraftCheck(name, {"use": name}, (), (offer.owner,) if offer.owner.isidentifier() else ()))
    return checks, left_out


def run_draft(
    draft: Draft, plugins: PluginOptions, options: RunOptions, deadline: Deadline, baseline: Record | None = None
) -> Record:
    """Run the checks of a draft suite as an ordinary run, and return the record.

    Args:
        draft: The suite; its limits are ignored.
        plugins: The plugins given with the command-line option ``-p``.
        options: The options of the run; its store keeps the predictions for later runs.
        deadline: Stops the run; the record has everything that was counted by then.
        baseline: An earlier run of the draft. This run tests the same examples, and is compared with it.

    Raises:
        UsageError: The model does not allow the draft's selection.
        ModelError: The model gave no usable answer.
    """
    bare = replace(draft, reports=(), checks=[replace(check, limit=None) for check in draft.checks])
    # The file's name is part of every check's id, and with it of every random choice.
    suite = SuiteFile(Path(f"{draft.name}.yaml"), bare.data(Path()))
    if any(part.use.given is not None for part in (draft.model, draft.data_source)):
        suite.overridden[()] = SCRIPT
    session = open_session(suite, plugins=plugins, options=options)
    with progress_bar(Chosen().console()) as progress:
        session.manager.register(progress, "robustfim.progress_bar")
        session.manager.register(deadline, "robustfim.deadline")
        session.baselines = {} if baseline is None else {"": baseline}
        session.configure()
        return session.run()[0]


def measured(checks: Sequence[DraftCheck], record: Record, churn: float) -> tuple[list[DraftCheck], list[str]]:
    """Set a limit for each check that fails often, so that an equally good model passes; return the checks.

    For checks without a limit, the comparison with a baseline alone decides.

    Args:
        checks: The checks without limits.
        record: The scan that measured them.
        churn: The fraction of examples that an equally good model answers differently.

    Returns:
        The checks, with the measured rates as comments, and a sentence for each check that is left out.
    """
    found = {check.name: check for check in record.checks}
    kept, left_out = [], []
    for check in checks:
        result = found.get(check.name)
        if result is None or result.outcome in (Outcome.ERROR, Outcome.SKIPPED):
            left_out.append(f"{check.name}: {'it did not run.' if result is None else result.message}")
        elif not _enough(check, result):
            numbers = " and ".join(f"{count.counted.tested} {count.name}".strip() for count in _counts(check, result))
            left_out.append(f"{check.name}: only {numbers or 0} examples have something that it changes.")
        else:
            kept.append((check, result))
    limits = sum(each.rate >= GATED for check, result in kept for each in _enough(check, result))
    return [_limited(check, result, max(1, limits), churn) for check, result in kept], left_out


def limits_kept(checks: Sequence[DraftCheck], record: Record, churn: float) -> list[float]:
    """Return, for each limit of a draft suite, the probability that an equally good model passes it.

    The arguments are those of :func:`measured`.
    """
    found, kept = {check.name: check for check in record.checks}, []
    for check in checks:
        limits = check.limit if isinstance(check.limit, Mapping) else {"": check.limit}
        for each in _enough(check, found[check.name]):
            if limit := limits.get(each.part):
                kept.append(limit_kept(each.failing, each.tested, limit, churn))
    return kept


def _limited(check: DraftCheck, result: CheckRecord, number: int, churn: float) -> DraftCheck:
    limits: dict[str, float] = {}
    why = []
    for each in _enough(check, result):
        limit = limit_for(each.failing, each.tested, number, churn)
        if each.rate >= GATED and limit <= min(2 * each.rate, _HIGH):
            limits[each.part] = max(limit, limits.get(each.part, 0.0))  # that of a kind of error is for every label
        else:
            why.append(_ungated(each, result, number, churn))
    comments = [f"measured: {'; '.join(_rates(check, result))}", *dict.fromkeys(why)]
    return replace(check, limit=(limits.get("", limits) or None) if limits else None, comments=comments)


def _ungated(counted: _Counted, result: CheckRecord, number: int, churn: float) -> str:
    """Say why a rate has no limit, and which number of examples would decide one for an equal model."""
    name = f"{counted.name}: " if counted.name else ""
    if 2 * counted.rate > _HIGH:
        return f"{name}not gated: it breaks too many answers for a limit. Against a baseline it must not get worse."
    wanted = max(GATED, math.floor(200 * counted.rate) / 100)
    numbers = (counted.tested * _STEP**step for step in range(_STEPS))
    needed = next((tried for tried in numbers if limit_for(counted.rate * tried, tried, number, churn) <= wanted), None)
    if needed is None:
        return (
            f"{name}not gated: not even {_STEP ** (_STEPS - 1):.0f} times as many examples decide 'limit: {wanted:g}'."
        )
    if needed == counted.tested:
        return f"{name}not gated, below {percent(GATED)}: these examples would decide 'limit: {wanted:g}'."
    drawn = sum(arm.drawn for arm in result.arms.values()) or result.tested
    return (
        f"{name}not gated: about {math.ceil(drawn * needed / counted.tested):,} drawn examples would decide "
        f"'limit: {wanted:g}'."
    )


@dataclass(frozen=True)
class _Counted:
    """What can hold a limit of its own: a check, an arm of two, or a kind of error."""

    part: str
    """What the limit is for; empty for all."""
    name: str
    """Likewise, with the label where several are decided for."""
    counted: ArmRecord | CheckRecord

    @property
    def tested(self) -> float:
        """Return the equivalent number of independent tested examples."""
        return self.counted.tested if self.counted.effective is None else self.counted.effective

    @property
    def failing(self) -> float:
        """Return the equivalent number of independent failing examples."""
        return self.tested * self.rate if self.counted.effective is not None else self.counted.failing

    @property
    def rate(self) -> float:
        """Return the fraction of tested examples that fail."""
        return self.counted.failing / max(1, self.counted.tested)


def _enough(check: DraftCheck, result: CheckRecord) -> list[_Counted]:
    """The counts that are enough for a limit: of two arms each, since their common rate is the rate of nothing."""
    return [count for count in _counts(check, result) if count.counted.tested >= TESTED]


def _counts(check: DraftCheck, result: CheckRecord) -> list[_Counted]:
    """Failing and tested examples, by kind of error where limits are for these, or by arm where there are two."""
    if check.errors:
        kinds = [(kind, name, error) for kind in check.errors for name, error in result.errors_of(kind).items()]
        return [_Counted(kind, name.replace("_", " "), each) for kind, name, each in kinds]
    arms = {name: arm for name, arm in result.arms.items() if name != "all" and arm.drawn}
    if len(arms) < 2:
        return [_Counted("", "", result)]
    return [_Counted(name, name, arm) for name, arm in arms.items()]


def _rates(check: DraftCheck, result: CheckRecord) -> Iterator[str]:
    for count in _counts(check, result):
        if count.counted.tested:
            fraction = percent(count.counted.failing / count.counted.tested, count.counted.interval)
            yield f"{count.name} {count.counted.failing} of {count.counted.tested} fail, {fraction}".strip()
