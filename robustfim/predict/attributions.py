"""Attributions: the importance of words, computed once per example and kept for every check and report."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from robustfim.blame import blame
from robustfim.errors import ModelError, PluginError, RobustfimError
from robustfim.example import Example
from robustfim.importance import Importance, WordImportance
from robustfim.parts import AttributionPart
from robustfim.predict.store import Store, key_of
from robustfim.record import AttributionRecord, ImportanceRecord
from robustfim.roles import Attribution, Context, Progress

__all__ = ["Attributions", "NamedAttribution"]

_TOGETHER = 64
"""Examples explained before the results are written to the store; a plugin may use smaller batches."""


@dataclass(frozen=True)
class NamedAttribution:
    """An attribution with its options, and the key of both in the store."""

    attribution: Attribution
    options: Mapping[str, Any]
    identity: tuple[Any, ...]
    who: str = "the attribution"
    """The attribution's name in errors."""


class Attributions:
    """The contributions of words to the predicted label, from the store or newly computed.

    Args:
        named: The attribution method; None if the suite asks for none.
        model: The model; None without a method.
        content: Returns the parts of the store key for the model and an example.
        store: The store in which the contributions are kept; in memory by default.
        progress: Called with ("attribution", examples done, examples).

    Attributes:
        message: Why reports cannot show word contributions; empty if they can.
    """

    def __init__(
        self,
        named: NamedAttribution | None,
        model: Any = None,
        content: Callable[[Example], Any] = lambda example: example.id,
        store: Store | None = None,
        progress: Progress = lambda *_: None,
    ) -> None:
        self._named, self._content = named, content
        self._model, self._store, self._progress = model, store or Store(None), progress
        self._found: dict[str, Importance] = {}
        self.message = ""

    def prepare(self, context: Context) -> None:
        """Give the attribution the run's context before the first example."""
        if self._named is not None:
            AttributionPart(self._named.attribution).prepare(context)

    def of(self, examples: Sequence[Example]) -> list[Importance]:
        """Return the contributions of the words of each example; only those that are not stored are computed.

        Raises:
            ModelError: The model has no gradients, or a library is missing.
            PluginError: The attribution raised, or returned something other than importances.
        """
        if self._named is None:
            raise ModelError("the suite does not compute the importance of words. Write 'attribution: true' in it.")
        missing = {
            key_of("importance", self._named.identity, self._content(example)): example
            for example in examples
            if example.id not in self._found
        }
        for key, kept in self._store.get(list(missing), _read).items():
            self._found[missing.pop(key).id] = kept
        # The longest first: where memory runs out, it does so at once.
        waiting = sorted(missing.items(), key=lambda item: len(item[1].text), reverse=True)
        for start in range(0, len(waiting), _TOGETHER):
            part = waiting[start : start + _TOGETHER]
            fresh = self._explain(self._named, [example for _, example in part])
            self._store.put({key: _written(importance) for (key, _), importance in zip(part, fresh, strict=True)})
            self._found.update({example.id: importance for (_, example), importance in zip(part, fresh, strict=True)})
            self._progress("attribution", start + len(part), len(waiting))
        return [self._found[example.id] for example in examples]

    def show(self, examples: Sequence[Example], failing: Collection[str]) -> None:
        """Compute the contributions of words that reports show; an error sets ``message`` and does not stop the run.

        Args:
            examples: The examples of the run.
            failing: Ids of the examples that fail a check.
        """
        if self._named is None or self.message:
            return
        try:
            self.of([example for example in examples if example.id in failing])
        except RobustfimError as error:
            self.message = str(error)

    def record(self) -> AttributionRecord | None:
        """Return the record of the attribution; None if the suite has none."""
        if self._named is None:
            return None
        calls = self._named.attribution.calls
        return AttributionRecord(options=dict(self._named.options), calls=calls, message=self.message)

    def importance_record(self, example: str) -> ImportanceRecord | None:
        """Return an example's importance for the record; None if it was not computed."""
        found = self._found.get(example)
        return None if found is None else ImportanceRecord.model_validate(asdict(found))

    def _explain(self, named: NamedAttribution, examples: list[Example]) -> list[Importance]:
        with blame(named.who):
            found = list(named.attribution.explain(examples, self._model))
        if len(found) != len(examples) or not all(isinstance(importance, Importance) for importance in found):
            raise PluginError(f"{named.who}: explain must give one Importance for each of {len(examples)} examples.")
        return found


def _written(importance: Importance) -> Any:
    words = [[word.field, word.start, word.end, word.value] for word in importance.words]
    numbers = (importance.change, importance.delta)
    return [words, *(number if math.isfinite(number) else None for number in numbers)]


def _read(kept: Any) -> Importance:
    words, *numbers = kept
    change, delta = (math.nan if number is None else float(number) for number in numbers)
    for field, start, end, value in words:
        whole = isinstance(start, int) and isinstance(end, int) and 0 <= start <= end
        if not isinstance(field, str) or not whole or not isinstance(value, float | int):
            raise ValueError("no importance of a word")
    return Importance(tuple(WordImportance(*word) for word in words), change, delta)
