"""The prediction queue, through which a run sends every text to the model."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, cast

from robustfim.blame import blame, blame_at_work, told
from robustfim.candidate import Candidate
from robustfim.decision import DecisionRule, WithinRule
from robustfim.errors import ModelError, PluginError, RobustfimError
from robustfim.example import Example
from robustfim.parts import ModelPart
from robustfim.predict.answers import kept_answers, kept_row, read_answers, read_rows
from robustfim.predict.asked_again import AskedAgain
from robustfim.predict.decided import decision_rule, without_rule
from robustfim.predict.fingerprint import code_fingerprint
from robustfim.predict.labels import is_answering, known_labels
from robustfim.predict.store import Store, key_of
from robustfim.prediction import MOST_ANSWERS, Prediction
from robustfim.roles import AnsweringModel, Model, StepPerturbation

__all__ = ["CallLimitReached", "ModelChanged", "PredictionQueue", "Stream", "out_of_memory"]

_BATCH = 64

Progress = Callable[[int, int], None]


Reader = Callable[[Any, int], list[Any]]
_Answers = Generator[dict[bytes, Any], None, None]
_Raw = Generator[tuple[list[tuple[bytes, Any]], Any], None, None]
Stream = Callable[[Sequence[Sequence[Any]]], Iterator[tuple[int, Any]]]


class CallLimitReached(RobustfimError):
    """The run has sent as many texts to the model as ``--max-calls`` allows."""


class ModelChanged(ModelError):
    """The model's answers now differ from stored answers that were used; all stored answers were discarded."""


@dataclass(frozen=True)
class _Way:
    """A channel to a model: for texts, or for steps in embedding space."""

    call: Callable[[Sequence[Any]], Any]
    read: Reader
    length: Callable[[Any], int]
    count: Callable[[int], None]
    allow: Callable[[int], int]
    stream: Stream | None = None
    who: str = ""
    """The owner of the code that answers in place of the model; its errors are a plugin's errors."""
    foresee: Callable[[Sequence[Any]], None] | None = None
    """Called with the batch that follows the current one."""
    labels: tuple[str, ...] = ()
    """The names of a row's numbers: the model's labels, or the decisions of its rule."""


class PredictionQueue:
    """A queue that sends texts to a model in batches: each text once, sorted by length, unless its answer is stored.

    Args:
        model: The model.
        store: The store of the answers; each batch is committed at once.
        max_calls: The most texts that may be sent to the model, or the most requests if the model counts requests; None
            for no bound.
        who: The model's name in errors.
        stream: A function that answers batches of texts in any order, in place of the model.
        again: Chooses the stored answers to compare with new ones, for a model that may change without a new
            fingerprint; a random sample by default.

    Attributes:
        again: The argument ``again``; None if the model cannot change without a new fingerprint.
        sent: Texts sent to the model.
        cached: Texts that the store answered from earlier runs; each counts once.
        repeated: Texts that this run had already asked about.
        steps: The number of moved embeddings that were predicted.
        batch_size: Texts per call; halved permanently if memory runs out.
    """

    def __init__(
        self, model: Model | AnsweringModel, store: Store, *, max_calls: int | None = None,
        who: str = "the model", stream: Stream | None = None, again: AskedAgain | None = None,
    ) -> None:  # fmt: skip
        self._decides, self._decisions = model, known_labels(model)
        model = without_rule(model)  # whose answers serve any rule
        self._who = who
        self._store, self.max_calls = store, max_calls
        self._predict: Callable[[Sequence[Example]], Any]
        self._predict = model.answer if is_answering(model) else cast(Model, model).predict
        self._code, self._fingerprint = code_fingerprint(type(model)), model.fingerprint
        self.again = (again or AskedAgain()) if ModelPart(model).contract.may_change else None
        if self.again is not None:
            key = self._generation_key
            self.again.generation = store.get([key], _natural).get(key, 0)
        self._answering = is_answering(model)
        self._labels = ModelPart(model).labels
        self._attached: Callable[[Example], str] | None = ModelPart(model).attached
        self.sent = self.cached = self.repeated = self.steps = 0
        self._seen = set[bytes]()
        self.batch_size = ModelPart(model).contract.batch_size or _BATCH
        read = read_answers if self._answering else self._rows
        self._texts = _Way(
            self._predict, read, _length, self._count_sent, self._allow, stream or ModelPart(model).stream,
            foresee=ModelPart(model).foresee, labels=self._labels,
        )  # fmt: skip

    def goes_on_from(self, other: PredictionQueue) -> None:
        """Continue the counts of another queue, which this queue replaces."""
        self.sent, self.cached, self.repeated, self._seen = other.sent, other.cached, other.repeated, other._seen

    @property
    def identity(self) -> tuple[str, str]:
        """The part of a store key that stands for the model: fingerprint, generation, and hash of the code.

        The generation is a number that rises whenever stored answers are discarded.
        """
        generation = 0 if self.again is None else self.again.generation
        return f"{self._fingerprint}{f' generation {generation}' * (generation > 0)}", self._code

    @property
    def _rule(self) -> DecisionRule | None:
        return decision_rule(self._decides)

    @property
    def _several(self) -> bool:
        """Whether a row need not sum to 1: a rule on one label or several takes each by itself."""
        return self._rule is not None and bool(self._rule.targets)

    @property
    def decider(self) -> tuple[str, ...]:
        """The part of a store key that stands for the model with its decision rule."""
        return self.identity if self._rule is None else (*self.identity, repr(self._rule))

    @property
    def _generation_key(self) -> bytes:
        return key_of("generation", self._fingerprint, self._code)

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def content(self, example: Example) -> list[tuple[str, str]]:
        """Return the part of a store key that stands for an example: its fields, and the model's ``attached``.

        Raises:
            ModelError: The model cannot read data that belong to the example.
        """
        fields = list(example.fields.items())
        if self._attached is None:
            return fields
        with blame(self._who, ModelError):
            attached = self._attached(example)
        if not isinstance(attached, str):
            raise ModelError(f"the model's 'attached' must give a text, not {attached!r}.")
        return [*fields, ("", attached)]

    def key(self, example: Example) -> list[Any]:
        """Return a store key's parts for the model and an example.

        Raises:
            ModelError: The model cannot read data that belong to the example.
        """
        return [*self.decider, self.content(example)]

    def predict(
        self, examples: Sequence[Example], progress: Progress | None = None, asks: Sequence[int] | None = None
    ) -> list[Prediction | None]:
        """Predict examples; answers come from the store where possible, else from the model.

        Args:
            examples: Any number, in any order, with repeats.
            progress: Called with (done, total) texts after every batch.
            asks: For a model with varying answers, the number of the wanted answer to each example: 0 for the first
                (default), 1 for the next. Every answer is asked and stored separately.

        Returns:
            One prediction per example, in the given order; None if the model gave no finite numbers.

        Raises:
            ModelError: The model raised, or its output cannot be read as probabilities.
            CallLimitReached: ``max_calls`` would be exceeded; predictions until then are in the store.
        """
        asks = [0] * len(examples) if asks is None else asks
        rule = self._rule
        return [self._read(row, self._labels, rule) for row in self._of_texts(examples, asks, progress)]

    def _of_texts(self, texts: Sequence[Example], asks: Sequence[int], progress: Progress | None) -> list[Any]:
        contents = [(self.content(text), *([ask] if ask else [])) for text, ask in zip(texts, asks, strict=True)]
        keys = self._keys(contents)
        if self._put_aside(keys, texts):
            keys = self._keys(contents)
        return self._look_up(keys, texts, self._texts, progress)

    def _keys(self, contents: Sequence[tuple[Any, ...]]) -> list[bytes]:
        identity = self.identity
        return [key_of("text", *identity, *content) for content in contents]

    # ---- what was answered before ---------------------------------------------------------------------

    def _put_aside(self, keys: Sequence[bytes], examples: Sequence[Example]) -> bool:
        """Ask again before the first stored answers are used; whether they were put aside."""
        if self.again is None or self.again.changed:
            return False
        known = self._store.get(keys, partial(self._kept, self._labels))
        items = dict(zip(keys, examples, strict=True))
        if first := self.again.first(key for key in items if key in known):
            self._hold({key: items[key] for key in first}, known)
        self.again.note(items.items(), known)
        return self.again.changed

    def ask_rest(self) -> None:
        """Compare a further sample of the stored answers that this run used with new answers of the model.

        Raises:
            ModelChanged: The model's answers differ now; the stored answers were discarded.
        """
        if self.again is not None and not self.again.changed:
            self._hold(self.again.rest.items, self.again.rest.answers)
            if self.again.changed:
                self.again.sent = self.sent
                raise ModelChanged("the model has changed since the store kept its answers. robustfim asks again.")

    def _hold(self, items: Mapping[bytes, Any], was: Mapping[bytes, Any]) -> None:
        """Ask again, as far as calls are left, and begin another generation where the model has changed."""
        assert self.again is not None  # noqa: S101  # callers look
        left = len(items) if self.max_calls is None else min(len(items), max(0, self.max_calls - self.sent))
        self.again.hold(dict(islice(items.items(), left)), was, partial(self._fresh, self._texts), self._decides_alike)
        if self.again.changed:
            self.again.generation += 1
            self._store.put({self._generation_key: self.again.generation})

    def _decides_alike(self, one: Any, other: Any) -> bool:
        first, second = (self._read(row, self._labels, self._rule) for row in (one, other))
        return first is second if first is None or second is None else first.says(second.shown)

    def _fresh(self, way: _Way, wanted: Mapping[bytes, Any]) -> dict[bytes, Any]:
        """Ask the model, whatever the store knows."""
        with closing(self._computed(dict(wanted), way, None)) as computed:
            return {key: row for answers in computed for key, row in answers.items()}

    def predict_steps(
        self,
        candidates: Sequence[Candidate],
        perturbation: StepPerturbation,
        identity: Any,
        progress: Progress | None = None,
        stream: Stream | None = None,
        who: str = "",
    ) -> list[Prediction | None]:
        """Predict perturbed embeddings: candidates that move the embedding (steps) instead of editing the text.

        Args:
            candidates: The candidates, each with a step.
            perturbation: The perturbation that made the candidates and evaluates them.
            identity: The part of a store key that stands for the perturbation: its code and options.
            progress: Called with (done, total) candidates after every batch.
            stream: Answers batches of candidates in any order, in place of the perturbation.
            who: The perturbation's name in errors.

        Returns:
            One prediction per candidate, as for :meth:`predict`.

        Raises:
            ModelError: As for :meth:`predict`.
            PluginError: The perturbation raised an error.
        """
        keys = [
            key_of(
                "step",
                *self.decider,
                identity,
                self.content(candidate.source),
                candidate.step and [candidate.step.direction, candidate.step.norm],
            )
            for candidate in candidates
        ]
        read = self._likeliest if self._answering else self._straight
        way = _Way(
            perturbation.predict, read, lambda each: _length(each.source), self._count_steps, int, stream, who,
            labels=self._decisions,
        )  # fmt: skip
        rule = self._rule
        return [self._read(row, way.labels, rule) for row in self._look_up(keys, candidates, way, progress)]

    def _look_up(self, keys: Sequence[bytes], items: Sequence[Any], way: _Way, progress: Progress | None) -> list[Any]:
        """Take from the store what it knows, and compute and keep the rest; the row of each item."""
        known = self._store.get(keys, partial(self._kept, way.labels))
        stored = len(known.keys() - self._seen)
        self.cached, self.repeated = self.cached + stored, self.repeated + len(known) - stored
        self._seen.update(keys)
        missing = {key: item for key, item in zip(keys, items, strict=True) if key not in known}
        with closing(self._computed(missing, way, progress)) as computed:
            for answers in computed:
                self._store.put(answers)
                known.update(answers)
        if self.again is not None:
            self.again.given(missing)
        return [known.get(key) for key in keys]

    # ---- batches --------------------------------------------------------------------------------------

    def _computed(self, missing: dict[bytes, Any], way: _Way, progress: Progress | None) -> _Answers:
        """Compute what is missing, longest first so that memory runs out at once or never; answers as they come."""
        waiting = sorted(missing.items(), key=lambda item: way.length(item[1]), reverse=True)
        done = 0
        with closing((self._streamed if way.stream else self._batched)(waiting, way)) as batches:
            for batch, raw in batches:
                # Where a row is not finite, None is stored: the same text will not be tried again.
                yield {key: row for (key, _), row in zip(batch, way.read(raw, len(batch)), strict=True)}
                done += len(batch)
                if progress is not None:
                    progress(done, len(waiting))

    def _batched(self, waiting: list[tuple[bytes, Any]], way: _Way) -> _Raw:
        """Send one batch after another; a batch that does not fit into memory is halved."""
        done = 0
        while done < len(waiting):
            batch = waiting[done : done + way.allow(self.batch_size)]
            items = [item for _, item in batch]
            rest = done + len(items)
            way.count(len(items))
            try:
                with self._blaming(way):
                    if way.foresee is not None and rest < len(waiting):
                        way.foresee([item for _, item in waiting[rest : rest + self.batch_size]])
                    raw = way.call(items)
            except (ModelError, PluginError) as error:
                if not out_of_memory(error.__cause__):
                    raise
                way.count(-len(items))
                if self.batch_size == 1 or len(batch) == 1:
                    raise ModelError(
                        f"the model runs out of memory on a single text of {way.length(items[0])} characters."
                    ) from error.__cause__
                self.batch_size = max(1, min(self.batch_size, len(batch)) // 2)
                continue
            yield batch, raw
            done = rest

    def _streamed(self, waiting: list[tuple[bytes, Any]], way: _Way) -> _Raw:
        """Hand all batches over at once, to a model that answers several at a time, in any order."""
        if not waiting or way.stream is None:
            return
        allowed = waiting[: way.allow(len(waiting))]
        size = self.batch_size
        batches = {row: allowed[start : start + size] for row, start in enumerate(range(0, len(allowed), size))}
        stream = way.stream([[item for _, item in batch] for batch in batches.values()])
        try:
            with self._blaming(way):
                for index, raw in stream:
                    if index not in batches:
                        raise ModelError(
                            f"the model's stream answers batch {index!r}, which does not wait for an answer."
                        )
                    batch = batches.pop(index)
                    way.count(len(batch))
                    yield batch, raw
        finally:
            close = getattr(stream, "close", None)  # what is still under way is given up
            if close is not None:
                close()
        if batches:
            raise ModelError(f"the model's stream ended without an answer to {len(batches)} batches.")
        if len(allowed) < len(waiting):
            way.allow(1)

    def _blaming(self, way: _Way) -> AbstractContextManager[None]:
        return blame_at_work(way.who) if way.who else blame_at_work(self._who, ModelError)

    def _rows(self, raw: Any, expected: int) -> list[list[float] | None]:
        return read_rows(raw, expected, self._labels, several=self._several)

    def _straight(self, raw: Any, expected: int) -> list[list[float] | None]:
        """Read what a step in embedding space gives: with a rule, tilted probabilities of decisions."""
        if self._rule is None:
            return self._rows(raw, expected)
        rows = read_rows(raw, expected, self._decisions)
        return [None if row is None else [*self._rule.straight(row)] for row in rows]

    def _kept(self, labels: Sequence[str], row: Any) -> Any:
        """Check what was read of the store as an answer of the model is checked."""
        if row is None:
            return None
        return kept_answers(row) if self._answering else kept_row(row, labels, several=self._several)

    def _likeliest(self, raw: Any, expected: int) -> list[Any]:
        """Keep the likeliest answers of probabilities over all that a model has."""
        rows = []
        for row in self._rows(raw, expected):
            pairs = None if row is None else list(zip(self._labels, row, strict=True))
            rows.append(None if pairs is None else sorted(pairs, key=_unlikely)[:MOST_ANSWERS])
        return rows

    def _read(self, row: Any, labels: tuple[str, ...], rule: DecisionRule | None) -> Prediction | None:
        if row is None:
            return None
        if isinstance(rule, WithinRule):
            return Prediction.of_number(row[0][0], rule)
        if self._answering:
            return Prediction.of_answers(row)
        if rule is not None and labels is not self._decisions:
            row = rule.probabilities(row, labels)
        return Prediction.of(row, self._decisions, rule)

    def _allow(self, size: int) -> int:
        """Bound a batch by the calls that are left."""
        if self.max_calls is None:
            return size
        if self.sent >= self.max_calls:
            raise CallLimitReached(f"--max-calls {self.max_calls} is used up. The store keeps the answers so far.")
        return min(size, self.max_calls - self.sent)

    def _count_sent(self, number: int) -> None:
        self.sent += number

    def _count_steps(self, number: int) -> None:
        self.steps += number


def _natural(value: Any) -> int:
    if not isinstance(value, int) or value < 0:
        raise ValueError(f"{value!r} is no number of a generation")
    return value


def _unlikely(answer: tuple[str, float]) -> float:
    return -answer[1]


def _length(example: Example) -> int:
    return sum(map(len, example.fields.values()))


def out_of_memory(error: BaseException | None) -> bool:
    """Return whether an error means that memory ran out, in Python, NumPy or torch on any device.

    Args:
        error: Any exception, or None.
    """
    text = "" if error is None else told(error).lower()
    return (
        isinstance(error, MemoryError)
        or type(error).__name__ in {"OutOfMemoryError", "XlaRuntimeError"}
        or (isinstance(error, RuntimeError) and ("out of memory" in text or "can't allocate memory" in text))
    )
