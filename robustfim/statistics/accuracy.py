"""Accuracy: whether a model is right about an unperturbed example."""

from __future__ import annotations

from robustfim.example import Example
from robustfim.prediction import Prediction

__all__ = ["is_right"]


def is_right(prediction: Prediction, example: Example) -> bool | None:
    """Tell whether a prediction is the gold label, or another that is accepted; None where there is none."""
    return any(map(prediction.says, example.gold)) if example.gold else None
