"""Whether an order is worth what it asks of the model: its first candidates against random ones, on the first texts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from robustfim.candidate import Candidate
from robustfim.contract import OrderContract
from robustfim.parts import ModelPart
from robustfim.predict.context import RunContext
from robustfim.predict.store import Store
from robustfim.propose.proposal import Proposer
from robustfim.record import OrderTrialRecord
from robustfim.select.draw import TestedExample

__all__ = ["TEXTS", "try_order"]

TEXTS = 50
"""Texts of a check on which a random candidate is tested beside the first of its order, at most."""


def try_order(
    proposer: Proposer,
    block: Sequence[TestedExample],
    pools: Sequence[Sequence[Candidate]],
    failing: Collection[int],
    context: RunContext,
    store: Store,
) -> OrderTrialRecord | None:
    """Test one random candidate of some texts whose first candidate by the order was tested.

    Returns:
        What both found; None where the order asks for nothing, or no text has both.
    """
    firsts = [(each, id(pool[0]) in failing) for each, pool in zip(block, pools, strict=True) if pool]
    cost = _cost(proposer, len(firsts), context)
    check, spec = proposer.check, proposer.check.spec
    if not cost or check.perturbation.takes_steps:
        return None
    single = spec.model_copy(update={"perturb": spec.perturb.model_copy(update={"candidates": 1})})
    rival = Proposer(replace(check, order=None, spec=single), context, store)
    random = rival.candidates([source.example for source, _ in firsts[:TEXTS]])
    drawn = [(source, failed, own[0]) for (source, failed), own in zip(firsts[:TEXTS], random, strict=True) if own]
    answers = context.queue.predict([candidate.example for *_, candidate in drawn])
    judged = [
        (failed, check.judge(source.prediction, after, candidate).failed)
        for (source, failed, candidate), after in zip(drawn, answers, strict=True)
        if after is not None
    ]
    if not judged:
        return None
    return OrderTrialRecord(
        examples=len(judged), failing=sum(by for by, _ in judged), random=sum(by for _, by in judged), cost=cost
    )


def _cost(proposer: Proposer, texts: int, context: RunContext) -> float:
    """Model calls that the order takes of a text, whether or not the store could answer them.

    A gradient counts as three, the first as none where a score has taken it.
    """
    order = proposer.check.order
    contract = OrderContract() if order is None else order.contract
    gradients = ModelPart(context.model).contract.gradients if contract.gradients is None else contract.gradients
    return 3.0 * max(0, gradients - context.shifts) + (proposer.asked_by_order or 0) / max(1, texts)
