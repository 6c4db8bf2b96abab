"""The texts of a lock file: the candidates of each check for the selected examples."""

from __future__ import annotations

from robustfim.propose.proposal import Proposer
from robustfim.roles import Progress
from robustfim.select.lock import LockedCheck, LockFile
from robustfim.session.run_record import arm_sizes
from robustfim.session.stages import Selected

__all__ = ["locked_texts"]


def locked_texts(selected: Selected, progress: Progress) -> LockFile:
    """Make the perturbed texts of every check, and return them as a lock file that other runs can use.

    Args:
        selected: The run.
        progress: Called with the check's name before its texts are proposed.

    Returns:
        The lock file. Checks that are skipped, move embeddings, search, or bring their own examples are left out.
    """
    examples = [example.example for example in selected.tested]
    checks = {}
    for check in selected.collection.checks:
        if not check.made_beforehand or check.spec.skip:
            continue
        proposer = Proposer(check, selected.context)
        proposer.prepare()
        progress(check.name, 0, len(examples))
        pools = dict(zip(examples, proposer.candidates(examples), strict=True))
        locked = {example.id: LockFile.locked(candidates) for example, candidates in pools.items() if candidates}
        checks[check.name] = LockedCheck(
            settings=check.settings, resources=dict(proposer.resources()), candidates=locked
        )
    return LockFile.model_validate(
        {
            "suite": selected.config.suite.suite,
            "seed": selected.config.seed,
            "arms": {example.example.id: example.arm for example in selected.tested},
            "examples": arm_sizes(selected)["all"],
            "strata": selected.selection.record.strata,
            "by": selected.selection.record.by,
            "checks": checks,
        }
    )
