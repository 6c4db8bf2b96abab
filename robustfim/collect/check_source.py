"""Make checks from a source of checks, which brings both examples and candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from robustfim.candidate import Candidate
from robustfim.collect.check import Check
from robustfim.contract import Contract
from robustfim.errors import PluginError, shown
from robustfim.example import Example
from robustfim.parts import CheckSourcePart, ExpectationPart, PerturbationPart
from robustfim.roles import SourcedCheck
from robustfim.suite.config import RunConfig
from robustfim.suite.file import as_plain
from robustfim.suite.format import CheckSpec, Use, check_name

__all__ = ["GivenCandidates", "checks_of"]

_MOST_CHECKS = 100_000
_MOST = 10_000
"""The most candidates of one example; see :class:`robustfim.suite.format.PerturbSpec`."""


class GivenCandidates:
    """A perturbation that returns prepared texts, for a check that brings its own examples.

    Args:
        candidates: Perturbed texts (candidates) by example id.
        tests_unchanged: Whether unchanged texts are tested, as in a minimum functionality test.
    """

    def __init__(self, candidates: Mapping[str, Sequence[Candidate]], *, tests_unchanged: bool) -> None:
        self._candidates, self.contract = candidates, Contract(unchanged=tests_unchanged)

    def propose(self, example: Example, random: Random) -> Iterable[Candidate]:
        """Return the candidates of an example, in the source's order."""
        return self._candidates[example.id]


def checks_of(source: CheckSourcePart, config: RunConfig) -> list[Check]:
    """Read the checks that a plugin's check source brings.

    Cases with equal examples are merged, since failure rates count examples.

    Raises:
        RobustfimError: The source reports that its file is wrong.
        PluginError: The source raised another exception, or returned malformed checks.
    """
    use = config.suite.source
    assert use is not None  # noqa: S101  # callers ask only then
    owner, given = source.owner, source.checks(_MOST_CHECKS + 1)
    if len(given) > _MOST_CHECKS:
        raise PluginError(
            f"plugin {owner!r}: 'checks' gives more than {_MOST_CHECKS:,} checks, the most that one source may give."
        )
    checks: dict[str, Check] = {}
    for sourced in given:
        try:
            check = _check(sourced, use, owner, config)
        except ValueError as error:  # pydantic's, too
            reason = str(error).splitlines()[-1].strip() if "\n" in str(error) else str(error)
            raise PluginError(f"plugin {owner!r}: the check {sourced.name!r} cannot be used: {reason}") from error
        if check.name in checks:
            raise PluginError(f"plugin {owner!r}: two checks are named {sourced.name!r}.")
        checks[check.name] = check
    return list(checks.values())


def _length(candidate: Candidate) -> int:
    """Characters of the longest text of a candidate and its source."""
    return max(len(text) for example in (candidate.source, candidate.example) for text in example.fields.values())


def _check(given: SourcedCheck, use: Use, owner: str, config: RunConfig) -> Check:
    candidates: dict[str, list[Candidate]] = {}
    examples: dict[str, Example] = {}
    for case in given.cases:
        for candidate in case:
            if not isinstance(candidate, Candidate):
                raise ValueError(f"a case must hold Candidates, not {shown(candidate)}")
            if (length := _length(candidate)) > config.suite.longest:
                raise ValueError(
                    f"a text has {length:,} characters, and the suite's key 'longest' allows "
                    f"{config.suite.longest:,}; write 'longest: {length}' in the suite, or remove the text from the "
                    "file"
                )
            examples.setdefault(candidate.source.id, candidate.source)
            candidates.setdefault(candidate.source.id, []).append(candidate)
    most = max(map(len, candidates.values()), default=1)
    if most > _MOST:
        raise ValueError(f"one example has {most:,} candidates; {_MOST:,} are the most")
    spec = CheckSpec.model_validate(
        {
            "perturb": {"use": use.use, "candidates": most},
            "expect": as_plain(given.expect),
            "limit": given.limit,
            "marks": list(given.marks),
            "capability": given.capability,
            "type": given.type,
        }
    )
    return Check(
        id=f"{config.file.path.name}::{check_name(given.name)}",
        name=given.name,
        spec=spec,
        perturbation=PerturbationPart(
            GivenCandidates(candidates, tests_unchanged=given.tests_unchanged), use.use, owner
        ),
        constraints=(),
        expectation=ExpectationPart(given.expectation, spec.expect.use, owner),
        order=None,
        line=config.file.line(("checks",)),
        examples=tuple(examples.values()),
    )
