"""A run's rates as the results of a model card (``model-index``), which the hub shows beside a model."""

from __future__ import annotations

import re
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from robustfim.record import CheckRecord, Record
from robustfim.statistics import Interval

if TYPE_CHECKING:
    from huggingface_hub import EvalResult

__all__ = ["BY", "leaderboard_entries", "results"]

BY = "robustfim "
"""How the results of a card that are ours say so, before the version."""
_HUB_ID = re.compile(r"[\w.-]+(/[\w.-]+)?")


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


def leaderboard_entries(record: Record) -> list[dict[str, Any]]:
    """Return the entries of a file in ``.eval_results/``, which the hub shows on a dataset's leaderboard.

    Returns:
        The accuracy in [0, 1], with the failure rates as a note. The list is empty if no example has a gold label, or
        if the data are not a dataset of the hub.

    Source:
        https://huggingface.co/docs/hub/eval-results
    """
    options, accuracy = record.data.options, record.model.accuracy.rate
    name = str(options.get("path"))
    if record.data.use != "hub" or accuracy is None or not _HUB_ID.fullmatch(name) or Path(name).exists():
        return []
    dataset = {"id": name, "task_id": str(options.get("name") or "default"), "revision": options.get("revision")}
    rates = [(check.name, check.rate) for check in record.checks]
    broken = [f"{check} {rate:.1%}" for check, rate in rates if rate is not None]
    split = f" of the split {options['split']}" if options.get("split") else ""
    notes = f"{record.data.examples} examples{split}; failure rates: {', '.join(broken) or 'none'}"
    return [
        {
            "dataset": {key: value for key, value in dataset.items() if value is not None},
            "value": round(accuracy, 4),
            "date": str(record.started)[:10],
            "notes": f"{BY}{record.environment.robustfim}, suite {record.suite}: {notes}",
        }
    ]


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
