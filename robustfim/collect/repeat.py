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
    """
    suite, spec = config.suite, check.spec
    stays = spec.expect.use in _STAYS and not (check.perturbation.takes_steps or check.perturbation.contract.unchanged)
    if not (suite.repeat and stays) or config.options.examples:
        return check
    return replace(check, repeat=suite.repeat)
