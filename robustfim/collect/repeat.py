"""The checks that ``repeat`` compares with the model's own noise: those that expect the answer to stay."""

from __future__ import annotations

from dataclasses import replace

from robustfim.collect.check import Check
from robustfim.suite.config import RunConfig

__all__ = ["repeated"]

_STAYS = ("invariant", "directional")
"""Expectations that an unchanged text fulfils by itself, if the model always gives the same answer."""


def repeated(check: Check, config: RunConfig) -> Check:
    """Make a check ask about unchanged texts again, if the suite says ``repeat``.

    Some checks are left as they are: checks on single named examples have no rate. Checks of unchanged texts, of steps
    in embedding space, and with an expectation other than that the answer stays have no excess over noise.

    Raises:
        SuiteError: The check cannot be compared with unchanged texts.
    """
    suite, spec = config.suite, check.spec
    stays = spec.expect.use in _STAYS and not (check.perturbation.takes_steps or check.perturbation.contract.unchanged)
    if not (suite.repeat and stays) or config.options.examples:
        return check
    at = ("checks", check.name)
    if spec.perturb.search is not None:
        message = (
            "a search ends with the first text that fails, and asking about an unchanged text again has no such end: "
            "leave 'search' or the suite's 'repeat' out."
        )
        raise config.file.error(message, (*at, "perturb", "search"))
    if not check.estimand.counts:
        message = (
            f"{spec.fails.use!r} {check.estimand.verb}, and with 'repeat' a check counts the examples that fail: leave "
            "'fails' or the suite's 'repeat' out."
        )
        raise config.file.error(message, (*at, "fails"))
    if spec.limit is not None and (spec.budget or suite.budget):
        message = (
            "a budget stops where a rate is decided, and 'repeat' is judged on all examples: leave one of them out."
        )
        raise config.file.error(message, (*at, "budget") if spec.budget else ("budget",))
    each = spec.limit.values() if isinstance(spec.limit, dict) else [spec.limit]
    if 0 in each or (isinstance(spec.limit, dict) and not spec.limit_of_errors):
        message = (
            "with 'repeat' a limit is for the excess over what fails unchanged, of all tested examples together: write "
            "one number above 0, as 'limit: 0.1', or one for each kind of error, as 'limit: {missed: 0.1}'."
        )
        raise config.file.error(message, (*at, "limit"))
    if spec.limit is not None and (spec.of or suite.of) == "file":
        message = (
            "with 'repeat' a limit is for the population, since other answers could have come: leave 'of: file' out."
        )
        raise config.file.error(message, (*at, "of") if spec.of else ("of",))
    if suite.slice_limits:
        message = "with 'repeat' only checks have limits, for the excess over what fails unchanged: leave this one out."
        raise config.file.error(message, ("slices", next(iter(suite.slice_limits)), "limit"))
    return replace(check, repeat=suite.repeat)
