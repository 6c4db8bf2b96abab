"""Paraphrases by perturbations of any plugin, as a source of rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.candidate import Candidate
from robustfim.contract import ParaphraserContract
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.parts import PerturbationPart
from robustfim.predict import code_fingerprint
from robustfim.roles import Paraphrase
from robustfim.seeds import random_for
from robustfim_sears.paraphrase.edit_score import EditScore
from robustfim_sears.paraphrase.rewrite import Rewrite
from robustfim_sears.paraphrase.sentence_similarity import SentenceSimilarity
from robustfim_sears.paraphrase.variants import combined, surest

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Perturbed"]

_FIELD = "text"
_SEED = 0


class Perturbed:
    """Paraphrases by perturbations, your own included, so that rules can be mined from them.

    Choose perturbations that keep the meaning: every change counts as keeping it with probability ``weight``. The score
    is the product of the weights of the changes, reduced by half the fraction of changed words and marks. Changes that
    no perturbation proposes have a score near 0.

    Args:
        of: Perturbations of texts, by name or as ``{use: synonyms, …}``.
        weight: The weight of a change, above 0 and at most 1.
        most: The largest number of paraphrases of a text.
        together: The largest number of edits in one paraphrase: 1 or 2.
        encoder: A sentence encoder, a folder or a name on the hub: the score is then the cosine of the sentences'
            embeddings.
        device: Where the encoder computes: ``auto``, ``cpu``, ``cuda``, ``mps``.
        offline: Fetch no encoder.
    """

    def __init__(
        self,
        *,
        of: list[PerturbationPart] | PerturbationPart,
        weight: float = 0.9,
        most: int = 64,
        together: int = 2,
        encoder: Path | str | None = None,
        device: str = "auto",
        offline: bool = False,
    ) -> None:
        several = of if isinstance(of, list) else [of]
        if not several:
            raise UsageError("'of' names no perturbation.")
        for part in several:
            if part.takes_steps:
                raise UsageError(
                    f"{part.title} makes steps in embedding space, which are not texts. Leave it out of the rules' "
                    "training data."
                )
        if most < 1 or together not in (1, 2) or not 0 < weight <= 1:
            raise UsageError(
                f"'most' is at least 1, 'together' 1 or 2 and 'weight' above 0 and up to 1, not {most}, {together} and "
                f"{weight}."
            )
        self._of, self._weight, self._most, self._together = several, weight, most, together
        self._similarity = None if encoder is None else SentenceSimilarity(encoder, device=device, offline=offline)
        self._measure: EditScore | SentenceSimilarity = self._similarity or EditScore(self._rewrites)
        self._known: dict[str, tuple[Rewrite, ...]] = {}
        self._seed = _SEED

    @property
    def contract(self) -> ParaphraserContract:
        """Return the score's name (``edit``, or ``similarity`` with an encoder) and its default threshold τ."""
        return self._measure.contract

    @property
    def skipped(self) -> Mapping[str, int]:
        """Return the number of texts that are too long for the encoder."""
        return self._similarity.skipped if self._similarity else {}

    def resources(self) -> dict[str, str]:
        """Return hashes of the perturbations' code, and the options that affect the paraphrases."""
        code = ", ".join(f"{part.title} {code_fingerprint(type(part.made))[:12]}" for part in self._of)
        encoder = f", {self._similarity.identity}" if self._similarity else ""
        return {
            "paraphraser": f"perturbations {code}; {json.dumps([self._weight, self._most, self._together])}{encoder}"
        }

    def prepare(self, context: Context) -> None:
        """Prepare the perturbations with the run's context, and load the encoder if there is one."""
        for part in self._of:
            part.prepare(context)
        if self._similarity is not None:
            self._similarity.prepare(context)

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[list[Paraphrase]]:
        """Apply the perturbations to texts, and score the results."""
        if seed != self._seed:
            self._seed = seed
            self._known.clear()
        new = [Example({_FIELD: text}) for text in texts if text not in self._known]
        for part in self._of:
            if new:
                part.foresee(new)
        lists = [combined(text, self._rewrites(text), self._most, self._together, seed) for text in texts]
        return surest(texts, lists, self.score)

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
        """Return the score of each pair of a text and a candidate; see :class:`Perturbed`."""
        return list(self._measure.score(texts, candidates))

    def _rewrites(self, text: str) -> tuple[Rewrite, ...]:
        if text not in self._known:
            found = list(dict.fromkeys(rewrite for one in self._of for rewrite in self._proposed(one, text)))
            random_for(self._seed, "order", text).shuffle(found)
            self._known[text] = tuple(found)
        return self._known[text]

    def _proposed(self, perturbation: PerturbationPart, text: str) -> list[Rewrite]:
        """Ask one perturbation; of whole candidates, as many as may be paraphrases."""
        example = Example({_FIELD: text})
        random = random_for(self._seed, perturbation.title, text)
        if perturbation.lists_edits:
            edits = perturbation.edits(example, random)
            return [self._rewrite(edit.start, edit.end, edit.after) for edit in edits if edit.after != edit.before]
        candidates = perturbation.propose(example, random, self._most)
        return [rewrite for candidate in candidates for rewrite in self._whole(candidate)]

    def _whole(self, candidate: Candidate) -> Iterable[Rewrite]:
        """Make one rewrite of all edits of a candidate."""
        for edit in Candidate.replacing(candidate.source, candidate.example.fields).edits:
            yield self._rewrite(edit.start, edit.end, edit.after)

    def _rewrite(self, start: int, end: int, after: str) -> Rewrite:
        return Rewrite(start, end, after, self._weight, (start, end))
