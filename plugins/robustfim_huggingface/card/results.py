"""A run's numbers as the results of a model card (``model-index``), which the hub shows beside a model."""

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
    """Make the results of a model card: the accuracy, and the failure rate of each check that has one.

    Returns:
        One result a number: rates in [0, 1], of all that the arms stand for where there are several, with their 95 %
        interval, the tested examples, the limit and the outcome as arguments of the metric. Checks that are errors or
        were skipped have none.
    """
    found = []
    if record.model.accuracy is not None:
        known = {"labelled": record.model.labelled, "unlabelled": record.model.unlabelled}
        right, interval = record.model.accuracy, record.model.accuracy_interval
        found.append(_result(record, "accuracy", "Accuracy", right, interval, **known))
    for check in record.checks:
        of = check.estimate or check
        if of.rate is not None:
            said = {"tested": check.tested, "limit": check.limit, "outcome": check.outcome.value, "seed": record.seed}
            found.append(_result(record, "failure_rate", _name(check), of.rate, of.interval, **said))
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
