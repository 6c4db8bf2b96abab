"""The model ``reference/tagger``, whose weights are loaded at the first text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.spans import Span
from robustfim_reference.folder import WEIGHTS, ModelFolder
from robustfim_reference.tagging.features import spans_of, tokens_of
from robustfim_reference.tagging.network import TaggerNetwork, likeliest_tags

__all__ = ["Tagger"]


class Tagger:
    """A small tagger of people, places, organisations, addresses, mails, phones and accounts, in NumPy.

    The embedding of a token is the mean of the hashed embeddings of its features. Two convolutions compute a token's
    tag from the token and its neighbours, three on either side. The tagger reads English only, with the accuracy in its
    model card.
    """

    libraries: ClassVar[Mapping[str, str]] = {}
    labels: tuple[str, ...] = ()
    """None: a decision is the set of spans of a text."""

    def __init__(self) -> None:
        self.folder = ModelFolder.open(None, "tagger", None)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 over the settings and the weights."""
        return self.folder.fingerprint

    @property
    def span_labels(self) -> list[str]:
        """The labels of spans, in the order of the tags."""
        return [tag.removeprefix("B-") for tag in self.folder.labels[1::2]]

    @cached_property
    def network(self) -> TaggerNetwork:
        """The network with its weights.

        Raises:
            UsageError: The weights cannot be read, or do not fit the settings.
        """
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            return TaggerNetwork.of(load_file(self.folder.path / WEIGHTS), tags=len(self.folder.labels))
        except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
            raise UsageError(
                f"{self.folder.path}: the weights cannot be read: {error}. Install robustfim again."
            ) from error

    def tag(self, examples: Sequence[Example]) -> list[list[Span]]:
        """Find the spans of texts."""
        return [self._spans(example.text) for example in examples]

    def _spans(self, text: str) -> list[Span]:
        from scipy.special import log_softmax

        tokens = tokens_of(text, len(self.network.table))
        if not tokens.rows:
            return []
        scores = log_softmax(self.network.logits(self.network.embed(tokens.rows)), axis=1)
        tags = likeliest_tags(scores)
        sure = np.exp(scores[np.arange(len(tags)), tags]).tolist()
        return spans_of(tokens.places, tags, [round(each, 6) for each in sure], self.span_labels)
