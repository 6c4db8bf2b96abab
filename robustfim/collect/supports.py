"""Declare which features of a check work together, for refusals and for the documentation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from robustfim.collect.check import Check
from robustfim.decision import NumberRule
from robustfim.predict.decided import decision_rule
from robustfim.predict.labels import is_answering
from robustfim.spans import is_tagger
from robustfim.statistics.estimand import DIFFERENCE, MEAN, SHARE, Estimand
from robustfim.suite.config import RunConfig
from robustfim.suite.file import Location
from robustfim.suite.format import LEAST_EXAMPLES, Suite, tells_errors

__all__ = ["FEATURES", "Feature", "refuse_unsupported"]

_Place: TypeAlias = Callable[[Check, Suite, Any], Location | None]


@dataclass(frozen=True)
class Feature:
    """A feature of a check, its suite or its model, such as ``budget``, and the features that it excludes.

    Attributes:
        name: The feature as a suite writes it.
        at: A function of check, suite and model that returns the feature's place in the suite; None for a check
            without the feature.
        lacks: Key of a feature that cannot be combined with this one, to the reason.
        remedy: The advice in an error about the feature.
        what: A general description of the feature, if ``name`` is the name of one reducer or expectation.
    """

    name: str
    at: _Place
    lacks: Mapping[str, str] = field(default_factory=dict)
    remedy: str = "Leave one of them out."
    what: str = ""


def refuse_unsupported(check: Check, config: RunConfig, model: object) -> Check:
    """Raise an error if a check has two features that do not work together.

    Args:
        check: The check.
        config: The run.
        model: The suite's model; None if it could not be made.

    Returns:
        The check.

    Raises:
        SuiteError: Two features do not work together; the message names both, the reason and a line.
    """
    held = {
        key: place for key, feature in FEATURES.items() if (place := feature.at(check, config.suite, model)) is not None
    }
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
    return lambda check, suite, _: ("checks", check.name, *name.split(".")) if holds(check, suite) else None


def _suite(key: str, holds: Callable[[Suite], object]) -> _Place:
    """Return the place of a key of the suite, if a condition holds."""
    return lambda _, suite, __: (key,) if holds(suite) else None


def _model(holds: Callable[[Any], object]) -> _Place:
    """Return the place of the model, if a condition holds for it."""
    return lambda _, __, model: ("model",) if model is not None and holds(model) else None


def _reducer(estimand: Estimand) -> _Place:
    return _key("fails", lambda check, _: replace(check, repeat=0).estimand is estimand)


def _budget(check: Check, suite: Suite, _: object = None) -> Location | None:
    """The budget; that of the suite is for all limits, except for valid failures."""
    if check.spec.budget is not None:
        return "checks", check.name, "budget"
    limited = check.spec.limit is not None or suite.slice_limits
    return ("budget",) if suite.budget and limited and not check.spec.limit_of_valid else None


def _small_budget(check: Check, suite: Suite, _: object) -> Location | None:
    few = (check.spec.budget or suite.budget or LEAST_EXAMPLES) < LEAST_EXAMPLES
    return _budget(check, suite) if few and _of_all(check, suite) else None


def _of_file(check: Check, suite: Suite, _: object) -> Location | None:
    if check.spec.of == "file":
        return "checks", check.name, "of"
    held = check.spec.of is None and suite.of == "file" and check.repeat and check.spec.limit is not None
    return ("of",) if held else None


def _slices(_: Check, suite: Suite, __: object) -> Location | None:
    return next((("slices", name, "limit") for name in suite.slice_limits), None)


def _slices_of_all(_: Check, suite: Suite, __: object) -> Location | None:
    """A limit of a slice that is for all the data; a limit of 0 or 1 is for the tested texts alone."""
    return next((("slices", name, "limit") for name, limit in suite.slice_limits.items() if 0 < limit < 1), None)


def _of_all(check: Check, _: Suite) -> bool:
    """Whether the limit is for all the data; a limit of 0 or 1 is for the tested texts alone."""
    limits = check.spec.limits
    return check.spec.limit_of_errors or (isinstance(limits, float) and 0 < limits < 1)


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
        "'repeat'", lambda check, _, __: ("repeat",) if check.repeat else None,
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
        "'search'", _key("perturb.search", lambda check, _: check.search is not None),
        {"passing": "a search looks for texts that fail, and there the passing ones count as well"},
    ),
    "budget": Feature(
        "'budget'", _budget,
        {"slices": "a budget stops where the limits of the checks are decided, and a slice's is not among them"},
    ),
    "small_budget": Feature(
        f"'budget' below {LEAST_EXAMPLES}", _small_budget,
        {"strata": f"a budget over strata is {LEAST_EXAMPLES} examples at least"},
    ),
    "strata": Feature("'select: examples'", _suite("select", lambda suite: suite.select and suite.select.examples)),
    "unlimited": Feature(
        "a check without a 'limit'", lambda check, _, __: ("checks", check.name) if check.spec.limit is None else None,
        dict.fromkeys(("budget", "xfail"), "it is for the decision about a limit; give one, as 'limit: 0.1'"),
    ),
    "xfail": Feature("'xfail'", _key("xfail", lambda check, _: check.spec.xfail is not None)),
    "no_control": Feature(
        "'select' without a control arm", _suite("select", lambda suite: suite.select and suite.select.chosen
                                                and not suite.select.control and not suite.select.examples),
        dict.fromkeys(
            ("of_all", "slices_of_all"), "the chosen examples alone are tested, which are no sample of the data"
        ),
    ),
    "of_all": Feature(
        "a limit for all the data", _key("limit", _of_all),
        remedy="Give 'select' a control arm, or write a limit for each arm, as 'limit: {difficult: 0.1}'.",
    ),
    "tagger": Feature(
        "a tagger", _model(is_tagger),
        {"false_alarm": "its limit is for 'missed', of each label; 'expect: spurious' has its own for what appears"},
    ),
    "false_alarm": Feature(
        "a limit for 'false_alarm'",
        _key("limit", lambda check, _: isinstance(check.spec.limit, dict) and "false_alarm" in check.spec.limit),
    ),
    "answers": Feature(
        "a model that answers in its own words or with numbers",
        _model(lambda model: not is_tagger(model)
               and (is_answering(model) or isinstance(decision_rule(model), NumberRule))),
        {"errors": "only a model that decides for labels, or finds spans, can miss one"},
    ),
    "slices": Feature("a limit of a slice", _slices),
    "slices_of_all": Feature(
        "a limit of a slice of all the data", _slices_of_all, remedy="Give 'select' a control arm, or drop this limit.",
    ),
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
