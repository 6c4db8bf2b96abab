"""The head of a SetFit model: a logistic regression read from its pickle without running the pickle's code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from robustfim.errors import ModelError
from robustfim.labels import read_label
from robustfim_checkpoints.library import library, reason

__all__ = ["HEAD", "Head"]

HEAD = "model_head.pkl"


class Head:
    """The weights of the logistic regression that a SetFit model has on top of its encoder.

    With embeddings X the logits are ``X weightsᵀ + bias``, and their softmax equals scikit-learn's ``predict_proba``.
    For two classes scikit-learn stores one row w: σ(w x + b) is the softmax of (0, w x + b).

    Args:
        folder: The folder of the SetFit model.

    Attributes:
        classes: The names of the classes, ``[classes]``.
        weights: The weights, ``[classes, dims]``.
        bias: The intercepts, ``[classes]``.

    Raises:
        ModelError: There is no head, or the head is not a fitted logistic regression with one label for each text.
    """

    def __init__(self, folder: Path) -> None:
        library("sklearn", extra="setfit")
        fitted = _read(folder / HEAD)
        state = vars(fitted)
        missing = [name for name in ("classes_", "coef_", "intercept_") if name not in state]
        if missing or state.get("multi_class") == "ovr":
            kind = f"has no {missing[0]!r}: it is not fitted" if missing else "was fitted one class against the rest"
            raise ModelError(f"model {folder}: its head {kind}. Call it from your own function, with 'use: python'.")
        self.classes = tuple(read_label(name) or str(name) for name in state["classes_"])
        weights: npt.NDArray[np.float64] = np.asarray(state["coef_"], np.float64)
        bias: npt.NDArray[np.float64] = np.broadcast_to(np.asarray(state["intercept_"], np.float64), len(weights))
        alone = len(weights) == 1
        self.weights = np.concatenate([np.zeros_like(weights), weights]) if alone else weights
        self.bias = np.concatenate([np.zeros(1), bias]) if alone else bias


def _read(path: Path) -> Any:
    """Read a pickle that may name a logistic regression and arrays of numbers or text, and nothing else."""
    from joblib.numpy_pickle import NumpyArrayWrapper, NumpyUnpickler
    from sklearn.linear_model import LogisticRegression

    class Array(NumpyArrayWrapper):  # type: ignore[misc]  # joblib ships no types
        def read(self, unpickler: Any, ensure_native_byte_order: bool) -> Any:
            if self.dtype.hasobject:  # joblib reads those with a pickle of their own, which may name anything
                raise ModelError("it holds an array of Python objects")
            return super().read(unpickler, ensure_native_byte_order)

    known = {
        ("sklearn.linear_model._logistic", "LogisticRegression"): LogisticRegression,
        ("joblib.numpy_pickle", "NumpyArrayWrapper"): Array,
        ("numpy", "ndarray"): np.ndarray,
        ("numpy", "dtype"): np.dtype,
    }

    class Unpickler(NumpyUnpickler):  # type: ignore[misc]  # joblib ships no types
        def find_class(self, module: str, name: str) -> Any:
            if (module, name) not in known:
                raise ModelError(f"it names {module}.{name}")
            return known[module, name]

    try:
        with path.open("rb") as file:
            found = Unpickler(str(path), file, ensure_native_byte_order=True).load()
    except Exception as error:  # a pickle of another make may raise anything
        refused = isinstance(error, ModelError)
        raise ModelError(
            f"model {path.parent}: {path.name} is not read, because {f'{error}.' if refused else reason(error)} "
            "robustfim reads a logistic regression of scikit-learn, SetFit's usual head, and runs no code of a pickle. "
            "If you trust it, load the model in a function of yours, with 'use: python'."
        ) from (None if refused else error)
    if type(found) is not LogisticRegression:
        raise ModelError(f"model {path.parent}: {path.name} holds a {type(found).__name__}, no logistic regression.")
    return found
