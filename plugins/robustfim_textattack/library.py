"""Import of TextAttack without network access and without its messages."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import random as python_random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from random import Random
from typing import Any

from robustfim.errors import UsageError
from robustfim_textattack.resources import textattack_cache
from robustfim_textattack.stop_words import provide_stop_words

__all__ = ["class_of", "offline", "seeded", "textattack"]

_PLACES = (
    "transformations",
    "constraints.overlap",
    "constraints.pre_transformation",
    "constraints.grammaticality",
    "constraints.grammaticality.language_models",
    "constraints.semantics",
    "constraints.semantics.sentence_encoders",
    "attack_recipes",
)


@cache
def textattack() -> Any:
    """Import TextAttack, which takes seconds.

    On its first import TextAttack would fetch NLTK data, and fail without NLTK's stop words. This function prevents the
    download and provides the stop words.

    Raises:
        UsageError: TextAttack is not installed, or its import fails.
    """
    if importlib.util.find_spec("textattack") is None:
        raise UsageError("the library 'textattack' is missing: pip install 'robustfim[textattack]'.")
    provide_stop_words()
    try:
        with _nothing_fetched():
            package = importlib.import_module("textattack")
    except Exception as error:  # it looks for data when it is imported, and its libraries raise anything
        raise UsageError(f"TextAttack cannot be imported: {type(error).__name__}: {error}") from error
    package.shared.utils.logger.setLevel(logging.ERROR)
    return package


def class_of(name: str) -> Any:
    """Return a transformation, constraint or recipe class of TextAttack by its name.

    Raises:
        UsageError: TextAttack cannot be imported.
        AttributeError: TextAttack has no class of this name.
    """
    textattack()
    for place in _PLACES:
        found = getattr(importlib.import_module(f"textattack.{place}"), name, None)
        if found is not None:
            return found
    raise AttributeError(f"TextAttack has no {name!r}")


@contextmanager
def seeded(random: Random) -> Iterator[None]:
    """Seed all global random generators inside the ``with`` block from ``random``, and restore them afterwards."""
    import numpy as np
    import torch

    seed = random.getrandbits(32)
    states = python_random.getstate(), np.random.get_state(), torch.get_rng_state()
    python_random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    try:
        yield
    finally:
        python_random.setstate(states[0])
        np.random.set_state(states[1])
        torch.set_rng_state(states[2])


@contextmanager
def offline() -> Iterator[None]:
    """Block downloads of NLTK and of the Hugging Face hub inside the ``with`` block."""
    import nltk
    from huggingface_hub import constants
    from transformers.utils import hub

    known = nltk.download, constants.HF_HUB_OFFLINE, hub._is_offline_mode
    nltk.download, constants.HF_HUB_OFFLINE, hub._is_offline_mode = _no_download, True, True
    try:
        yield
    finally:
        nltk.download, constants.HF_HUB_OFFLINE, hub._is_offline_mode = known


@contextmanager
def _nothing_fetched() -> Iterator[None]:
    """Keep TextAttack's first import from fetching, and leave its own first use to itself."""
    import nltk

    marker = textattack_cache() / "post_install_check_3"
    known, download, quiet = marker.exists(), nltk.download, logging.root.manager.disable
    nltk.download = _no_download
    logging.disable(logging.WARNING)
    try:
        yield
    finally:
        nltk.download = download
        logging.disable(quiet)
        if not known:
            marker.unlink(missing_ok=True)


def _no_download(*_: Any, **__: Any) -> bool:
    """Stand for ``nltk.download`` without a network, which answers so, too."""
    return False
