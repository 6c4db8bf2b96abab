"""Apply ``repeat`` of a suite: compare checks that expect an unchanged answer with the model's own noise."""

from __future__ import annotations

from dataclasses import replace

from robustfim.collect.check import Check
from robustfim.suite.config import RunConfig

__all__ = ["repeated"]

_STAYS = ("invariant", "directional")
"""Expectations that an unchanged text always meets if the model's answers do not vary."""


def repeated(check: Check, config: RunConfig) -> Check:
    """Make a check ask the model again about unchanged texts, if the suite sets ``repeat``.

    Some checks are returned unchanged: on single named examples, of unchanged texts, of moved embeddings, and with an
    expectation other than an unchanged answer.
    """
    suite, spec = config.suite, check.spec
    stays = spec.expect.use in _STAYS and not (check.perturbation.takes_steps or check.perturbation.contract.unchanged)
    if not (suite.repeat and stays) or config.options.examples:
        return check
    return replace(check, repeat=suite.repeat)
