"""The texts that a lock file holds: what each check makes of the selected examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from robustfim.collect.check import Check
from robustfim.predict.context import RunContext
from robustfim.predict.store import Store
from robustfim.propose.proposal import Proposer
from robustfim.select.draw import TestedExample
from robustfim.select.lock import LockedCheck, LockFile

__all__ = ["locked_texts"]


def locked_texts(
    checks: Sequence[Check],
    tested: Sequence[TestedExample],
    context: RunContext,
    store: Store,
    progress: Callable[[str, int, int], None],
) -> dict[str, LockedCheck]:
    """Propose the texts of every check whose candidates are texts made of the selected examples.

    Args:
        checks: The checks of the run.
        tested: The selected examples.
        context: The run's context.
        store: Where answers are kept.
        progress: Called with the check's name before its texts are proposed.

    Returns:
        By the names of the checks; steps in embedding space, searches, skipped checks and those that bring their own
        examples are left out.
    """
    examples = [each.example for each in tested]
    found = {}
    for check in checks:
        if not check.made_beforehand or check.spec.skip:
            continue
        proposer = Proposer(check, context, store)
        proposer.prepare()
        progress(check.name, 0, len(examples))
        pools = dict(zip(examples, proposer.candidates(examples), strict=True))
        locked = {each.id: LockFile.locked(candidates) for each, candidates in pools.items() if candidates}
        found[check.name] = LockedCheck(
            settings=check.settings, resources=dict(proposer.resources()), candidates=locked
        )
    return found
