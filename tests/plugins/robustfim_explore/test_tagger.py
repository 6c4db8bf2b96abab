"""An explorer with a tagger behind it: perturbations are tried by their spans, what needs a label refuses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import robustfim
from robustfim.spans import read_spans
from robustfim_reference.bundled import Messages
from tests.plugins.robustfim_explore.served import Served

TEXT = "My name is Anna Smith and I live in Canada."


@pytest.fixture(scope="module")
def tagger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A run of the tagger that ships, served."""
    folder = tmp_path_factory.mktemp("tagger")
    suite = folder / "names.yaml"
    suite.write_text(
        "{suite: names, model: reference/tagger, data: {use: messages, limit: 30}, "
        "checks: {case: {perturb: {use: case, kinds: [lower]}, expect: found}}}",
        encoding="utf-8",
    )
    robustfim.run(suite, reports=folder / "reports")
    running = Served(suite, folder, reports=folder / "reports")
    yield running
    running.close()


def test_a_text_that_is_typed_is_answered_with_its_spans(tagger: Served) -> None:
    told = tagger.post("look", fields={"text": TEXT})
    assert "error" not in told
    assert "11:21" in str(told)


def test_a_perturbation_is_tried_and_gold_spans_are_carried_to_changed_words(tagger: Served) -> None:
    tested = tagger.get("state")["tested"]
    told = tagger.trial(perturb={"use": "case", "kinds": "lower"}, examples=tested, candidates=2)
    assert told["pairs"]
    for pair in told["pairs"]:
        assert " is no longer found as " in pair["reason"]
        gold = read_spans(
            next(example.label for example in Messages().load() if example.text == pair["before"]["text"]) or ""
        )
        expected = read_spans(pair["expected"])
        claimed = {span.label for span in expected}
        assert expected == tuple(span for span in gold if span.label in claimed), "lower case moves nothing"


@pytest.mark.parametrize(
    ("path", "message"),
    [("flips", "speaks of labels that change, and the model finds spans"), ("explain", "has no gradients")],
)
def test_what_needs_a_label_or_gradients_says_so_in_one_line(path: str, message: str, tagger: Served) -> None:
    told = tagger.post(path, fields={"text": TEXT})
    assert message in told["error"]
