"""Checks that the limits and slices of a suite fit its selection of examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robustfim.errors import shown
from robustfim.suite.error_list import Gathering
from robustfim.suite.file import SuiteFile

if TYPE_CHECKING:
    from robustfim.suite.format import Suite

__all__ = ["LEAST_EXAMPLES", "look_at_arms"]

LEAST_EXAMPLES = 60
"""The fewest examples drawn from strata; with fewer, some strata would have only one."""


def look_at_arms(suite: Suite, file: SuiteFile, mistakes: Gathering) -> None:
    """Find limits on an arm that is empty or does not exist, and missing limits or slices; add them to the mistakes."""
    chosen, control = ({}, 0) if suite.select is None else (suite.select.chosen, suite.select.control)
    strata = suite.select is not None and suite.select.examples is not None
    empty = {"difficult", "control", "easiest"} - {*chosen, *["control"] * bool(control)}
    alone = f"of which 'select' tests the {' and '.join(chosen)} examples alone"
    for name, check in suite.checks.items():
        at = ("checks", name, "limit")
        for key in ("xfail", "budget") if check.limit is None else ():
            if getattr(check, key) is not None:
                message = f"check {shown(name)} has no 'limit', so {key!r} says nothing: give it one, as 'limit: 0.1'."
                mistakes.add(file.error(message, ("checks", name, key)))
        for arm in empty.intersection(check.limits if isinstance(check.limits, dict) else ()):
            message = f"check {shown(name)} has a limit for the arm {arm!r}, which 'select' leaves empty."
            mistakes.add(file.error(message, (*at, arm)))
        # A limit of 0 or 1 speaks of the tested texts alone.
        of_all = check.limit_of_errors or (isinstance(check.limits, float) and 0 < check.limits < 1)
        if not (chosen or strata) or not of_all:
            continue
        if not (control or strata):
            of_each = ", ".join(f"{arm}: {check.limits}" for arm in chosen)
            cure = "Give" if check.limit_of_errors else f"Say 'limit: {{{of_each}}}' for these, or give"
            message = f"check {shown(name)} has a limit for all the data, {alone}. {cure} 'select' a control arm."
            mistakes.add(file.error(message, at))
        elif strata and (check.budget or suite.budget or LEAST_EXAMPLES) < LEAST_EXAMPLES:
            message = f"check {shown(name)}: a budget over strata is {LEAST_EXAMPLES} examples at least."
            mistakes.add(file.error(message, ("checks", name, "budget") if check.budget else ("budget",)))
    for place, (name, spec) in enumerate(suite.slices.items()):
        for other in set(spec.within or ()).difference(list(suite.slices)[:place]):
            message = f"slice {shown(name)} is within {shown(other)}, and no slice above it is called so."
            mistakes.add(file.error(message, ("slices", name, "within")))
    budget = suite.budget or next((check.budget for check in suite.checks.values() if check.budget), None)
    for name, limit in suite.slice_limits.items():
        if budget is not None:
            message = "a budget stops where the limits of the checks are decided, and a slice's is not among them."
            mistakes.add(file.error(message, ("slices", name, "limit")))
        elif chosen and not control and 0 < limit < 1:
            message = f"slice {shown(name)} has a limit for the data, {alone}: give 'select' a control arm."
            mistakes.add(file.error(message, ("slices", name, "limit")))
