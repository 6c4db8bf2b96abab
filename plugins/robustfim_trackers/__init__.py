"""Reports that log a run to MLflow or to Weights & Biases."""

from __future__ import annotations

from robustfim.hookspecs import Offers, hookimpl

__all__ = ["robustfim_offers"]


@hookimpl
def robustfim_offers() -> Offers:
    """Offer the reports ``mlflow`` and ``wandb``."""
    return {
        "reports": {
            "mlflow": "robustfim_trackers.mlflow_report:MlflowReport",
            "wandb": "robustfim_trackers.wandb_report:WandbReport",
        },
    }
