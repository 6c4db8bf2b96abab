"""Hugging Face: sequence classification, causal language and multiple choice models, and data of the hub."""

from __future__ import annotations

from robustfim import hookimpl

__all__ = ["robustfim_commands", "robustfim_data", "robustfim_models", "robustfim_trainers"]


@hookimpl
def robustfim_models() -> dict[str, str]:
    """Offer ``huggingface``, ``huggingface/causal``, ``huggingface/causal-choice`` and ``huggingface/choice``."""
    return {
        "huggingface": "robustfim_huggingface.model:SequenceClassifier",
        "huggingface/causal": "robustfim_huggingface.causal:CausalClassifier",
        "huggingface/causal-choice": "robustfim_huggingface.causal_choice:CausalChoice",
        "huggingface/choice": "robustfim_huggingface.multiple_choice:MultipleChoice",
        "huggingface/question-answering": "robustfim_huggingface.question_answering:QuestionAnswering",
        "huggingface/visual-question-answering": (
            "robustfim_huggingface.visual_question_answering:VisualQuestionAnswering"
        ),
    }


@hookimpl
def robustfim_data() -> dict[str, str]:
    """Offer ``hub``."""
    return {"hub": "robustfim_huggingface.hub:HubDataset"}


@hookimpl
def robustfim_commands() -> dict[str, tuple[str, str]]:
    """Offer ``robustfim finetune``."""
    return {"finetune": ("robustfim_huggingface.finetune:command", "Fine-tune a Hugging Face model on any data.")}


@hookimpl
def robustfim_trainers() -> dict[str, str]:
    """Offer to fine-tune a classifier, and a model that chooses."""
    return {
        "huggingface": "robustfim_huggingface.trainers:ClassifierTrainer",
        "huggingface/choice": "robustfim_huggingface.trainers:ChoiceTrainer",
    }
