"""The base of paraphrasers that apply known rewrites to a text, alone and in pairs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.contract import ParaphraserContract
from robustfim.roles import Paraphrase
from robustfim_sears.paraphrase.edit_score import EditScore
from robustfim_sears.paraphrase.rewrite import Rewrite
from robustfim_sears.paraphrase.sentence_similarity import SentenceSimilarity
from robustfim_sears.paraphrase.variants import combined, surest

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Rewriting"]


class Rewriting(ABC):
    """Base of paraphrasers by rewrites, scored by these rewrites or by a sentence encoder.

    Args:
        most: The largest number of paraphrases of a text, ≥ 1.
        together: The largest number of rewrites in a paraphrase: 1 or 2.
        encoder: A sentence encoder; None for the edit score.
        device: The device of the encoder.
        offline: Whether downloads are forbidden.
    """

    def __init__(self, most: int, together: int, encoder: Path | str | None, device: str, *, offline: bool) -> None:
        self._most, self._together = most, together
        self._similarity = None if encoder is None else SentenceSimilarity(encoder, device=device, offline=offline)
        self._measure: EditScore | SentenceSimilarity = self._similarity or EditScore(self._rewrites)
        self._known: dict[str, tuple[Rewrite, ...]] = {}

    @abstractmethod
    def _rewrites(self, text: str) -> Sequence[Rewrite]:
        """List the rewrites of a text."""

    @property
    def contract(self) -> ParaphraserContract:
        """Return the score's name (``edit``, or ``similarity`` with an encoder) and its default threshold τ."""
        return self._measure.contract

    @property
    def skipped(self) -> Mapping[str, int]:
        """Return the number of texts that are too long for the encoder."""
        return self._similarity.skipped if self._similarity else {}

    @property
    def _encoder(self) -> str:
        """The encoder, to write behind the other resources."""
        return f", {self._similarity.identity}" if self._similarity else ""

    def prepare(self, context: Context) -> None:
        """Load the encoder if there is one."""
        if self._similarity is not None:
            self._similarity.prepare(context)

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[list[Paraphrase]]:
        """Apply rewrites to texts: each rewrite alone, then pairs of rewrites, up to ``most`` paraphrases.

        Returns:
            ``[texts][paraphrases]``, the highest score first.
        """
        lists = [combined(text, self._rewrites(text), self._most, self._together, seed) for text in texts]
        return surest(texts, lists, self.score)

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
        """Return the score of each pair of a text and a candidate."""
        return list(self._measure.score(texts, candidates))
