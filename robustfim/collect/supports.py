"""Declare which features of a check work together, for refusals and for the documentation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from robustfim.collect.check import Check
from robustfim.statistics.estimand import DIFFERENCE, MEAN, SHARE, Estimand
from robustfim.suite.config import RunConfig
from robustfim.suite.file import Location
from robustfim.suite.format import Suite, tells_errors

__all__ = ["FEATURES", "Feature", "refuse_unsupported"]

_Place: TypeAlias = Callable[[Check, Suite], Location | None]


@dataclass(frozen=True)
class Feature:
    """A feature of a check, such as ``budget``, with the other features that it does not support.

    Attributes:
        name: The feature as a suite writes it.
        at: A function that returns the feature's place in the suite; None for a check without the feature.
        lacks: Key of an unsupported feature to the reason.
        remedy: The advice in an error about the feature.
        what: A general description of the feature, if ``name`` is the name of one reducer or expectation.
    """

    name: str
    at: _Place
    lacks: Mapping[str, str] = field(default_factory=dict)
    remedy: str = "Leave one of them out."
    what: str = ""


def refuse_unsupported(check: Check, config: RunConfig) -> Check:
    """Refuse a check with two features that do not work together.

    Returns:
        The check.

    Raises:
        SuiteError: Two features do not work together; the message names both, the reason and a line.
    """
    held = {key: place for key, each in FEATURES.items() if (place := each.at(check, config.suite)) is not None}
    for feature, other in [(FEATURES[key], other) for key in held for other in FEATURES[key].lacks if other in held]:
        first, second = (
            each.name.format(fails=check.spec.fails.use, expect=check.spec.expect.use)
            for each in (feature, FEATURES[other])
        )
        message = f"{first} does not support {second}: {feature.lacks[other]}. {FEATURES[other].remedy}"
        raise config.file.error(message, held[other])
    return check


def _key(name: str, holds: Callable[[Check, Suite], object]) -> _Place:
    """Return the place of a key of the check, if a condition holds."""
    return lambda check, suite: ("checks", check.name, *name.split(".")) if holds(check, suite) else None


def _reducer(estimand: Estimand) -> _Place:
    return _key("fails", lambda check, _: replace(check, repeat=0).estimand is estimand)


def _budget(check: Check, suite: Suite) -> Location | None:
    """The budget; that of the suite is for all checks that support one, and must not be ignored with ``repeat``."""
    if check.spec.budget is not None:
        return "checks", check.name, "budget"
    return ("budget",) if suite.budget and check.repeat and check.spec.limit is not None else None


def _of_file(check: Check, suite: Suite) -> Location | None:
    if check.spec.of == "file":
        return "checks", check.name, "of"
    held = check.spec.of is None and suite.of == "file" and check.repeat and check.spec.limit is not None
    return ("of",) if held else None


def _slices(_: Check, suite: Suite) -> Location | None:
    return next((("slices", name, "limit") for name in suite.slice_limits), None)


def _of_arms(check: Check, _: Suite) -> bool:
    return isinstance(check.spec.limit, dict) and not (check.spec.limit_of_errors or check.spec.limit_of_valid)


def _zero(check: Check, _: Suite) -> bool:
    limit = check.spec.limit
    return 0 in (limit.values() if isinstance(limit, dict) else [limit])


def _uneven(check: Check, suite: Suite) -> bool:
    return check.spec.limit is not None and bool(suite.select and suite.select.uneven) and not _of_arms(check, suite)


def _several(check: Check, _: Suite) -> bool:
    counts = replace(check, repeat=0).estimand is SHARE
    return not (counts and check.needed == 1 and check.reducer.fails(1, check.most))


def _passing(check: Check, _: Suite) -> bool:
    numbers = range(1, check.most + 1)
    return any(check.reducer.fails(number, number) != check.reducer.fails(number, check.most) for number in numbers)


_TOGETHER = "the limit takes all tested examples together, and 'select' draws them from unequal parts of the data"
_EXCESS = "limits are for the excess over what fails unchanged, of all tested examples together"


def _uncounted(estimand: Estimand) -> dict[str, str]:
    """The features that need a share of examples, with the reason why an estimand does not support them."""
    why = f"the share of failing examples is needed, and this reducer {estimand.verb}"
    return {"budget": why, "of_file": why, "slices": why, "uneven": _TOGETHER}


FEATURES: Mapping[str, Feature] = {
    "valid": Feature(
        "a limit for 'valid'", _key("limit", lambda check, _: check.spec.limit_of_valid),
        {
            "several": "people say of one failing text whether it is valid, and there more than one decides",
            "budget": "a budget stops where all failures decide, and people look at them after the run",
            "steps": "nobody can tell whether a step in embedding space is valid",
            "uneven": _TOGETHER,
        },
    ),
    "errors": Feature(
        "a limit for 'missed' or 'false_alarm'", _key("limit", lambda check, _: check.spec.limit_of_errors),
        {
            "other_reducer": "errors are texts that any edit gets past the decision, as 'fails: any' counts them",
            "other_expectation": "'expect: invariant', 'correct' and, for spans, 'found' count errors",
            "budget": "a budget stops where all failures decide, not those of two kinds",
        },
    ),
    "repeat": Feature(
        "'repeat'", lambda check, _: ("repeat",) if check.repeat else None,
        {
            "search": "a search ends with the first text that fails, and asking about an unchanged text again does not",
            "mean": "a check with 'repeat' counts the examples that fail",
            "gap": "a check with 'repeat' counts the examples that fail",
            "budget": "a budget stops where a rate is decided, and the excess is judged on all examples",
            "of_file": "other answers could have come, so that a limit is for the population",
            "valid": _EXCESS, "arms": _EXCESS, "zero": _EXCESS, "slices": _EXCESS, "uneven": _TOGETHER,
        },
    ),
    "mean": Feature(
        "'fails: {fails}'", _reducer(MEAN), _uncounted(MEAN), what="'fails' with a mean"
    ),
    "gap": Feature(
        "'fails: {fails}'", _reducer(DIFFERENCE),
        _uncounted(DIFFERENCE) | {"arms": "the limit is one number, for the difference between the groups"},
        what="'fails' with a comparison of groups",
    ),
    "of_file": Feature(
        "'of: file'", _of_file,
        dict.fromkeys(("arms", "valid", "errors"), "'of: file' needs one limit, for all that the file holds"),
    ),
    "search": Feature(
        "'search'", _key("perturb.search", lambda check, _: check.spec.perturb.search is not None),
        {"passing": "a search looks for texts that fail, and there the passing ones count as well"},
    ),
    "budget": Feature("'budget'", _budget),
    "slices": Feature("a limit of a slice", _slices),
    "arms": Feature("a limit for each arm", _key("limit", _of_arms), remedy="Write one number, as 'limit: 0.1'."),
    "zero": Feature("'limit: 0'", _key("limit", _zero), remedy="Write a number above 0, as 'limit: 0.1'."),
    "uneven": Feature(
        "'select' with arms or strata", _key("limit", _uneven),
        remedy="Draw examples at random, with 'select: {difficult: 0, control: …}'.",
    ),
    "steps": Feature("steps in embedding space", _key("perturb", lambda check, _: check.perturbation.takes_steps)),
    "several": Feature(
        "'fails: {fails}'", _key("fails", _several), what="'fails' where more than one text decides"
    ),
    "passing": Feature(
        "'fails: {fails}'", _key("fails", _passing),
        remedy="Write 'fails: any' or 'fails: {at_most: 1}', or leave 'search' out.",
        what="'fails' where passing texts count",
    ),
    "other_reducer": Feature("'fails: {fails}'", _key("fails", lambda check, _: check.spec.fails.use != "any"),
        what="'fails' other than 'any'",
    ),
    "other_expectation": Feature(
        "'expect: {expect}'", _key("expect", lambda check, _: not tells_errors(check.spec.expect.use, "any")),
        what="'expect' other than 'invariant', 'correct' and 'found'",
    ),
}  # fmt: skip
"""The features of checks by key. Two features work together unless one of them lacks the other."""
