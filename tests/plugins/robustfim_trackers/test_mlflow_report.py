"""The run of MLflow, in a real store on this machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import UsageError
from robustfim_trackers.mlflow_report import MlflowReport
from tests.plugins.robustfim_html.synthetic import build


@pytest.fixture(autouse=True)
def mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """MLflow, which only the worker that needs it imports, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")  # as quick as a store of files; the other one is a database
    return pytest.importorskip("mlflow")


@pytest.mark.parametrize(
    "store", ["file:runs", pytest.param("sqlite:///runs.db", marks=pytest.mark.slow)], ids=["files", "database"]
)
def test_mlflow_reads_settings_numbers_record_and_failing_texts(mlflow: Any, store: str, tmp_path: Path) -> None:
    if store.startswith("sqlite"):
        pytest.importorskip("sqlalchemy")
    record, report = build(), MlflowReport(tracking_uri=store, experiment="release")
    named = [json.loads(report.write(record, tmp_path).read_text(encoding="utf-8")) for _ in range(2)]
    client = mlflow.MlflowClient(store)
    experiment = client.get_experiment_by_name("release")
    runs = client.search_runs([experiment.experiment_id])
    assert {run.info.run_id for run in runs} == {each["run_id"] for each in named}
    found = client.get_run(named[0]["run_id"])
    check = next(record_check for record_check in record.checks if record_check.rate is not None)
    assert found.info.status == "FINISHED"
    assert found.info.end_time - found.info.start_time == int(record.duration_s * 1000)
    assert found.data.params["model"] == record.model.use
    assert found.data.params[f"outcome/{check.name}"] == check.outcome.value
    assert found.data.metrics[f"checks/{check.name}/rate"] == pytest.approx(check.rate)
    assert found.data.tags["robustfim.suite"] == record.suite
    place = Path(client.download_artifacts(found.info.run_id, "", str(tmp_path)))
    assert json.loads((place / "results.json").read_text(encoding="utf-8"))["suite"] == record.suite
    rows = json.loads((place / "failures.json").read_text(encoding="utf-8"))
    assert len(rows) == 200
    assert len({row["check"] for row in rows[:3]}) == 3, "a failing text of each check in turn"
    assert set(rows[0]) == {"check", "text", "perturbed", "label", "before", "after"}


def test_a_store_that_there_is_not_is_told_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^MLflow cannot be written to: .*'nosuch:.*"):
        MlflowReport(tracking_uri="nosuch:here").write(build(), tmp_path)
