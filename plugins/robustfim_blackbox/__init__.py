"""Models without gradients: functions, endpoints, chat models, files of other libraries and files of answers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustfim.hookspecs import Offers, hookimpl

if TYPE_CHECKING:
    from robustfim.record import Record
    from robustfim.suite import RunConfig

__all__ = [
    "robustfim_first_suite",
    "robustfim_offers",
    "robustfim_report_header",
    "robustfim_terminal_summary",
    "robustfim_translate",
]


@hookimpl
def robustfim_offers() -> Offers:
    """Name this plugin's models without gradients, their score, and perturbations and constraints by a chat model."""
    return {
        "models": {
            "windows": "robustfim_blackbox.windows:Windows",
            "python": "robustfim_blackbox.function:PythonFunction",
            "sklearn": "robustfim_blackbox.pipeline:SklearnPipeline",
            "http": "robustfim_blackbox.http_model:HttpModel",
            "chat": "robustfim_blackbox.chat.model:ChatModel",
            "predictions": "robustfim_blackbox.predictions:Predictions",
            "onnx": "robustfim_blackbox.onnx_file:OnnxFile",
            "spacy": "robustfim_blackbox.spacy_textcat:SpacyTextcat",
            "spacy/pipeline": "robustfim_blackbox.spacy_textcat:GivenTextcat",
        },
        "perturbations": {
            "instruct": "robustfim_blackbox.chat.rewriting:Instruct",
            "promptattack": "robustfim_blackbox.chat.rewriting:PromptAttack",
        },
        "constraints": {"chat_judge": "robustfim_blackbox.chat.judge:ChatJudge"},
        "paraphrasers": {"chat": "robustfim_blackbox.chat.paraphraser:ChatParaphraser"},
        "scorers": {"flips": "robustfim_blackbox.flips:Flips"},
    }


@hookimpl(trylast=True)
def robustfim_translate(kind: str, value: object) -> dict[str, Any] | None:
    """Accept pipelines of spaCy and scikit-learn, other callables (as ``python``), ``module:name``, and model files."""
    if isinstance(value, Path):
        if kind != "models":
            return None
        if saved := _saved(value):
            return {"use": saved, "path": value}
        place = re.fullmatch(r"([\w.]+?)(?:\.py)?:([\w.]+)", str(value))
        return {"use": "python", "call": ":".join(place.groups())} if place else None
    if kind == "models" and any(each.__module__ == "spacy.language" for each in type(value).__mro__):
        return {"use": "spacy/pipeline", "pipeline": value}
    if callable(value) and hasattr(value, "predict_proba") and not hasattr(value, "classes_"):  # such as SetFit's
        value = value.predict_proba
    if kind == "models" and (hasattr(value, "predict_proba") or (hasattr(value, "predict") and not callable(value))):
        return {"use": "sklearn", "call": value}
    return {"use": "python", "call": value} if kind == "models" and callable(value) else None


def _saved(path: Path) -> str | None:
    """Tell which library wrote a file or folder, by what it is called there."""
    from robustfim_blackbox.saved import onnx_files

    try:
        if path.is_dir():
            return "spacy" if (path / "meta.json").is_file() else "onnx" if onnx_files(path) else None
        return "onnx" if path.suffix == ".onnx" and path.is_file() else None
    except OSError:  # a name that no file can have
        return None


@hookimpl
def robustfim_report_header(config: RunConfig) -> list[str]:
    """Return header lines on the chat models that write or judge texts for a suite's checks, with their budgets."""
    from robustfim_blackbox.chat.account import named_chats

    return list(dict.fromkeys(named_chats(config.file.data.get("checks"))))


@hookimpl
def robustfim_terminal_summary(record: Record) -> list[str]:
    """Print the requests and tokens of chat models, and their unusable answers."""
    own = ["writers"] + ["chat"] * (record.model.use == "chat")
    return [finding for section in record.sections if section.name in own for finding in section.findings]


@hookimpl
def robustfim_first_suite() -> dict[str, object]:
    """Suggest a score that needs no gradients for a new suite."""
    sentence = "'scores: [flips]' and 'by: flips' find hard ones by queries alone, about 20 for each example."
    return {"without_gradients": sentence}
