"""Models without gradients: a function, a pipeline, an endpoint, a chat, a file of answers; and a score for them."""

from __future__ import annotations

from robustfim import hookimpl

__all__ = ["robustfim_first_suite", "robustfim_models", "robustfim_scorers"]


@hookimpl
def robustfim_models() -> dict[str, str]:
    """Offer ``python``, ``sklearn``, ``http``, ``chat`` and ``predictions``."""
    return {
        "python": "robustfim_blackbox.function:PythonFunction",
        "sklearn": "robustfim_blackbox.pipeline:SklearnPipeline",
        "http": "robustfim_blackbox.http_model:HttpModel",
        "chat": "robustfim_blackbox.chat:ChatModel",
        "predictions": "robustfim_blackbox.predictions:Predictions",
    }


@hookimpl
def robustfim_scorers() -> dict[str, str]:
    """Offer ``flips``."""
    return {"flips": "robustfim_blackbox.flips:Flips"}


@hookimpl
def robustfim_first_suite() -> dict[str, object]:
    """Tell of the score that needs no gradients."""
    told = "'scores: [flips]' and 'by: flips' find hard ones by queries alone, about 20 for each example."
    return {"without_gradients": told}
