"""Paraphrases by perturbations of any plugin, as a source of rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, PositiveInt

from robustfim.candidate import Candidate
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.parts import PerturbationPart
from robustfim.predict import code_fingerprint
from robustfim.roles import Paraphrase
from robustfim.seeds import random_for
from robustfim_sears.paraphrase.rewrite import Rewrite
from robustfim_sears.paraphrase.rewriting import Rewriting

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Perturbed"]

_FIELD = "text"
_SEED = 0


class Perturbed(Rewriting):
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
        weight: Annotated[float, Field(gt=0, le=1)] = 0.9,
        most: PositiveInt = 64,
        together: Literal[1, 2] = 2,
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
        super().__init__(most, together, encoder, device, offline=offline)
        self._of, self._weight, self._seed = several, weight, _SEED

    def resources(self) -> dict[str, str]:
        """Return hashes of the perturbations' code, and the options that affect the paraphrases."""
        code = ", ".join(f"{part.title} {code_fingerprint(type(part.made))[:12]}" for part in self._of)
        options = json.dumps([self._weight, self._most, self._together])
        return {"paraphraser": f"perturbations {code}; {options}{self._encoder}"}

    def prepare(self, context: Context) -> None:
        """Prepare the perturbations with the run's context, and load the encoder if there is one."""
        for part in self._of:
            part.prepare(context)
        super().prepare(context)

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[list[Paraphrase]]:
        """Apply the perturbations to texts, and score the results."""
        if seed != self._seed:
            self._seed = seed
            self._known.clear()
        new = [Example({_FIELD: text}) for text in texts if text not in self._known]
        for part in self._of:
            if new:
                part.foresee(new)
        return super().paraphrase(texts, seed=seed)

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
