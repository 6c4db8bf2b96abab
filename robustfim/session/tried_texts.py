"""Keep further texts that were tried on the failing examples that reports show first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.judge.reading_order import change_size
from robustfim.judgement import Judgement
from robustfim.prediction import Prediction
from robustfim.record import EditRecord, Failure, TriedRecord
from robustfim.select.draw import TestedExample

__all__ = ["TriedTexts"]

_EXAMPLES, _TEXTS = 3, 11
"""The most examples per check, and texts per example, so that a page stays small."""


class TriedTexts:
    """A store of all perturbed texts of a few failing examples, for reports."""

    def __init__(self) -> None:
        self._sizes: dict[str, tuple[object, ...]] = {}
        self._texts: dict[str, list[tuple[Candidate, Prediction]]] = {}

    def see(self, failure: Failure, example: Example) -> None:
        """Note a failing text, so that its example may become one of those whose texts are kept."""
        if failure.step is None:
            wrong = example.label is not None and example.label != failure.before.label
            size = (wrong, change_size(failure.edits, example.fields), -failure.margin, failure.id)
            self._sizes[example.id] = min(size, self._sizes.get(example.id, size))

    def keep(self, judged: Iterable[tuple[TestedExample, Candidate, Prediction | None, Judgement | None]]) -> None:
        """Keep the perturbed texts of the examples to show, and forget the texts of all other examples."""
        first = sorted(self._sizes, key=lambda id: self._sizes[id])[:_EXAMPLES]
        self._sizes = {id: self._sizes[id] for id in first}
        self._texts = {id: self._texts.get(id, []) for id in first}
        for source, candidate, after, judgement in judged:
            if after is not None and judgement is not None and source.example.id in self._texts:
                self._texts[source.example.id].append((candidate, after))

    def added_to(self, failures: Sequence[Failure]) -> list[Failure]:
        """Return the failures, with all perturbed texts of an example added to its strongest failure."""
        first = {size[-1] for size in self._sizes.values()}
        return [
            failure.model_copy(update={"tried": self._others(failure)})
            if failure.id in first and failure.example in self._texts
            else failure
            for failure in failures
        ]

    def _others(self, failure: Failure) -> list[TriedRecord]:
        """The other texts: labels that turned before labels that held, the surest first and last."""

        def place(tried: tuple[Candidate, Prediction]) -> tuple[bool, float]:
            prediction = tried[1]
            held = prediction.says(failure.before.label)
            return held, prediction.confidence if held else -prediction.confidence

        texts = {
            tuple(candidate.example.fields.values()): (candidate, after)
            for candidate, after in self._texts[failure.example]
        }
        texts.pop(tuple(failure.fields.values()), None)
        return [
            TriedRecord(
                edits=[EditRecord.model_validate(edit, from_attributes=True) for edit in tried.edits],
                label=after.shown,
                probability=after.confidence if after.number is None else None,
            )
            for tried, after in sorted(texts.values(), key=place)[:_TEXTS]
        ]
