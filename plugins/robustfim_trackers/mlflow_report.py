"""The report ``mlflow``, which logs a run to an MLflow experiment."""

from __future__ import annotations

import datetime
import json
import os
from pathlib import Path
from typing import ClassVar

from robustfim.errors import UsageError
from robustfim.record import Record
from robustfim.whole_file import write_json
from robustfim_trackers.tracked import COLUMNS, run_file, tracked

__all__ = ["MlflowReport"]

_LONGEST = 500
"""Characters of a parameter; MLflow refuses longer ones in some of its stores."""


class MlflowReport:
    """Logs a run to MLflow: parameters, metrics, and as artifacts the record and a table of failing texts.

    Args:
        path: The file that gets the id of MLflow's run, or the file's folder; ``mlflow.json`` in the suite's report
            folder when None.
        tracking_uri: The address of MLflow's store, such as ``sqlite:///mlflow.db`` or a server; when None
            ``MLFLOW_TRACKING_URI`` or MLflow's default.
        experiment: The experiment, created if it is missing; the suite's name when None.
    """

    libraries: ClassVar = {"mlflow": "robustfim[trackers]"}

    def __init__(
        self,
        path: Path | None = None,
        tracking_uri: str | None = None,
        experiment: str | None = None,
    ) -> None:
        self.path, self.tracking_uri, self.experiment = path, tracking_uri, experiment

    def write(self, record: Record, folder: Path) -> Path:
        """Log the run, and write the id of MLflow's run to a file.

        Raises:
            UsageError: MLflow refuses the run, or cannot be reached.
        """
        os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")  # nothing is sent unasked
        from mlflow import MlflowClient
        from mlflow.entities import Metric, Param, RunTag
        from mlflow.exceptions import MlflowException

        told = tracked(record)
        began = int(datetime.datetime.fromisoformat(record.started).timestamp() * 1000)
        ended = began + int(record.duration_s * 1000)
        name = self.experiment or told.suite
        try:
            client = MlflowClient(self.tracking_uri)
            known = client.get_experiment_by_name(name)
            experiment = client.create_experiment(name) if known is None else known.experiment_id
            run = client.create_run(experiment, start_time=began, run_name=told.name).info.run_id
            client.log_batch(
                run,
                metrics=[Metric(key, value, ended, 0) for key, value in told.numbers.items()],
                params=[Param(key, value[:_LONGEST]) for key, value in told.settings.items()],
                tags=[RunTag("robustfim.suite", told.suite)],
            )
            client.log_text(run, json.dumps(record.model_dump(mode="json", by_alias=True)), "results.json")
            rows = [dict(zip(COLUMNS, row, strict=True)) for row in told.rows]
            client.log_text(run, json.dumps(rows, indent=1), "failures.json")
            client.set_terminated(run, end_time=ended)
        except (MlflowException, OSError) as error:
            raise UsageError(f"MLflow cannot be written to: {str(error).splitlines()[0]}") from error
        return write_json(run_file(self.path, folder, "mlflow.json"), {"experiment": name, "run_id": run})
