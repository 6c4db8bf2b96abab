from __future__ import annotations

import math

from robustfim.collect.spool import BLOCK, Examples
from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.record.example_table import nested
from robustfim.select.columns import Numbers, Predictions
from robustfim.session.found_examples import FoundExamples

LABELS = ("x", "y")


def test_reading_many_rows_tells_how_far_it_is() -> None:
    examples = Examples.of(Example({"text": str(number)}) for number in range(BLOCK + 1))
    predictions = Predictions(examples, len(examples))
    predictions.put(0, list(examples), [Prediction.of((0.75, 0.25), LABELS)] * len(examples))
    steps: list[tuple[str, int, int]] = []
    table = FoundExamples(predictions, {}, {}, {}, (), lambda *step: steps.append(step))
    assert list(table.rows(["id"])) == [(id,) for id in examples.ids()]
    assert steps == [("write", BLOCK, BLOCK + 1)]


def test_a_row_holds_what_a_run_found_of_an_example() -> None:
    rows = [
        Example({"text": "one"}, "x"), Example({"text": "lost"}), Example({"title": "two"}),
        Example({"text": "own"}, "y"),
    ]  # fmt: skip
    examples = Examples.of(rows)
    predictions = Predictions(examples, 3)
    told = [Prediction.of(pair, LABELS) for pair in ((0.75, 0.25), (0.5, 0.5), (0.25, 0.75))]
    predictions.put(0, rows, [told[0], None, *told[1:]])
    scores = {"a": Numbers(predictions.of_data), "b": Numbers(predictions.of_data)}
    scores["a"].column[0], scores["a"].column[1], scores["b"].column[1] = 1.5, math.inf, -1.0
    found = FoundExamples(predictions, scores, {rows[0].id: "difficult"}, {rows[2].id: "c"}, {rows[3].id})
    first, second, third = nested(found)
    assert len(found) == 3
    assert math.isnan(first["scores"].pop("b"))
    assert first == {
        "id": rows[0].id, "label": "x", "prediction": "x", "probabilities": [0.75, 0.25], "correct": True,
        "cluster": None, "arm": "difficult", "infinite": [], "fields": {"text": "one"}, "scores": {"a": 1.5},
    }  # fmt: skip
    assert (second["fields"], second["correct"], second["cluster"], second["arm"]) == (
        {"title": "two"},
        None,
        "c",
        None,
    )
    assert (second["scores"], second["infinite"]) == ({"a": math.inf, "b": -1.0}, ["a"])
    assert (third["arm"], third["scores"], third["correct"]) == ("all", {"a": None, "b": None}, True)
    assert list(found.told()) == [
        (0, rows[0].id, True, None),
        (2, rows[2].id, None, "c"),
        (3, rows[3].id, True, None),
    ]
