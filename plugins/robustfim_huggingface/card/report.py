"""The report ``card``: a run's rates in a model card."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import yaml

from robustfim.errors import UsageError
from robustfim.record import Record
from robustfim.statistics import Interval
from robustfim.whole_file import write_whole

if TYPE_CHECKING:
    from huggingface_hub import EvalResult

__all__ = ["ModelCard"]

_BY = "robustfim "
"""How the results of a card that are ours say so, before the version."""


class ModelCard:
    """Writes a run's accuracy and failure rates into a model card, as the hub's ``model-index``.

    An existing card keeps its text, its other keys and the results of other tools; earlier results of robustfim are
    replaced.

    Args:
        path: The card, ``README.md`` beside the weights; ``README.md`` in the suite's report folder when None.
        name: The model's name on the card; by default the name already on the card, or the name of the model's folder.
    """

    def __init__(self, path: Path | None = None, name: str | None = None) -> None:
        self.path, self.name = path, name

    def write(self, record: Record, folder: Path) -> Path:
        """Write the card. If writing fails, an existing card stays as it was.

        Raises:
            UsageError: No check has a rate, the file is not a model card, or huggingface_hub is missing.
        """
        try:
            import huggingface_hub as hub
        except ImportError:
            raise UsageError("a model card needs huggingface_hub: pip install 'robustfim[huggingface]'") from None
        path, found = self.path or folder / "README.md", _results(record)
        if not found:
            raise UsageError(
                f"{record.suite} has no rate for a model card, because no check of the run could be judged."
            )
        model = record.model
        called = self.name or Path(str(model.options.get("path") or model.use)).name
        try:
            card = hub.ModelCard(
                path.read_text(encoding="utf-8") if path.exists() else f"---\n{{}}\n---\n\n# {called}\n"
            )
        except (ValueError, yaml.YAMLError) as error:
            raise UsageError(f"{path} is not a model card: {' '.join(str(error).split())[:200]}") from None
        others = [each for each in getattr(card.data, "eval_results", None) or [] if not _ours(each)]
        given: dict[str, Any] = card.data.to_dict()  # type: ignore[no-untyped-call]  # the library is not typed here
        kept = {key: value for key, value in given.items() if key not in ("model-index", "model_name")}
        name = self.name or getattr(card.data, "model_name", None) or called
        card.data = hub.ModelCardData(**kept, model_name=name, eval_results=[*others, *found])
        return write_whole(path, str(card).encode())


def _ours(result: EvalResult) -> bool:
    return str((result.metric_args or {}).get("by", "")).startswith(_BY)


def _results(record: Record) -> list[EvalResult]:
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
            found.append(
                _result(record, "failure_rate", f"Failure rate under {check.name}", check.rate, check.interval, **said)
            )
    return found


def _result(record: Record, kind: str, name: str, value: float, interval: Interval | None, **said: Any) -> EvalResult:
    from huggingface_hub import EvalResult

    path = record.data.options.get("path")
    data = PurePath(str(path)).stem or record.data.use if path else record.data.use
    return EvalResult(
        task_type="text-classification",
        dataset_type=str(record.data.options.get("path", record.data.use)),
        dataset_name=f"{data} ({record.data.examples:,} examples)",
        metric_type=kind,
        metric_name=name,
        metric_value=round(value, 4),
        metric_args={
            "by": f"{_BY}{record.environment.robustfim}",
            "suite": record.suite,
            "interval": None if interval is None else [round(end, 4) for end in interval],
            **said,
        },
    )
