"""Paraphrases by rules: the shipped rewrites, which need no model weights."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import PositiveInt

from robustfim.errors import UsageError
from robustfim.roles import Paraphrase
from robustfim_sears.paraphrase.phrase_table import SHIPPED, PhraseTable, read_phrases
from robustfim_sears.paraphrase.rewrite import Rewrite
from robustfim_sears.paraphrase.rewriting import Rewriting
from robustfim_sears.rule.tagged_text import tag_texts

if TYPE_CHECKING:
    from robustfim.roles import Context, Tagger

__all__ = ["Phrases"]


class Phrases(Rewriting):
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
        most: PositiveInt = 64,
        together: Literal[1, 2] = 2,
        encoder: Path | str | None = None,
        device: str = "auto",
        offline: bool = False,
    ) -> None:
        super().__init__(most, together, encoder, device, offline=offline)
        phrases = read_phrases(source or SHIPPED)
        self._table = PhraseTable(phrases)
        written = "\n".join(f"{phrase.rule.text} {phrase.place} {phrase.weight}" for phrase in phrases)
        self._digest = hashlib.sha256(written.encode()).hexdigest()[:12]
        self._tagger: Tagger | None = None

    def resources(self) -> dict[str, str]:
        """Return a hash of the rewrites, and the options that affect the paraphrases."""
        how = f"{self._most} a text, {self._together} together{self._encoder}"
        return {"paraphraser": f"phrases {self._digest}, {how}"}

    def prepare(self, context: Context) -> None:
        """Store the run's tagger, and load the encoder if there is one."""
        self._tagger = context.tagger
        super().prepare(context)

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[list[Paraphrase]]:
        """Apply rewrites to texts, which are tagged all at once."""
        self._look_up(texts)
        return super().paraphrase(texts, seed=seed)

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
        """Return the score of each pair of a text and a candidate; see :class:`Phrases`."""
        if self._similarity is None:
            self._look_up(texts)
        return super().score(texts, candidates)

    def _look_up(self, texts: Iterable[str]) -> None:
        """Tag the texts that are new, all at once, and find what can be rewritten."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new and self._tagger is None:
            raise UsageError("phrases: 'prepare' must be called first, since the rewrites ask for parts of speech.")
        if new and self._tagger is not None:
            self._known |= {each.text: tuple(self._table.rewrites(each)) for each in tag_texts(self._tagger, new)}

    def _rewrites(self, text: str) -> Sequence[Rewrite]:
        return self._known[text]
