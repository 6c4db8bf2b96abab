from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.candidate import Candidate, Step
from robustfim.contract import ModelContract
from robustfim.decision import DecisionRule, WithinRule
from robustfim.errors import ModelError, NothingCollected, PluginError, SkipCheck, SuiteError
from robustfim.example import Example
from robustfim.predict.decided import decided
from robustfim.predict.queue import CallLimitReached, ModelChanged, PredictionQueue
from robustfim.predict.store import Store, key_of
from robustfim.prediction import Prediction
from tests.robustfim.toys import LABELS, CountingModel, Push, WritingModel, example, prediction, probabilities


def examples(*texts: str) -> list[Example]:
    return [example(text) for text in texts]


class Answering:
    """A model that answers with what it is given: an array, or an exception to raise."""

    labels = LABELS
    fingerprint = "answering"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def predict(self, examples: Sequence[Example]) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Narrow(CountingModel):
    """A model whose memory holds so many texts at once, and not one more."""

    def __init__(self, room: int, error: Exception, *, batch_size: int = 64) -> None:
        super().__init__(batch_size=batch_size)
        self.room, self.error = room, error

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        if len(examples) > self.room:
            self.batches.append([f"{len(examples)} are too many"])
            raise self.error
        return super().predict(examples)


# ---- one door -----------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from(["good", "bad", "a fine film", "dull", "x " * 30]), max_size=30), st.integers(1, 7))
def test_predictions_come_in_the_order_of_the_examples_whatever_was_batched(texts: list[str], batch: int) -> None:
    model = CountingModel(batch_size=batch)
    queue = PredictionQueue(model, Store(None))
    assert queue.predict(examples(*texts)) == [prediction(text) for text in texts]
    sent = [text for model_batch in model.batches for text in model_batch]
    assert sorted(sent) == sorted(set(texts))
    assert queue.sent == len(set(texts))
    assert sent == sorted(sent, key=len, reverse=True)
    assert all(len(model_batch) == batch for model_batch in model.batches[:-1])
    assert all(1 <= len(model_batch) <= batch for model_batch in model.batches)


def test_an_answer_of_an_earlier_run_counts_once(tmp_path: Path) -> None:
    PredictionQueue(CountingModel(), Store(tmp_path / "store.sqlite")).predict(examples("good", "bad"))
    queue = PredictionQueue(CountingModel(), Store(tmp_path / "store.sqlite"))
    for _ in range(3):
        queue.predict(examples("bad", "fine", "bad"))
    assert (queue.sent, queue.cached) == (1, 1)


def test_texts_of_one_call_are_not_sent_in_the_next() -> None:
    model = CountingModel()
    queue = PredictionQueue(model, Store(None))
    queue.predict(examples("good", "bad"))
    queue.predict(examples("bad", "fine", "bad"))
    assert model.batches == [["good", "bad"], ["fine"]]
    assert (queue.sent, queue.cached) == (3, 0), "no answer of another run"


def test_the_label_of_an_example_takes_no_part() -> None:
    model = CountingModel()
    PredictionQueue(model, Store(None)).predict([example("good", "positive"), example("good", "negative")])
    assert model.batches == [["good"]]


def test_equal_texts_in_other_fields_are_other_inputs() -> None:
    model = CountingModel()
    PredictionQueue(model, Store(None)).predict([Example({"text": "good"}), Example({"review": "good"})])
    assert model.batches == [["good", "good"]]


def test_a_second_run_over_one_store_sends_nothing(tmp_path: Path) -> None:
    first, second = CountingModel(), CountingModel()
    texts = examples(*(f"film number {i} is good" for i in range(100)))
    before = PredictionQueue(first, Store(tmp_path / "s.sqlite")).predict(texts)
    queue = PredictionQueue(second, Store(tmp_path / "s.sqlite"))
    assert queue.predict(texts) == before
    assert second.batches == []
    assert (queue.sent, queue.cached) == (0, 100)


@pytest.mark.parametrize("other", [CountingModel(fingerprint="retrained"), Narrow(9, MemoryError())])
def test_another_models_answers_are_not_used(other: CountingModel) -> None:
    store = Store(None)
    PredictionQueue(CountingModel(), store).predict(examples("good"))
    PredictionQueue(other, store).predict(examples("good"))
    assert other.batches == [["good"]]


def test_progress_counts_what_has_to_be_computed() -> None:
    queue = PredictionQueue(CountingModel(batch_size=2), Store(None))
    queue.predict(examples("good"))
    told: list[tuple[int, int]] = []
    queue.predict(examples("good", "bad", "fine", "dull", "bad"), lambda done, total: told.append((done, total)))
    assert told == [(2, 3), (3, 3)]


def test_nothing_to_predict_calls_nothing() -> None:
    model = CountingModel()
    assert PredictionQueue(model, Store(None)).predict([]) == []
    assert model.batches == []


@pytest.mark.parametrize(("size", "batch"), [(None, 64), (5, 5)])
def test_the_batch_size_is_the_models(size: int | None, batch: int) -> None:
    model = CountingModel()
    model.contract = ModelContract(batch_size=size)
    queue = PredictionQueue(model, Store(None))
    assert queue.batch_size == batch
    assert queue.predict(examples("good", "bad")) == [prediction("good"), prediction("bad")]


# ---- memory -------------------------------------------------------------------------------------------


class OutOfMemoryError(RuntimeError):
    """Named as torch's is, with a text that says nothing."""


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB"),
        RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
        OutOfMemoryError("?"),
    ],
)
def test_the_batch_is_halved_when_memory_runs_out_and_stays_so(error: Exception) -> None:
    model = Narrow(room=5, error=error, batch_size=16)
    queue = PredictionQueue(model, Store(None))
    texts = [f"{'x' * i} good" for i in range(20, 0, -1)]
    assert queue.predict(examples(*texts)) == [prediction(text) for text in texts]
    assert [len(batch) for batch in model.batches] == [1, 1, 4, 4, 4, 4, 4]  # 16 and 8 were too many
    assert queue.batch_size == 4
    assert queue.sent == 20
    queue.predict(examples(*(f"{text} again" for text in texts)))
    assert max(map(len, model.batches)) == 4


def test_a_last_small_batch_is_halved_by_its_own_size() -> None:
    model = Narrow(room=2, error=MemoryError())
    queue = PredictionQueue(model, Store(None))
    queue.predict(examples("good", "bad", "fine"))
    assert [len(batch) for batch in model.batches] == [1, 1, 1, 1]
    assert queue.batch_size == 1


class Foreseeing(Narrow):
    """One that notes the batches that it is told of before they come."""

    def foresee(self, examples: Sequence[Example]) -> None:
        self.batches.append(["next", *(example.text for example in examples)])


def test_a_model_is_told_of_each_batch_before_the_one_that_is_asked() -> None:
    model = Foreseeing(room=2, error=MemoryError(), batch_size=4)
    texts = ["ccccc", "bbbb", "aaa", "dd", "e"]
    PredictionQueue(model, Store(None)).predict(examples(*texts))
    refused, first, second = (["next", "e"], ["4 are too many"]), ["ccccc", "bbbb"], ["aaa", "dd"]
    assert model.batches == [*refused, ["next", *second], first, ["next", "e"], second, ["e"]]


@pytest.mark.parametrize("batch_size", [2, 3, 64])
def test_where_memory_holds_one_text_each_is_asked_by_itself(batch_size: int) -> None:
    queue = PredictionQueue(Narrow(room=1, error=MemoryError(), batch_size=batch_size), Store(None))
    texts = ["good", "bad"] if batch_size == 64 else ["good", "bad", "fine"]
    assert queue.predict(examples(*texts)) == [prediction(text) for text in texts]
    assert (queue.batch_size, queue.sent) == (1, len(texts))


def test_a_single_text_that_is_too_large_is_a_model_error() -> None:
    queue = PredictionQueue(Narrow(room=0, error=MemoryError()), Store(None))
    with pytest.raises(ModelError, match="runs out of memory on a single text of 4 characters"):
        queue.predict(examples("good", "bad"))


def test_another_runtime_error_is_no_lack_of_memory() -> None:
    model = Narrow(room=0, error=RuntimeError("shape mismatch"))
    with pytest.raises(ModelError, match="the model raised RuntimeError: shape mismatch") as caught:
        PredictionQueue(model, Store(None)).predict(examples("good", "bad"))
    assert len(model.batches) == 1
    assert caught.value.__cause__ is model.error


# ---- what a model may answer --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        [[0.25, 0.75], [1, 0]],
        ((0.25, 0.75), (1.0, 0.0)),
        np.array([[0.25, 0.75], [1.0, 0.0]], dtype=np.float16),
        [np.array([0.25, 0.75]), np.array([1.0, 0.0])],
        [[0.2501, 0.7502], [1.0005, -0.0005]],
    ],
)
def test_probabilities_of_any_array_are_read(answer: Any) -> None:
    first, second = PredictionQueue(Answering(answer), Store(None)).predict(examples("long text", "text"))
    assert first is not None
    assert second is not None
    assert (first.label, second.label) == ("positive", "negative")
    assert first.probabilities == pytest.approx((0.25, 0.75), abs=1e-3)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_a_row_without_finite_numbers_is_none_and_is_not_asked_again(bad: float) -> None:
    store = Store(None)
    answer = [[0.25, 0.75], [bad, 0.5]]
    assert PredictionQueue(Answering(answer), store).predict(examples("long text", "text"))[1] is None
    silent = Answering(AssertionError("asked again"))
    queue = PredictionQueue(silent, store)
    good, undefined = queue.predict(examples("long text", "text"))
    assert good is not None
    assert undefined is None
    assert queue.cached == 2


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ([[2.5, -1.0], [0.5, 0.5]], "[2.5, -1.0]"),
        ([[0.5, 0.5], [1.5, -0.5]], "[1.5, -0.5]"),
        ([[0.5, 0.5], [0.5, 0.4]], "[0.5, 0.4]"),
        ([[0.0, 0.0], [0.5, 0.5]], "[0.0, 0.0]"),
        ([[float("nan"), 0.5], [3.0, 4.0]], "[3.0, 4.0]"),
        ([[50.0, 50.0], [50.0, 50.0]], "[50.0, 50.0]"),
    ],
)
def test_numbers_that_are_no_probabilities_are_refused_with_a_hint(answer: Any, shown: str) -> None:
    with pytest.raises(ModelError, match=r"not probabilities that sum to 1\. Logits") as caught:
        PredictionQueue(Answering(answer), Store(None)).predict(examples("long text", "text"))
    assert shown in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "shape"),
    [
        ([[0.5, 0.5]], "[1, 2]"),
        ([[0.2, 0.3, 0.5]] * 2, "[2, 3]"),
        ([0.5, 0.5], "[2]"),
        (0.5, "[]"),
        ([[[0.5, 0.5]]] * 2, "[2, 1, 2]"),
        ([], "[0]"),
        (None, "[]"),
    ],
)
def test_a_wrong_shape_is_refused_with_the_right_one(answer: Any, shape: str) -> None:
    with pytest.raises(ModelError) as caught:
        PredictionQueue(Answering(answer), Store(None)).predict(examples("long text", "text"))
    assert f"an array of shape {shape} for 2 texts and 2 labels" in str(caught.value)
    assert "it must be [2, 2]" in str(caught.value)


@pytest.mark.parametrize("answer", [["positive", "negative"], [{"a": 1}] * 2, [[0.5], [0.2, 0.8]], object()])
def test_what_is_no_array_of_numbers_is_refused(answer: Any) -> None:
    with pytest.raises(ModelError, match=r"the model must return probabilities \[examples, classes\], not "):
        PredictionQueue(Answering(answer), Store(None)).predict(examples("long text", "text"))


def test_an_error_of_robustfim_passes_through() -> None:
    with pytest.raises(PluginError, match="as it is"):
        PredictionQueue(Answering(PluginError("as it is")), Store(None)).predict(examples("good"))


# ---- limits and resuming ------------------------------------------------------------------------------


@pytest.mark.parametrize(("limit", "batches"), [(0, []), (1, [1]), (4, [3, 1]), (5, [3, 2]), (6, [3, 3])])
def test_max_calls_sends_exactly_the_allowed_number(limit: int, batches: list[int]) -> None:
    store, model = Store(None), CountingModel(batch_size=3)
    queue = PredictionQueue(model, store, max_calls=limit)
    with pytest.raises(CallLimitReached, match=f"--max-calls {limit} is used up"):
        queue.predict(examples(*(f"{'x' * i} good" for i in range(7, 0, -1))))
    assert [len(batch) for batch in model.batches] == batches
    assert queue.sent == limit
    rest = CountingModel(batch_size=3)
    PredictionQueue(rest, store).predict(examples(*(f"{'x' * i} good" for i in range(7, 0, -1))))
    assert sum(map(len, rest.batches)) == 7 - limit


def test_max_calls_that_suffice_stop_nothing() -> None:
    queue = PredictionQueue(CountingModel(), Store(None), max_calls=2)
    queue.predict(examples("good", "bad", "good"))
    assert queue.predict(examples("bad", "good")) == [prediction("bad"), prediction("good")]
    with pytest.raises(CallLimitReached):
        queue.predict(examples("fine"))


KILLED = """
import json, os, signal, sys
from pathlib import Path
from robustfim.contract import ModelContract
from robustfim.example import Example
from robustfim.predict.queue import PredictionQueue
from robustfim.predict.store import Store, key_of

class Model:
    labels, fingerprint, contract = ("no", "yes"), "m", ModelContract(batch_size=10)
    calls = 0
    def predict(self, examples):
        self.calls += 1
        if self.calls == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        return [[0.25, 0.75] for _ in examples]

queue = PredictionQueue(Model(), Store(Path(sys.argv[1])))
found = queue.predict([Example({"text": f"text {i:03d}"}) for i in range(100)])
print(json.dumps([queue.sent, queue.cached, sum(each.label == "yes" for each in found)]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_after_a_kill_the_next_run_sends_only_what_is_missing(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}

    def run(kill_at: int) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", KILLED, str(tmp_path / "s.sqlite"), str(kill_at)]
        return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)

    killed = run(5)
    assert killed.returncode == -signal.SIGKILL
    assert killed.stdout == ""
    assert json.loads(run(0).stdout) == [60, 40, 100]  # four batches of ten were kept; only the fifth was lost
    assert json.loads(run(0).stdout) == [0, 100, 100]


# ---- steps in embedding space -------------------------------------------------------------------------


def steps(text: str, *norms: float) -> list[Candidate]:
    return [Candidate(example(text), step=Step("push", norm)) for norm in norms]


def test_steps_are_predicted_by_their_perturbation_and_kept() -> None:
    store, model = Store(None), CountingModel()
    queue = PredictionQueue(model, store)
    candidates = steps("good", 0.0, -9.0) + steps("bad", 9.0) + steps("good", 0.0)
    found = queue.predict_steps(candidates, Push([]), "push 1")
    assert [each.label for each in found if each is not None] == ["positive", "negative", "positive", "positive"]
    assert found[0] is not None
    assert found[0].probabilities == pytest.approx(probabilities("good"))
    assert (queue.steps, queue.sent) == (3, 0)
    assert model.batches == []
    again = PredictionQueue(model, store)
    assert again.predict_steps(candidates, Push([]), "push 1") == found
    assert (again.steps, again.cached) == (0, 3)


def test_steps_of_another_perturbation_are_not_used() -> None:
    queue = PredictionQueue(CountingModel(), Store(None))
    queue.predict_steps(steps("good", 1.0), Push([]), "push 1")
    queue.predict_steps(steps("good", 1.0), Push([]), "push 2")
    assert queue.steps == 2


def test_an_error_in_a_step_names_its_perturbation_and_not_the_model() -> None:
    class Torn(Push):
        def predict(self, candidates: Sequence[Candidate]) -> list[list[float]]:
            raise SystemExit(0)

    queue = PredictionQueue(CountingModel(), Store(None))
    with pytest.raises(PluginError, match=r"^plugin 'mine', perturbation 'push' raised SystemExit: 0"):
        queue.predict_steps(steps("good", 1.0), Torn([]), "push", who="plugin 'mine', perturbation 'push'")


def test_steps_do_not_count_as_texts_sent() -> None:
    queue = PredictionQueue(CountingModel(), Store(None), max_calls=0)
    assert len(queue.predict_steps(steps("good", 1.0, 2.0), Push([]), "push")) == 2


# ---- answers in the model's own words ------------------------------------------------------------------


class Saying(WritingModel):
    """A model that answers with what it is given."""

    def __init__(self, answers: Any) -> None:
        super().__init__()
        self.answers = answers

    def answer(self, examples: Sequence[Example]) -> Any:
        return self.answers


def test_open_answers_become_predictions_and_are_kept() -> None:
    model, store = WritingModel(), Store(None)
    first, second = PredictionQueue(model, store).predict(examples("a small Tower", "one hill"))
    assert first == Prediction.of_answers([("TOWER", 0.6), ("SMALL", 0.3)])
    assert second == Prediction.of_answers([("HILL", 0.6), ("ONE", 0.3)])
    again = PredictionQueue(model, store)
    assert again.predict(examples("one hill")) == [second]
    assert (again.cached, model.seen) == (1, ["a small Tower", "one hill"])


@pytest.mark.parametrize("row", [[], [("x", float("nan"))], [("x", 0.5), ("y", float("inf"))]])
def test_no_answer_or_a_number_that_is_not_finite_is_no_prediction(row: list[tuple[str, float]]) -> None:
    assert PredictionQueue(Saying([row]), Store(None)).predict(examples("x")) == [None]


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([0.1, 0.9], "a list of .text, probability. for each example"),
        ([["yes", "no"]], "a list of .text, probability. for each example"),
        ([[("x", 0.7), ("y", 0.7)]], "no probabilities that sum to 1 or less"),
        ([[("x", -0.1)]], "no probabilities that sum to 1 or less"),
        ([], "answers for 0 of 1 examples"),
        (None, "a list of .text, probability. for each example"),
    ],
)
def test_what_cannot_be_read_as_answers_is_refused(answers: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        PredictionQueue(Saying(answers), Store(None)).predict(examples("x"))


def test_of_thousands_of_answers_ten_are_kept() -> None:
    model = Saying([[(f"answer {n}", 1 / 3129) for n in range(3129)]])
    (found,) = PredictionQueue(model, Store(None)).predict(examples("x"))
    assert found is not None
    assert found.labels == tuple(f"answer {n}" for n in range(10))


def test_steps_of_a_model_with_a_list_of_answers_keep_the_likeliest() -> None:
    class Listing(WritingModel):
        labels = tuple(f"answer {n}" for n in range(12))

    class Stay:
        def predict(self, candidates: Sequence[Candidate]) -> Any:
            return [np.arange(12) / 66 for _ in candidates]

        def propose(self, example: Example, random: Any) -> Any:
            raise AssertionError

    step = Candidate(example("x"), step=Step("push", 1.0))
    (found,) = PredictionQueue(Listing(), Store(None)).predict_steps([step], Stay(), "stay")
    assert found is not None
    assert (found.shown, len(found.labels), found.confidence) == ("answer 11", 10, 11 / 66)


def test_what_a_model_attaches_to_an_example_decides_whether_an_answer_is_known() -> None:
    store, content = Store(None), {"x": "first"}
    model = WritingModel(attached=content)
    assert PredictionQueue(model, store).predict(examples("x")) != [None]
    assert model.seen == ["x"]
    content["x"] = "second"
    PredictionQueue(model, store).predict(examples("x"))
    assert model.seen == ["x", "x"]
    content["x"] = "first"
    PredictionQueue(model, store).predict(examples("x"))
    assert model.seen == ["x", "x"]
    with pytest.raises(ModelError, match="the model raised KeyError: 'y'"):
        PredictionQueue(model, store).predict(examples("y"))
    content["y"] = 5  # type: ignore[assignment]  # what a model does wrong
    with pytest.raises(ModelError, match="the model's 'attached' must give a text, not 5"):
        PredictionQueue(model, store).predict(examples("y"))


# ---- answers as they come -----------------------------------------------------------------------------


class Streaming(CountingModel):
    """A model that answers its batches from the last to the first, and may fail before one of them."""

    def __init__(self, *, batch_size: int = 2, fails_at: int | None = None, mistake: str = "") -> None:
        super().__init__(batch_size=batch_size)
        self.fails_at, self.mistake, self.closed = fails_at, mistake, False

    def stream(self, batches: Sequence[Sequence[Example]]) -> Iterator[tuple[int, Any]]:
        try:
            for index in reversed(range(len(batches))):
                if index == self.fails_at:
                    raise ConnectionError("the line is cut")
                yield (99 if self.mistake == "index" else index), self.predict(batches[index])
                if self.mistake == "ends":
                    return
        finally:
            self.closed = True


def test_a_stream_answers_batches_in_any_order() -> None:
    model = Streaming()
    queue = PredictionQueue(model, Store(None))
    texts = ["a fine film", "good", "bad", "dull", "fine"]
    assert queue.predict(examples(*texts)) == [prediction(text) for text in texts]
    assert model.batches == [["bad"], ["dull", "fine"], ["a fine film", "good"]]
    assert queue.sent == 5


def test_what_came_before_a_stream_failed_is_kept() -> None:
    model, store = Streaming(batch_size=1, fails_at=0), Store(None)
    with pytest.raises(ModelError, match="the model raised ConnectionError: the line is cut"):
        PredictionQueue(model, store).predict(examples("a", "bb", "ccc"))
    again = Streaming(batch_size=1)
    PredictionQueue(again, store).predict(examples("a", "bb", "ccc"))
    assert again.batches == [["ccc"]]


@pytest.mark.parametrize(
    ("mistake", "message"),
    [("index", "answers batch 99, which does not wait"), ("ends", "ended without an answer to 1 batches")],
)
def test_a_stream_that_breaks_its_contract_is_refused(mistake: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        PredictionQueue(Streaming(mistake=mistake), Store(None)).predict(examples("a", "b", "c"))


def test_a_stream_whose_answers_are_wrong_is_closed() -> None:
    model = Streaming()
    model.predict = lambda examples: [[0.9, 0.9] for _ in examples]  # type: ignore[method-assign]  # what no model may say
    with pytest.raises(ModelError, match="not probabilities"):
        PredictionQueue(model, Store(None)).predict(examples("a", "b", "c"))
    assert model.closed


class Pulled:
    """A stream that is no generator: nothing but its ``close`` ends it."""

    closed = False

    def __iter__(self) -> Pulled:
        return self

    def __next__(self) -> Any:
        raise ConnectionError("the line is cut")

    def close(self) -> None:
        self.closed = True


def test_a_stream_that_failed_is_closed_and_one_that_cannot_be_is_left() -> None:
    model: Any = Streaming()
    pulled = Pulled()
    for stream in (pulled, iter(pulled.__next__, None)):
        model.stream = lambda batches, stream=stream: stream
        with pytest.raises(ModelError, match="the line is cut"):
            PredictionQueue(model, Store(None)).predict(examples("a", "b", "c"))
    assert pulled.closed


def test_a_stream_with_nothing_to_answer_needs_no_call() -> None:
    store = Store(None)
    PredictionQueue(Streaming(), store).predict(examples("good", "bad"))
    again = PredictionQueue(Streaming(), store, max_calls=0)
    assert again.predict(examples("bad", "good")) == [prediction("bad"), prediction("good")]


def test_a_stream_is_sent_no_more_than_allowed() -> None:
    model = Streaming()
    with pytest.raises(CallLimitReached):
        PredictionQueue(model, Store(None), max_calls=3).predict(examples("a", "bb", "ccc", "dddd"))
    assert sorted(map(len, model.batches)) == [1, 2]


@pytest.mark.parametrize("error", [SuiteError("no", path="a.yaml", line=1), NothingCollected("no"), SkipCheck("no")])
def test_what_a_model_raises_of_robustfims_own_errors_is_told_as_the_models(error: Exception) -> None:
    class Judging(CountingModel):
        def predict(self, examples: Sequence[Example]) -> list[list[float]]:
            raise error

    with pytest.raises(ModelError, match=type(error).__name__):
        PredictionQueue(Judging(), Store(None)).predict([example("good")])


# ---- decisions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", [0.5, 0.8, 0.95])
def test_a_rule_over_a_model_decides_what_the_model_itself_is_asked(at: float) -> None:
    store, rule = Store(None), DecisionRule(at, "positive")
    queue = PredictionQueue(decided(CountingModel(), rule), store)
    texts = ["good", "fine", "a film", "bad"]
    for found, text in zip(queue.predict(examples(*texts)), texts, strict=True):
        assert found is not None
        assert found.label == ("positive" if probabilities(text)[1] >= at else "not positive")
        assert found.probability("positive") == pytest.approx(probabilities(text)[1])
    plain = PredictionQueue(CountingModel(), store)
    assert plain.predict(examples(*texts)) == [prediction(text) for text in texts]
    assert (plain.sent, plain.cached) == (0, 4), "the answers serve any rule"


def test_with_a_rule_for_several_labels_a_row_need_not_sum_to_1() -> None:
    rule = DecisionRule.read({"each": {"negative": 0.5, "positive": 0.3}})
    store, rows = Store(None), [[0.9, 0.8], [0.2, 0.1]]
    queue = PredictionQueue(decided(Answering(rows), rule), store)
    for found in (queue, PredictionQueue(decided(Answering(None), rule), store)):
        labels = [each and each.label for each in found.predict(examples("long text", "text"))]
        assert labels == ["negative + positive", "(none)"]
    with pytest.raises(ModelError, match="not probabilities"):
        PredictionQueue(decided(Answering([[1.5, 0.2]]), rule), Store(None)).predict(examples("x"))


def test_an_answer_within_a_tolerance_is_a_number() -> None:
    rule = WithinRule.of(0.25)
    queue = PredictionQueue(decided(Saying([[("0.8", 1.0)]]), rule), Store(None))
    assert queue.predict(examples("x")) == [Prediction.of_number("0.8", rule)]


# ---- a model that may change under its fingerprint ------------------------------------------------------


class Changing(CountingModel):
    """A model that may change, and has: what was positive is negative."""

    def __init__(self, turned: bool = False) -> None:
        super().__init__()
        self.contract, self.turned = ModelContract(may_change=True), turned

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        rows = super().predict(examples)
        return [row[::-1] for row in rows] if self.turned else rows


MANY = [f"{'very ' * number}good" for number in range(40)]
TURNED = [Prediction.of(probabilities(text)[::-1], LABELS) for text in MANY]


def test_answers_of_a_model_that_has_changed_are_put_aside_and_the_new_ones_are_kept() -> None:
    store = Store(None)
    first = PredictionQueue(Changing(), store)
    assert first.predict(examples(*MANY)) == [prediction(text) for text in MANY]
    second = PredictionQueue(Changing(turned=True), store)
    assert second.predict(examples(*MANY)) == TURNED
    assert second.identity != first.identity
    assert first.identity[0] == "counting", "as long as nothing was put aside"
    third = PredictionQueue(Changing(turned=True), store)
    assert third.predict(examples(*MANY)) == TURNED
    assert third.identity == second.identity
    assert third.cached == 40
    assert third.sent == 10, "half of the sample, asked before the first stored answer is believed"
    third.ask_rest()
    assert third.sent == 20


def test_a_model_that_changes_during_a_run_is_found_at_its_end() -> None:
    store = Store(None)
    PredictionQueue(Changing(), store).predict(examples(*MANY))
    model = Changing()
    queue = PredictionQueue(model, store)
    assert queue.predict(examples(*MANY)) == [prediction(text) for text in MANY]
    model.turned = True
    with pytest.raises(ModelChanged, match="the model has changed since the store kept its answers"):
        queue.ask_rest()
    sent = queue.sent
    queue.ask_rest()
    assert queue.sent == sent, "it is known already"
    assert PredictionQueue(Changing(turned=True), store).predict(examples(*MANY)) == TURNED


def test_without_a_call_left_nothing_is_asked_again() -> None:
    store = Store(None)
    PredictionQueue(Changing(), store).predict(examples(*MANY))
    model = Changing()
    queue = PredictionQueue(model, store, max_calls=0)
    assert queue.predict(examples(*MANY)) == [prediction(text) for text in MANY]
    queue.ask_rest()
    assert model.batches == []


def test_an_answer_that_the_model_gave_in_this_run_is_not_asked_again() -> None:
    store = Store(None)
    model = Changing()
    queue = PredictionQueue(model, store)
    queue.predict(examples(*MANY))
    queue.predict(examples(*MANY))
    queue.ask_rest()
    assert queue.sent == sum(map(len, model.batches)) == 40
    later = PredictionQueue(Changing(), store)
    later.predict(examples("another"))
    later.predict(examples("another", *MANY))
    assert later.sent == 1 + 10, "half of the sample, of what an earlier run stored"


@pytest.mark.parametrize("forged", [-1, "one", 0.5, None])
def test_what_is_no_number_of_a_generation_is_the_first(forged: Any) -> None:
    store = Store(None)
    first = PredictionQueue(Changing(), store)
    store.put({key_of("generation", *first.identity): forged})
    assert PredictionQueue(Changing(), store).identity == first.identity
