"""The edit ranker: chooses the most natural of several edits of one place, by the states of a named encoder."""

from __future__ import annotations

import hashlib
import importlib.util
from abc import ABC
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from robustfim.candidate import Edit
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_words.tagging.resourced import Editing, WithTagger
from robustfim_words.text.lexicon import files_hash

if TYPE_CHECKING:
    from robustfim_words.ranking.states import EditStates

__all__ = ["OFFERED", "WEIGHTS", "EditRanker", "Ranked"]

WEIGHTS = Path(__file__).with_name("weights.npz")
OFFERED = 8
"""The number of edits of one place among which the ranker chooses."""


class EditRanker:
    """Scores how natural edits read, by a logistic regression on the hidden states of a frozen encoder.

    Args:
        encoder: The folder of the encoder for which the weights were trained.
        weights: The weights; the shipped ones by default.

    Raises:
        UsageError: The folder holds another encoder or none, or transformers is not installed.
    """

    def __init__(self, encoder: Path, weights: Path = WEIGHTS) -> None:
        import numpy as np

        with np.load(weights, allow_pickle=False) as saved:
            table = dict(saved)
        name, path = str(table["encoder"]), encoder / "model.safetensors"
        if not path.is_file():
            raise UsageError(f"ranker: {str(encoder)!r} is no folder of an encoder: it has no model.safetensors")
        if hashlib.sha256(path.read_bytes()).hexdigest() != str(table["digest"]):
            raise UsageError(f"ranker: {str(encoder)!r} holds another encoder than {name}, for which it was trained")
        if importlib.util.find_spec("transformers") is None:
            raise UsageError("ranker: an encoder needs transformers: pip install 'robustfim[huggingface]'")
        self._encoder, self._layer = encoder, int(table["layer"])
        self._weights, self._constant = table["weights"].astype("float32"), float(table["constant"])
        self.version = f"{name} {files_hash(encoder)}, weights {files_hash(weights)}"
        """The encoder and the weights, with a hash of each."""

    @cached_property
    def _states(self) -> EditStates:
        from robustfim_words.ranking.states import EditStates

        return EditStates(self._encoder, self._layer)

    def scores(self, example: Example, edits: Sequence[Edit]) -> list[float]:
        """Return for each edit the log odds that readers find the edit natural, to four decimals.

        Args:
            example: The example.
            edits: One or more possible edits of the example.
        """
        from robustfim_words.ranking.states import features

        changes = [(example.fields[edit.field], [(edit.start, edit.end, edit.after)]) for edit in edits]
        found = features(*self._states.means(changes)) @ self._weights + self._constant
        return [round(float(score), 4) for score in found]

    def best(self, example: Example, edits: Iterable[Edit]) -> Iterator[Edit]:
        """Yield the most natural edit at each place of the text, among at most eight edits of that place.

        Args:
            example: The example.
            edits: The possible edits of the example.
        """
        places: dict[tuple[str, int], list[Edit]] = {}
        for edit in edits:
            places.setdefault((edit.field, edit.end), []).append(edit)
        offered = [its[:OFFERED] for its in places.values()]
        several = [edit for its in offered if len(its) > 1 for edit in its]
        scores = dict(zip(several, self.scores(example, several) if several else (), strict=True))
        yield from (max(its, key=lambda edit: scores.get(edit, 0.0)) for its in offered)


class Ranked(WithTagger, Editing, ABC):
    """Base class of perturbations that can choose the most natural edit at each place, with the edit ranker."""

    _ranker: EditRanker | None = None

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the possible edits of an example; with a ranker, only the most natural edit at each place."""
        found = super().edits(example, random)
        return found if self._ranker is None else self._ranker.best(example, found)

    def resources(self) -> dict[str, str]:
        """Identify the tagger and the tables, and the encoder if the edits are ranked."""
        return super().resources() | ({} if self._ranker is None else {"ranker": self._ranker.version})
