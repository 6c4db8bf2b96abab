"""Hugging Face: models for classification, causal language modelling, multiple choice, tagging and more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from robustfim.hookspecs import Commands, Offers, hookimpl

__all__ = ["robustfim_commands", "robustfim_offers", "robustfim_translate"]


@hookimpl
def robustfim_offers() -> Offers:
    """Offer models of all tasks, fine-tuning, model cards, and constraints that use language models."""
    return {
        "models": {
            "huggingface": "robustfim_huggingface.classifier.model:SequenceClassifier",
            "huggingface/causal": "robustfim_huggingface.causal.classifier:CausalClassifier",
            "huggingface/causal-choice": "robustfim_huggingface.causal.choice:CausalChoice",
            "huggingface/choice": "robustfim_huggingface.choice.model:MultipleChoice",
            "huggingface/pipeline": "robustfim_huggingface.classifier.given_pipeline:GivenPipeline",
            "huggingface/question-answering": "robustfim_huggingface.answering.model:QuestionAnswering",
            "huggingface/regression": "robustfim_huggingface.rating.model:Regression",
            "huggingface/tagging-pipeline": "robustfim_huggingface.tagging.given_pipeline:GivenTagger",
            "huggingface/token-classification": "robustfim_huggingface.tagging.model:TokenClassifier",
            "setfit": "robustfim_huggingface.setfit.model:SetFit",
        },
        "constraints": {
            "acceptable": "robustfim_huggingface.fluency.acceptable:Acceptable",
            "perplexity": "robustfim_huggingface.fluency.perplexity:Perplexity",
            "similarity": "robustfim_huggingface.fluency.similarity:Similarity",
        },
        "reports": {"card": "robustfim_huggingface.card.report:ModelCard"},
        "trainers": {
            "huggingface": "robustfim_huggingface.finetune.trainers:ClassifierTrainer",
            "huggingface/choice": "robustfim_huggingface.finetune.trainers:ChoiceTrainer",
        },
    }


@hookimpl(tryfirst=True)
def robustfim_translate(kind: str, value: object) -> dict[str, Any] | None:
    """Convert a transformers pipeline, or a model folder's path, to the suite entry of a model that uses it."""
    if kind != "models":
        return None
    if isinstance(value, Path):
        return _folder(value)
    if type(value).__module__.partition(".")[0] != "transformers" or not hasattr(value, "task"):
        return None
    spans = value.task in ("token-classification", "ner")
    return {"use": "huggingface/tagging-pipeline" if spans else "huggingface/pipeline", "pipeline": value}


_TASKS = {
    "MultipleChoice": "choice",
    "QuestionAnswering": "question-answering",
    "TokenClassification": "token-classification",
}
"""The tasks of models other than text classifiers, by the end of the architecture's name."""


def _folder(path: Path) -> dict[str, Any] | None:
    """Tell what a folder holds by the file that its library writes into it."""
    try:
        here = path.is_dir()
    except OSError:  # a name that no file can have
        return None
    if not here:
        return None
    if (path / "model_head.pkl").is_file() and (path / "modules.json").is_file():
        return {"use": "setfit", "path": path}
    if (path / "adapter_config.json").is_file():
        return {"use": "huggingface", "path": path}
    weights = any(path.glob("*.safetensors"))
    try:
        config = json.loads((path / "config.json").read_text(encoding="utf-8"))
    except OSError:
        return None
    except ValueError:
        return {"use": "huggingface", "path": path} if weights else None  # which says what is wrong with it
    exported = not weights and any(any(path.glob(where)) for where in ("*.onnx", "onnx/*.onnx"))
    if not isinstance(config, dict) or "model_type" not in config or exported:
        return None
    heads = [f"{name}".rpartition("For")[2] for name in config.get("architectures") or ()]
    task = next(filter(None, map(_TASKS.get, heads)), None)
    return {"use": f"huggingface/{task}" if task else "huggingface", "path": path}


@hookimpl
def robustfim_commands() -> Commands:
    """Offer ``robustfim finetune``."""
    return {
        "finetune": (
            "robustfim_huggingface.finetune.command:command",
            "Fine-tune a Hugging Face model on any data.",
            "mend",
        ),
    }
