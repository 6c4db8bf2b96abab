"""A check whether the weights of all reference models are installed."""

from __future__ import annotations

from robustfim.errors import UsageError
from robustfim_reference.model import Bert, Cnn, FastText, Guard, Lstm
from robustfim_reference.tagging.model import Tagger

__all__ = ["resources"]


def resources() -> dict[str, tuple[str, str]]:
    """Check the folder of each reference model, without reading its weights.

    Returns:
        A mapping from ``weights`` to a state and a sentence that explains the state.
    """
    named, broken = [], []
    for model in (FastText, Cnn, Lstm, Bert, Guard, Tagger):
        try:
            named.append(model().folder.path.name)
        except UsageError as error:
            broken.append(str(error))
    if broken:
        return {"weights": ("problem", f"{' '.join(broken)} Install robustfim again.")}
    return {"weights": ("ok", ", ".join(named))}
