"""Small trained classifiers, a tagger and a question answering model, their training, and example data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from robustfim.hookspecs import Commands, Described, Offers, hookimpl

__all__ = ["robustfim_commands", "robustfim_offers", "robustfim_resources", "robustfim_translate"]


@hookimpl
def robustfim_offers() -> Offers:
    """Offer the reference models with their trainers, and data: reviews, messages, requests and questions."""
    return {
        "models": {
            "reference/fasttext": "robustfim_reference.model:FastText",
            "reference/cnn": "robustfim_reference.model:Cnn",
            "reference/lstm": "robustfim_reference.model:Lstm",
            "reference/bert": "robustfim_reference.model:Bert",
            "reference/guard": "robustfim_reference.model:Guard",
            "reference/lexical-qa": "robustfim_reference.lexical_qa:LexicalQa",
            "reference/tagger": "robustfim_reference.tagging.model:Tagger",
        },
        "data": {
            "messages": "robustfim_reference.bundled:Messages",
            "questions": "robustfim_reference.bundled:Questions",
            "requests": "robustfim_reference.bundled:Requests",
            "reviews": "robustfim_reference.bundled:Reviews",
        },
        "trainers": {
            "reference/fasttext": "robustfim_reference.trainers:FastTextTrainer",
            "reference/cnn": "robustfim_reference.trainers:CnnTrainer",
            "reference/lstm": "robustfim_reference.trainers:LstmTrainer",
            "reference/bert": "robustfim_reference.trainers:BertTrainer",
        },
    }


@hookimpl
def robustfim_translate(kind: str, value: object) -> dict[str, Any] | None:
    """Accept a folder written by ``robustfim train`` as a model."""
    if kind != "models" or not isinstance(value, Path):
        return None
    from robustfim_reference.folder import CONFIG

    try:
        config = json.loads((value / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    name = f"reference/{config.get('architecture')}" if isinstance(config, dict) else ""
    return {"use": name, "path": value} if name in robustfim_offers()["trainers"] else None


@hookimpl
def robustfim_commands() -> Commands:
    """Offer ``robustfim train``."""
    return {
        "train": ("robustfim_reference.train:command", "Train a small reference model on CSV files.", "mend"),
    }


@hookimpl
def robustfim_resources() -> Described:
    """Report whether the weights of the reference models are installed."""
    from robustfim_reference.resources import resources

    return resources()
