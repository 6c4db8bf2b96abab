from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, Literal

import pytest

from robustfim.errors import ModelError, PluginError
from robustfim.example import Example
from robustfim.exhibit import Section
from robustfim.hookspecs import hookimpl
from robustfim.plugin.manager import PluginManager
from robustfim.predict.context import RunContext
from robustfim.predict.queue import PredictionQueue
from robustfim.predict.store import Store
from robustfim.roles import TaggedToken
from tests.robustfim.toys import Bench, CountingModel, example, prediction


class Gradients:
    """A geometry that counts how often it is made."""

    made = 0

    def __init__(self, model: Any) -> None:
        Gradients.made += 1
        self.model, self.calls = model, 3

    def at(self, examples: Sequence[Example], *, tokens: str = "text") -> Sequence[Any]:
        return []


def test_predictions_of_a_plugin_go_through_the_queue() -> None:
    bench = Bench([])
    assert bench.context.predict([example("good"), example("bad"), example("good")]) == [
        prediction("good"), prediction("bad"), prediction("good"),
    ]  # fmt: skip
    assert bench.queue.sent == 2


def test_gradients_are_made_on_first_use_and_once() -> None:
    model, store = CountingModel(), Store(None)
    Gradients.made = 0
    context = RunContext(model, PredictionQueue(model, store), Gradients, seed=0)
    assert (context.gradient_calls, Gradients.made) == (0, 0)
    assert context.geometry is context.geometry
    assert (context.gradient_calls, Gradients.made) == (3, 1)


def test_without_a_plugin_for_gradients_the_error_says_so() -> None:
    with pytest.raises(ModelError, match="no loaded plugin computes gradients"):
        _ = Bench([]).context.geometry


class Tags:
    prepared = 0

    def prepare(self, context: RunContext) -> None:
        Tags.prepared += 1

    def tag(self, texts: Sequence[str]) -> list[list[TaggedToken]]:
        return [[TaggedToken(text, 0, len(text), "NOUN", "NN")] for text in texts]


class Tagging:
    def shared(self, kind: Literal["geometry", "tagger"]) -> type[Any] | None:
        return Tags if kind == "tagger" else None

    def sharer(self, kind: Literal["geometry", "tagger"]) -> str:
        return f"the {kind}"


def test_the_tagger_is_made_once_and_without_one_the_error_says_so() -> None:
    model = CountingModel()
    context = RunContext(model, PredictionQueue(model, Store(None)), None, seed=0, services=Tagging())
    assert context.tagger is context.tagger
    assert context.tagger.tag(["film"])[0][0].coarse == "NOUN"
    assert Tags.prepared == 1
    with pytest.raises(PluginError, match="no loaded plugin tags parts of speech"):
        _ = Bench([]).context.tagger


class Exits:
    """Ends the process when it is asked, whoever asks."""

    calls = 0

    def __init__(self, model: Any = None) -> None: ...

    def at(self, examples: Sequence[Example], *, tokens: str = "text") -> list[Any]:
        raise SystemExit(0)

    def tag(self, texts: Sequence[str]) -> list[list[TaggedToken]]:
        raise LookupError("no tag")


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda context: context.geometry.at([example("good")]), "plugin 'mine', geometry raised SystemExit: 0"),
        (lambda context: context.tagger.tag(["good"]), "plugin 'mine', tagger raised LookupError: no tag"),
    ],
)
def test_an_error_of_what_one_plugin_does_for_all_names_that_plugin(ask: Callable[[Any], Any], said: str) -> None:
    manager = PluginManager()
    manager.register(
        SimpleNamespace(
            robustfim_offers=hookimpl(
                lambda: {
                    "services": dict.fromkeys(("geometry", "tagger"), "tests.robustfim.predict.test_context:Exits")
                }
            )
        ),
        "mine",
    )
    model = CountingModel()
    context = RunContext(
        model, PredictionQueue(model, Store(None)), manager.shared("geometry"), seed=0, services=manager
    )
    with pytest.raises(PluginError, match=said):
        ask(context)
    assert manager.sharer("attribution") == "the attribution"


def test_what_a_plugin_computed_for_texts_is_kept_by_what_decides_it() -> None:
    store = Store(None)
    context = RunContext(None, None, None, seed=0, store=store)
    context.keep("length, 1.0", {"good": 4, "": 0})
    assert context.kept("length, 1.0", ["good", "bad", ""]) == {"good": 4, "": 0}
    assert context.kept("length, 1.1", ["good"]) == {}
    store.close()
    context.keep("length, 1.0", {"bad": 3})
    assert context.kept("length, 1.0", ["good"]) == {}


def test_whoever_asks_a_model_itself_is_told_how_much_may_be_sent() -> None:
    model = CountingModel()
    assert RunContext(model, PredictionQueue(model, Store(None), max_calls=7), None, seed=0).max_calls == 7
    assert RunContext(model, PredictionQueue(model, Store(None)), None, seed=0).max_calls is None
    assert RunContext(None, None, None, seed=0).max_calls is None


def test_without_a_store_what_is_kept_ends_with_its_context() -> None:
    context, other = RunContext(None, None, None, seed=0), RunContext(None, None, None, seed=0)
    context.keep("length", {"good": 4})
    assert context.kept("length", ["good"]) == {"good": 4}
    assert other.kept("length", ["good"]) == {}


def test_a_generator_depends_on_seed_and_purpose_alone() -> None:
    one, two, other = Bench([], seed=1).context, Bench([], seed=1).context, Bench([], seed=2).context
    one.random("elsewhere").random()
    assert one.random("a", "b").random() == two.random("a", "b").random()
    assert one.random("a", "b").random() != other.random("a", "b").random()
    assert one.random("a", "b").random() != one.random("ab").random()


def test_parts_of_a_run_share_one_object_of_a_class_and_what_it_tells() -> None:
    class Spending:
        def sections(self) -> list[Section]:
            return [Section(name="spent", title="What was spent", findings=["3 requests."])]

    context = Bench([]).context
    assert context.told == []
    assert context.shared(Spending) is context.shared(Spending)
    assert context.shared(list) == []
    assert context.told == ["3 requests."]
    assert Bench([]).context.told == []


def test_what_a_model_raises_when_a_run_begins_is_told_as_its_own() -> None:
    model: Any = CountingModel()
    model.prepare = lambda context: 1 / 0
    with pytest.raises(ModelError, match="the model raised ZeroDivisionError"):
        RunContext(model, PredictionQueue(model, Store(None)), None, seed=0)
