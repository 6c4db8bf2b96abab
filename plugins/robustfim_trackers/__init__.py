"""Reports for experiment trackers: a run as a run of MLflow, of Weights & Biases, or of TensorBoard."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer the reports."""
    return {
        "reports": {
            "mlflow": "robustfim_trackers.mlflow_report:MlflowReport",
            "tensorboard": "robustfim_trackers.tensorboard_report:TensorBoardReport",
            "wandb": "robustfim_trackers.wandb_report:WandbReport",
        },
    }
