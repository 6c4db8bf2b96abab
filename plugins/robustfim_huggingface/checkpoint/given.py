"""Pipelines of transformers that a script has loaded, or that an import path names."""

from __future__ import annotations

import hashlib
import json
import pkgutil
import secrets
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustfim.errors import ModelError, UsageError
from robustfim_checkpoints.library import reason

if TYPE_CHECKING:
    from robustfim_huggingface.checkpoint.reading import Reading

__all__ = ["cut_at", "fingerprint_of", "pipeline_of", "reading_of"]


def pipeline_of(given: Any, tasks: Collection[str], task: str) -> Any:
    """Return a pipeline, importing it if its import path is given.

    Args:
        given: The pipeline, or the import path ``package.module:name`` of a pipeline or of a function without arguments
            that returns a pipeline. The current folder is searched after the installed packages.
        tasks: Transformers' names for the pipeline's task.
        task: The first of these names, for messages.

    Raises:
        UsageError: The import path names no object, or the pipeline has another task.
        ModelError: The pipeline's module raised an error on import.
    """
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
        given = found
    if getattr(given, "task", None) not in tasks:
        raise UsageError(f"a pipeline for {task} is needed, not {getattr(given, 'task', given)!r}.")
    return given


def reading_of(pipeline: Any) -> Reading:
    """Return a pipeline's tokenizer with its limit: the pipeline's ``max_length``, else that of tokenizer and model.

    Raises:
        UsageError: The pipeline's ``max_length`` is more than the model's number of positions.
    """
    from robustfim_huggingface.checkpoint.reading import Reading

    own = getattr(pipeline, "_preprocess_params", {}).get("max_length")
    name = getattr(pipeline.model, "name_or_path", "") or type(pipeline.model).__name__
    return Reading(pipeline.tokenizer, pipeline.model, own, name)


@contextmanager
def cut_at(tokenizer: Any, limit: int | None) -> Iterator[None]:
    """Set a tokenizer's maximum length inside the ``with`` block, so that every caller truncates texts there."""
    own = tokenizer.model_max_length
    tokenizer.model_max_length = own if limit is None else limit
    try:
        yield
    finally:
        tokenizer.model_max_length = own


def fingerprint_of(pipeline: Any, limit: int | None) -> str:
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
