"""Checks that the arms and slices that a suite names exist."""

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
    """Find limits on groups of examples (arms) that are empty or missing, and missing slices; note them as mistakes."""
    select = suite.select
    filled = () if select is None else (*select.chosen, *["control"] * bool(select.control))
    empty = {"difficult", "control", "easiest"}.difference(filled)
    for name, check in suite.checks.items():
        for arm in empty.intersection(check.limits if isinstance(check.limits, dict) else ()):
            message = f"check {shown(name)} has a limit for the arm {arm!r}, which 'select' leaves empty."
            mistakes.add(file.error(message, ("checks", name, "limit", arm)))
    for place, (name, spec) in enumerate(suite.slices.items()):
        for other in set(spec.within or ()).difference(list(suite.slices)[:place]):
            message = f"slice {shown(name)} is within {shown(other)}, and no slice above it is called so."
            mistakes.add(file.error(message, ("slices", name, "within")))
