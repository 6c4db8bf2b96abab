"""Paraphrases by rules: the shipped rewrites, which need no model weights."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.contract import ParaphraserContract
from robustfim.errors import UsageError
from robustfim.roles import Paraphrase
from robustfim_sears.paraphrase.edit_score import EditScore
from robustfim_sears.paraphrase.phrase_table import SHIPPED, PhraseTable, read_phrases
from robustfim_sears.paraphrase.rewrite import Rewrite
from robustfim_sears.paraphrase.sentence_similarity import SentenceSimilarity
from robustfim_sears.paraphrase.variants import combined, surest
from robustfim_sears.rule.tagged_text import TaggedText, tag_texts

if TYPE_CHECKING:
    from robustfim.roles import Context, Tagger

__all__ = ["Phrases"]


class Phrases:
    """Paraphrases by a table of rules that rarely change the meaning; needs no model weights.

    The rules change contractions, questions ("What is" and "So what is"), marks, function words, adverbs, synonyms,
    openers and spelling, one or two at once. Texts in other languages than English have no paraphrase. Tense never
    changes. The score is the product of the weights of the rules, reduced by half the fraction of changed words and
    marks.

    Args:
        source: A table of rewrites, or a folder of tables (``*.tsv``); the shipped ones by default.
        most: The largest number of paraphrases of a text.
        together: The largest number of rules applied in one paraphrase: 1 or 2.
        encoder: A sentence encoder, a folder or a name on the hub: the score is then the cosine of the sentences'
            embeddings.
        device: Where the encoder computes: ``auto``, ``cpu``, ``cuda``, ``mps``.
        offline: Fetch no encoder.

    Raises:
        UsageError: A table is missing or malformed, or an option has no usable value.
    """

    def __init__(
        self,
        *,
        source: Path | None = None,
        most: int = 64,
        together: int = 2,
        encoder: Path | str | None = None,
        device: str = "auto",
        offline: bool = False,
    ) -> None:
        if most < 1 or together not in (1, 2):
            raise UsageError(f"'most' is at least 1 and 'together' 1 or 2, not {most} and {together}.")
        self._most, self._together = most, together
        phrases = read_phrases(source or SHIPPED)
        self._table = PhraseTable(phrases)
        written = "\n".join(f"{phrase.rule.text} {phrase.place} {phrase.weight}" for phrase in phrases)
        self._digest = hashlib.sha256(written.encode()).hexdigest()[:12]
        self._similarity = None if encoder is None else SentenceSimilarity(encoder, device=device, offline=offline)
        self._measure: EditScore | SentenceSimilarity = self._similarity or EditScore(self._rewrites)
        self._tagger: Tagger | None = None
        self._known: dict[str, tuple[Rewrite, ...]] = {}

    @property
    def contract(self) -> ParaphraserContract:
        """Return the score's name (``edit``, or ``similarity`` with an encoder) and its default threshold τ."""
        return self._measure.contract

    @property
    def skipped(self) -> Mapping[str, int]:
        """Return the number of texts that are too long for the encoder."""
        return self._similarity.skipped if self._similarity else {}

    def resources(self) -> dict[str, str]:
        """Return a hash of the rewrites, and the options that affect the paraphrases."""
        encoder = f", {self._similarity.identity}" if self._similarity else ""
        return {"paraphraser": f"phrases {self._digest}, {self._most} a text, {self._together} together{encoder}"}

    def prepare(self, context: Context) -> None:
        """Store the run's tagger, and load the encoder if there is one."""
        self._tagger = context.tagger
        if self._similarity is not None:
            self._similarity.prepare(context)

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[list[Paraphrase]]:
        """Apply rewrites to texts: each rewrite alone, then pairs of rewrites, up to ``most`` paraphrases.

        Returns:
            ``[texts][paraphrases]``, the highest score first.
        """
        self._look_up(texts)
        lists = [combined(text, self._known[text], self._most, self._together, seed) for text in texts]
        return surest(texts, lists, self.score)

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
        """Return the score of each pair of a text and a candidate; see :class:`Phrases`."""
        if self._similarity is None:
            self._look_up(texts)
        return list(self._measure.score(texts, candidates))

    def _look_up(self, texts: Iterable[str]) -> None:
        """Tag the texts that are new, all at once, and find what can be rewritten."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new and self._tagger is None:
            raise UsageError("phrases: 'prepare' must be called first, since the rewrites ask for parts of speech.")
        if new and self._tagger is not None:
            for tagged in tag_texts(self._tagger, new):
                self._known[tagged.text] = self._find(tagged)

    def _find(self, tagged: TaggedText) -> tuple[Rewrite, ...]:
        return tuple(self._table.rewrites(tagged))

    def _rewrites(self, text: str) -> Sequence[Rewrite]:
        return self._known[text]
