"""Pipelines of transformers that a script has loaded, or that an import path names."""

from __future__ import annotations

import hashlib
import json
import pkgutil
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from robustfim.errors import ModelError, UsageError
from robustfim_checkpoints.library import reason

__all__ = ["Given"]


class Given:
    """Base of the models that are pipelines of transformers.

    Args:
        given: The pipeline, or the import path ``package.module:name`` of a pipeline or of a function without arguments
            that returns a pipeline. The current folder is searched after the installed packages.
        tasks: Transformers' names for the pipeline's task.

    Raises:
        UsageError: The import path names no object, the pipeline has another task, or its ``max_length`` is more than
            the model's number of positions.
        ModelError: The pipeline's module raised an error on import.
    """

    def __init__(self, given: Any, tasks: Sequence[str]) -> None:
        from robustfim_huggingface.checkpoint.reading import Reading

        self._pipeline = pipeline = _imported(given)
        if getattr(pipeline, "task", None) not in tasks:
            raise UsageError(f"a pipeline for {tasks[0]} is needed, not {getattr(pipeline, 'task', pipeline)!r}.")
        self.device = str(pipeline.device)
        own = getattr(pipeline, "_preprocess_params", {}).get("max_length")
        name = getattr(pipeline.model, "name_or_path", "") or type(pipeline.model).__name__
        self._reading = Reading(pipeline.tokenizer, pipeline.model, own, name)
        self.fingerprint = _fingerprint(pipeline, self._reading.limit)


def _imported(given: Any) -> Any:
    """A pipeline, imported where its import path is given."""
    if isinstance(given, str) and ":" in given:
        if (here := str(Path.cwd())) not in sys.path:
            sys.path.append(here)
        try:
            found = pkgutil.resolve_name(given)
            found = found() if callable(found) and not hasattr(found, "task") else found
        except (ImportError, AttributeError, ValueError) as error:
            raise UsageError(f"pipeline={given!r} names no object, package.module:name: {reason(error)}") from error
        except Exception as error:  # the user's module may raise anything
            raise ModelError(f"pipeline={given!r} cannot be loaded: {reason(error)}") from error
        return found
    return given


def _fingerprint(pipeline: Any, limit: int | None) -> str:
    """Hash a pipeline's weights, tokenizer, configuration and options as they are in memory.

    Returns:
        64 hexadecimal digits. They are random, so that no two are equal, if the pipeline, the model or the tokenizer is
        not a class of transformers, or if the tokenizer is slow.
    """
    import torch

    model, tokenizer = pipeline.model, pipeline.tokenizer
    own = {type(each).__module__.partition(".")[0] for each in (pipeline, model, tokenizer)}
    if own != {"transformers"} or not tokenizer.is_fast:
        return secrets.token_hex(32)
    words = json.loads(tokenizer.backend_tokenizer.to_str())
    words |= {"truncation": None, "padding": None}  # as the last call left them
    options = [pipeline._preprocess_params, pipeline._postprocess_params, limit, str(model.dtype)]
    digest = hashlib.sha256(json.dumps([words, model.config.to_dict(), options], default=str).encode())
    for name, weight in model.state_dict().items():
        digest.update(name.encode())
        digest.update(weight.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()
