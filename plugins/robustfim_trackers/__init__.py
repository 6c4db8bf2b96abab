"""Reports for experiment trackers: a run as a run of MLflow or of Weights & Biases."""

from __future__ import annotations

from robustfim.hookspecs import hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> dict[str, dict[str, str]]:
    """Offer the reports."""
    return {
        "reports": {
            "mlflow": "robustfim_trackers.mlflow_report:MlflowReport",
            "wandb": "robustfim_trackers.wandb_report:WandbReport",
        },
    }
