"""Whether an order is worth what it asks of the model: its first candidates against random ones, on the first texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from robustfim.candidate import Candidate
from robustfim.collect.check import Check
from robustfim.predict.context import RunContext
from robustfim.predict.store import Store
from robustfim.prediction import Prediction
from robustfim.propose.proposal import Proposer
from robustfim.record import OrderTrialRecord
from robustfim.select.draw import TestedExample

__all__ = ["TEXTS", "try_order"]

TEXTS = 50
"""Texts of a check on which a random candidate is tested beside the first of its order, at most."""


def try_order(
    check: Check,
    firsts: Sequence[tuple[TestedExample, Candidate]],
    failing: Collection[str],
    cost: float,
    fails: Callable[[TestedExample, Prediction, Candidate], bool],
    context: RunContext,
    store: Store,
) -> OrderTrialRecord | None:
    """Test one random candidate of some texts whose first candidate by the order was tested.

    Args:
        check: The check, with its order.
        firsts: Texts, each with the candidate that comes first by the order.
        failing: The ids of those whose first candidate fails.
        cost: Model calls that the order takes of each text.
        fails: Whether a candidate of a text fails, by what the model says of it.
        context: The run's context.
        store: The run's store.

    Returns:
        What both found; None where no text has both.
    """
    firsts = firsts[:TEXTS]
    spec = check.spec.model_copy(update={"perturb": check.spec.perturb.model_copy(update={"candidates": 1})})
    pools = Proposer(replace(check, order=None, spec=spec), context, store).candidates(
        [each.example for each, _ in firsts]
    )
    drawn = [(each, pool[0]) for (each, _), pool in zip(firsts, pools, strict=True) if pool]
    answers = context.queue.predict([candidate.example for _, candidate in drawn])
    judged = [
        (each, fails(each, after, candidate))
        for (each, candidate), after in zip(drawn, answers, strict=True)
        if after is not None
    ]
    if not judged:
        return None
    return OrderTrialRecord(
        examples=len(judged),
        failing=sum(each.example.id in failing for each, _ in judged),
        random=sum(failed for _, failed in judged),
        cost=cost,
    )
