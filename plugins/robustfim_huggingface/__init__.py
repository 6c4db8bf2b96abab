"""Hugging Face: sequence classification, causal language and multiple choice models, and data of the hub."""

from __future__ import annotations

from robustfim import hookimpl

__all__ = ["robustfim_commands", "robustfim_data", "robustfim_models", "robustfim_trainers"]


@hookimpl
def robustfim_models() -> dict[str, str]:
    """Offer ``huggingface``, ``huggingface/causal``, ``huggingface/causal-choice`` and ``huggingface/choice``."""
    return {
        "huggingface": "robustfim_huggingface.classifier.model:SequenceClassifier",
        "huggingface/causal": "robustfim_huggingface.causal.classifier:CausalClassifier",
        "huggingface/causal-choice": "robustfim_huggingface.causal.choice:CausalChoice",
        "huggingface/choice": "robustfim_huggingface.choice.model:MultipleChoice",
        "huggingface/question-answering": "robustfim_huggingface.answering.model:QuestionAnswering",
        "huggingface/visual-question-answering": ("robustfim_huggingface.answering.visual:VisualQuestionAnswering"),
    }


@hookimpl
def robustfim_data() -> dict[str, str]:
    """Offer ``hub``."""
    return {"hub": "robustfim_huggingface.hub:HubDataset"}


@hookimpl
def robustfim_commands() -> dict[str, tuple[str, str]]:
    """Offer ``robustfim finetune``."""
    return {
        "finetune": ("robustfim_huggingface.finetune.command:command", "Fine-tune a Hugging Face model on any data.")
    }


@hookimpl
def robustfim_trainers() -> dict[str, str]:
    """Offer to fine-tune a classifier, and a model that chooses."""
    return {
        "huggingface": "robustfim_huggingface.finetune.trainers:ClassifierTrainer",
        "huggingface/choice": "robustfim_huggingface.finetune.trainers:ChoiceTrainer",
    }
