"""A run's rates as the results of a model card (``model-index``), which the hub shows beside a model."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from robustfim.record import CheckRecord, Record
from robustfim.statistics import Interval

if TYPE_CHECKING:
    from huggingface_hub import EvalResult

__all__ = ["BY", "results"]

BY = "robustfim "
"""How the results of a card that are ours say so, before the version."""


def results(record: Record) -> list[EvalResult]:
    """Return a run's accuracy, and the failure rate of each check that has a rate, as results of a model card.

    Returns:
        One result for each rate. Rates lie in [0, 1]; in a run with several groups of examples (arms), they are
        weighted to all the data. The arguments of the metric are the rate's 95 % interval, the number of tested
        examples, the limit and the outcome. Checks that ended in an error or were skipped have no result.
    """
    found = []
    right = record.model.accuracy
    if right.rate is not None:
        known = {"labelled": right.tested, "unlabelled": record.model.unlabelled}
        found.append(_result(record, "accuracy", "Accuracy", right.rate, right.interval, **known))
    for check in record.checks:
        if check.rate is not None:
            said = {"tested": check.tested, "limit": check.limit, "outcome": check.outcome.value, "seed": record.seed}
            found.append(_result(record, "failure_rate", _name(check), check.rate, check.interval, **said))
    return found


def _name(check: CheckRecord) -> str:
    return f"Failure rate under {check.name}"


def _data_name(record: Record) -> str:
    """The data by the name of their file, or by that of their source."""
    path = record.data.options.get("path")
    return PurePath(str(path)).stem or record.data.use if path else record.data.use


def _result(record: Record, kind: str, name: str, value: float, interval: Interval | None, **said: Any) -> EvalResult:
    from huggingface_hub import EvalResult

    return EvalResult(
        task_type="text-classification",
        dataset_type=str(record.data.options.get("path", record.data.use)),
        dataset_name=f"{_data_name(record)} ({record.data.examples:,} examples)",
        metric_type=kind,
        metric_name=name,
        metric_value=round(value, 4),
        metric_args={
            "by": f"{BY}{record.environment.robustfim}",
            "suite": record.suite,
            "interval": None if interval is None else [round(end, 4) for end in interval],
            **said,
        },
    )
