"""Which checks are held against the model's own noise: with ``repeat`` those that expect an answer to stay."""

from __future__ import annotations

from dataclasses import replace

from robustfim.collect.check import Check
from robustfim.suite.config import RunConfig

__all__ = ["repeated"]

_STAYS = ("invariant", "directional")
"""What an unchanged text does by itself, if the model gives one answer to one text."""


def repeated(check: Check, config: RunConfig) -> Check:
    """Let a check ask about unchanged texts again, where the suite says ``repeat``.

    A check of single examples that were asked for has no rate, and one of unchanged texts, of steps in embedding space
    or of anything else than that the answer stays has nothing of which an excess could be told: they are as ever.

    Raises:
        SuiteError: The check cannot be held against what fails unchanged.
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
