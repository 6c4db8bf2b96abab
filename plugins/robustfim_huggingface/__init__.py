"""Hugging Face: sequence classification and multiple choice models, and data of the hub."""

from __future__ import annotations

from robustfim import hookimpl

__all__ = ["robustfim_data", "robustfim_models"]


@hookimpl
def robustfim_models() -> dict[str, str]:
    """Offer ``huggingface`` and ``huggingface/choice``."""
    return {
        "huggingface": "robustfim_huggingface.model:SequenceClassifier",
        "huggingface/choice": "robustfim_huggingface.multiple_choice:MultipleChoice",
    }


@hookimpl
def robustfim_data() -> dict[str, str]:
    """Offer ``hub``."""
    return {"hub": "robustfim_huggingface.hub:HubDataset"}
