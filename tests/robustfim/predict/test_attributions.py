"""Importance is computed once an example, checked, and kept in the store."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from robustfim.errors import ModelError, PluginError
from robustfim.example import Example
from robustfim.importance import Importance, WordImportance
from robustfim.predict.attributions import Attributions, NamedAttribution
from robustfim.predict.store import Store
from tests.robustfim.toys import CountingModel, example

EXAMPLES = [example(text) for text in ("good", "good film", "dull")]


class FirstWord:
    """All importance lies in the first character."""

    def __init__(self) -> None:
        self.calls = 0
        self.seen: list[str] = []

    def explain(self, examples: Sequence[Example], model: Any) -> list[Importance]:
        self.calls += 10 * len(examples)
        self.seen += [each.text for each in examples]
        return [Importance((WordImportance("text", 0, 1, float(len(each.text))),), 1.0, 0.5) for each in examples]


class Broken(FirstWord):
    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer

    def explain(self, examples: Sequence[Example], model: Any) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def attributions(attribution: Any, store: Store | None = None, identity: str = "a") -> Attributions:
    named = attribution and NamedAttribution(attribution, {"steps": 2}, (identity,))
    return Attributions(named, CountingModel(), lambda each: each.text, store or Store(None), lambda *_: None)


def test_an_example_is_explained_once_the_longest_first() -> None:
    attribution = FirstWord()
    made = attributions(attribution)
    found = made.of([*EXAMPLES, EXAMPLES[0]])
    assert [importance.words[0].value for importance in found] == [4.0, 9.0, 4.0, 4.0]
    made.of(EXAMPLES)
    assert attribution.seen == ["good film", "good", "dull"]
    record = made.record()
    assert record is not None
    assert (record.options, record.calls, record.message) == ({"steps": 2}, 30, "")


def test_the_store_keeps_it_for_the_next_run_with_the_same_attribution() -> None:
    store, first, second, other = Store(None), FirstWord(), FirstWord(), FirstWord()
    before = attributions(first, store).of(EXAMPLES)
    assert attributions(second, store).of(EXAMPLES) == before
    assert second.seen == []
    attributions(other, store, "b").of(EXAMPLES)
    assert len(other.seen) == 3


def test_numbers_that_are_not_finite_survive_the_store() -> None:
    store = Store(None)
    undefined = Importance((), math.nan, math.nan)
    attributions(Broken([undefined]), store).of(EXAMPLES[:1])
    made = attributions(Broken([]), store)
    (found,) = made.of(EXAMPLES[:1])
    assert found.words == ()
    assert math.isnan(found.change)
    assert math.isnan(found.delta)


def test_the_record_has_the_importance_of_what_was_asked_for() -> None:
    made = attributions(FirstWord())
    made.show(EXAMPLES, {EXAMPLES[1].id})
    record = made.importance_record(EXAMPLES[1].id)
    assert record is not None
    assert record.model_dump() == {
        "words": [{"field": "text", "start": 0, "end": 1, "value": 9.0}], "change": 1.0, "delta": 0.5,
    }  # fmt: skip
    assert made.importance_record(EXAMPLES[0].id) is None


def test_what_the_reports_cannot_show_is_a_message_and_no_error() -> None:
    made = attributions(Broken(ModelError("no gradients.")))
    made.show(EXAMPLES, {EXAMPLES[0].id})
    assert made.message == "no gradients."
    with pytest.raises(ModelError, match="no gradients"):
        made.of(EXAMPLES)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (ValueError("three"), "the attribution raised ValueError: three"),
        ([], "explain must give one Importance for each of 3 examples"),
        ([1, 2, 3], "explain must give one Importance"),
    ],
)
def test_a_plugin_that_raises_or_gives_something_else_is_named(answer: Any, said: str) -> None:
    with pytest.raises(PluginError, match=said):
        attributions(Broken(answer)).of(EXAMPLES)


def test_without_an_attribution_nothing_is_shown_and_asking_is_an_error() -> None:
    made = attributions(None)
    made.show(EXAMPLES, {EXAMPLES[0].id})
    assert (made.message, made.record()) == ("", None)
    with pytest.raises(ModelError, match="Write 'attribution: true' in it"):
        made.of(EXAMPLES)
