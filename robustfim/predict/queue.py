"""The prediction queue: the only door to a model."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from robustfim.candidate import Candidate
from robustfim.errors import ModelError, RobustfimError
from robustfim.example import Example
from robustfim.members import member
from robustfim.predict.fingerprint import code_fingerprint
from robustfim.predict.labels import is_answering
from robustfim.predict.store import Store, key_of
from robustfim.prediction import MOST_ANSWERS, Prediction
from robustfim.roles import AnsweringModel, Model, StepPerturbation

__all__ = ["CallLimitReached", "PredictionQueue"]

_BATCH = 64
_SUM_TOLERANCE = 1e-3

Progress = Callable[[int, int], None]


class CallLimitReached(RobustfimError):
    """The run may send no further text to the model (``--max-calls``)."""


class PredictionQueue:
    """Deduplicates texts, looks them up in the store, sorts the rest by length, batches, and keeps the answers.

    Args:
        model: The model.
        store: Where answers are kept; each batch is committed as soon as it is there.
        max_calls: The most texts that may be sent to the model; None for no bound.

    Attributes:
        sent: Texts sent to the model.
        cached: Texts answered by the store.
        steps: Candidates in embedding space that were computed.
        batch_size: Texts a call; halved for good when memory runs out.
    """

    def __init__(self, model: Model | AnsweringModel, store: Store, *, max_calls: int | None = None) -> None:
        self._store, self._max_calls = store, max_calls
        self._predict: Callable[[Sequence[Example]], Any]
        self._predict = model.answer if is_answering(model) else cast(Model, model).predict
        self._identity = (model.fingerprint, code_fingerprint(type(model)))
        self._answering = is_answering(model)
        self._labels = tuple(member("models", model, "labels"))
        self._attached: Callable[[Example], str] | None = member("models", model, "attached")
        self.sent = self.cached = self.steps = 0
        self.batch_size = max(1, int(member("models", model, "batch_size") or _BATCH))

    @property
    def identity(self) -> tuple[str, str]:
        """What stands for the model in a key of the store: its fingerprint and the hash of its code."""
        return self._identity

    def content(self, example: Example) -> list[tuple[str, str]]:
        """What of an example decides its prediction, for a key: its fields, and what the model attaches to them.

        Args:
            example: Any example.

        Raises:
            ModelError: The model cannot read what belongs to the example.
        """
        fields = list(example.fields.items())
        if self._attached is None:
            return fields
        try:
            attached = self._attached(example)
        except RobustfimError:
            raise
        except Exception as error:  # a model may raise anything
            raise ModelError(f"the model raised {type(error).__name__}: {error}") from error
        if not isinstance(attached, str):
            raise ModelError(f"the model's 'attached' must give a text, not {attached!r}.")
        return [*fields, ("", attached)]

    def key(self, example: Example) -> list[Any]:
        """What stands for the model and an example together, for a key.

        Args:
            example: Any example.

        Raises:
            ModelError: The model cannot read what belongs to the example.
        """
        return [*self._identity, self.content(example)]

    def predict(self, examples: Sequence[Example], progress: Progress | None = None) -> list[Prediction | None]:
        """Predict texts.

        Args:
            examples: Any number, in any order, with repeats.
            progress: Called with (done, total) texts after every batch.

        Returns:
            One prediction an example, in the given order; None where the model gave no finite numbers.

        Raises:
            ModelError: The model raised, or returned what cannot be read as probabilities.
            CallLimitReached: ``max_calls`` would be exceeded; what was predicted so far is in the store.
        """
        keys = [key_of("text", *self._identity, self.content(example)) for example in examples]
        known = self._store.get(keys)
        self.cached += len(known)
        missing = {key: example for key, example in zip(keys, examples, strict=True) if key not in known}
        read = _answers if self._answering else self._rows
        self._fill(missing, known, self._predict, read, _length, self._count_sent, self._allow, progress)
        return [self._read(known.get(key)) for key in keys]

    def predict_steps(
        self,
        candidates: Sequence[Candidate],
        perturbation: StepPerturbation,
        identity: Any,
        progress: Progress | None = None,
    ) -> list[Prediction | None]:
        """Predict candidates that are steps in embedding space.

        Args:
            candidates: Candidates with a step.
            perturbation: What made them and can evaluate them.
            identity: What stands for the perturbation in a key: its code and options.
            progress: Called with (done, total) candidates after every batch.

        Returns:
            As ``predict``.

        Raises:
            ModelError: As ``predict``.
        """
        keys = [
            key_of(
                "step",
                *self._identity,
                identity,
                self.content(each.source),
                each.step and [each.step.direction, each.step.norm],
            )
            for each in candidates
        ]
        known = self._store.get(keys)
        self.cached += len(known)
        missing = {key: each for key, each in zip(keys, candidates, strict=True) if key not in known}
        self._fill(
            missing,
            known,
            perturbation.predict,
            self._likeliest if self._answering else self._rows,
            lambda each: _length(each.source),
            self._count_steps,
            int,
            progress,
        )
        return [self._read(known.get(key)) for key in keys]

    # ---- batches --------------------------------------------------------------------------------------

    def _fill(
        self,
        missing: dict[bytes, Any],
        known: dict[bytes, Any],
        call: Callable[[Sequence[Any]], Any],
        read: Callable[[Any, int], list[Any]],
        length: Callable[[Any], int],
        count: Callable[[int], None],
        allow: Callable[[int], int],
        progress: Progress | None,
    ) -> None:
        """Compute what is missing, longest first so that memory runs out at once or never."""
        waiting = sorted(missing.items(), key=lambda item: length(item[1]), reverse=True)
        total, done = len(waiting), 0
        while done < total:
            batch = waiting[done : done + allow(self.batch_size)]
            items = [item for _, item in batch]
            count(len(items))
            try:
                rows = read(call(items), len(items))
            except RobustfimError:
                raise
            except Exception as error:  # a model may raise anything
                if not _out_of_memory(error):
                    raise ModelError(f"the model raised {type(error).__name__}: {error}") from error
                count(-len(items))
                if self.batch_size == 1 or len(batch) == 1:
                    raise ModelError(
                        f"the model runs out of memory on a single text of {length(items[0])} characters."
                    ) from error
                self.batch_size = max(1, min(self.batch_size, len(batch)) // 2)
                continue
            # Where a row is not finite, None is stored: the same text will not be tried again.
            answers = {key: row for (key, _), row in zip(batch, rows, strict=True)}
            self._store.put(answers)
            known.update(answers)
            done += len(batch)
            if progress is not None:
                progress(done, total)

    def _rows(self, raw: Any, expected: int) -> list[list[float] | None]:
        """Check a model's answer: shape, finiteness, range, sums."""
        try:
            values = np.asarray(raw, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ModelError(
                f"the model must return probabilities [examples, classes], not {type(raw).__name__}: {error}"
            ) from error
        shape = (expected, len(self._labels))
        if values.shape != shape:
            raise ModelError(
                f"the model returned an array of shape {list(values.shape)} for {expected} texts and "
                f"{len(self._labels)} labels {list(self._labels)}; it must be {list(shape)}."
            )
        finite = np.asarray(np.isfinite(values).all(axis=1))
        good = values[finite]
        off = np.maximum(abs(good.sum(axis=1) - 1), -good.min(axis=1))
        if (off > _SUM_TOLERANCE).any():
            worst = good[int(off.argmax())]
            raise ModelError(
                f"the model returned {np.round(worst, 4).tolist()}, which are not probabilities that sum to 1. "
                "Logits? Apply a softmax, or say 'logits: true' where the model has that option."
            )
        return [row.tolist() if ok else None for row, ok in zip(values, finite, strict=True)]

    def _likeliest(self, raw: Any, expected: int) -> list[Any]:
        """Keep the likeliest answers of probabilities over all that a model has."""
        rows = []
        for row in self._rows(raw, expected):
            pairs = None if row is None else list(zip(self._labels, row, strict=True))
            rows.append(None if pairs is None else sorted(pairs, key=_unlikely)[:MOST_ANSWERS])
        return rows

    def _read(self, row: Any) -> Prediction | None:
        if row is None:
            return None
        return Prediction.of_answers(row) if self._answering else Prediction.of(row, self._labels)

    def _allow(self, size: int) -> int:
        """Bound a batch by the calls that are left."""
        if self._max_calls is None:
            return size
        if self.sent >= self._max_calls:
            raise CallLimitReached(
                f"--max-calls {self._max_calls} is used up; what was predicted is kept in the store."
            )
        return min(size, self._max_calls - self.sent)

    def _count_sent(self, number: int) -> None:
        self.sent += number

    def _count_steps(self, number: int) -> None:
        self.steps += number


def _unlikely(answer: tuple[str, float]) -> float:
    return -answer[1]


def _answers(raw: Any, expected: int) -> list[list[tuple[str, float]] | None]:
    """Check what a model answers in its own words: shape, kinds, range, sums."""
    try:
        rows = [[(str(text), float(number)) for text, number in row] for row in raw]
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"the model must return answers, a list of (text, probability) for each example: {error}"
        ) from error
    if len(rows) != expected:
        raise ModelError(f"the model returned answers for {len(rows)} of {expected} examples.")
    finite = [row if all(math.isfinite(number) for _, number in row) else [] for row in rows]
    for row in finite:
        numbers = [number for _, number in row]
        if any(number < 0 for number in numbers) or sum(numbers) > 1 + _SUM_TOLERANCE:
            raise ModelError(f"the model returned {row[:3]}, whose numbers are no probabilities that sum to 1 or less.")
    return [row[:MOST_ANSWERS] or None for row in finite]


def _length(example: Example) -> int:
    return sum(len(text) for text in example.fields.values())


def _out_of_memory(error: Exception) -> bool:
    """Recognise memory exhaustion of Python, NumPy, torch on any device, without importing torch."""
    text = str(error).lower()
    return (
        isinstance(error, MemoryError)
        or type(error).__name__ in {"OutOfMemoryError", "XlaRuntimeError"}
        or (isinstance(error, RuntimeError) and ("out of memory" in text or "can't allocate memory" in text))
    )
