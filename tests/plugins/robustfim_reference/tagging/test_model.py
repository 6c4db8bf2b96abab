"""The tagger that ships: what it finds, and what its card says of it."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

import robustfim
from robustfim import Example, UsageError
from robustfim.spans import read_spans
from robustfim_files.conll_file import ConllFile
from robustfim_reference.bundled import Messages
from robustfim_reference.folder import ModelFolder
from robustfim_reference.tagging.model import Tagger
from robustfim_testing import check_model

FOLDER = Path(str(files("robustfim_reference"))) / "weights" / "tagger"
DATA = Path(__file__).parents[5] / "shared" / "data"


def test_it_is_a_model() -> None:
    check_model(Tagger(), [Example({"text": "Anna Smith lives in Bergen."}), Example({"text": " "})])


def test_plain_names_are_found_with_how_sure_it_is() -> None:
    text = "My name is Anna Smith and I live in Canada."
    (spans,) = Tagger().tag([Example({"text": text})])
    assert [(text[span.start : span.end], span.label) for span in spans] == [
        ("Anna Smith", "person"), ("Canada", "place"),
    ]  # fmt: skip
    assert all(span.probability is not None and 0 < span.probability <= 1 for span in spans)


def test_a_text_of_blanks_has_no_span() -> None:
    assert Tagger().tag([Example({"text": " "})]) == [[]]


def test_weights_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_bytes((FOLDER / "config.json").read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"no weights")
    tagger = Tagger()
    tagger.folder = ModelFolder.open(tmp_path, "tagger", None)
    with pytest.raises(UsageError, match="the weights cannot be read"):
        tagger.tag([Example({"text": "Anna"})])


def test_a_check_runs_on_it() -> None:
    suite = {"suite": "s", "model": "reference/tagger", "data": {"use": "messages", "limit": 20},
             "checks": {"case": {"perturb": "case", "expect": "found"}}}  # fmt: skip
    (check,) = robustfim.run(suite).record.checks
    assert {recall.label for recall in check.recall} >= {"person", "place"}


def test_the_card_tells_the_data_and_who_is_credited() -> None:
    card = (FOLDER / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "--out plugins/robustfim_reference/weights/tagger" in card
    assert not re.search(r"[` ]/(?!shared)", card)
    for credit in ("Derczynski et al. 2017", "presidio-research", "Mark Kantrowitz"):
        assert credit in card


def test_precision_and_recall_on_the_development_data_are_those_of_the_card() -> None:
    path = DATA / "wnut17" / "dev.conll"
    if not path.exists():
        pytest.skip("the reference data is not beside this checkout")
    label_of = {"corporation": "organisation", "group": "organisation", "location": "place", "person": "person"}
    found, gold, right = Counter[str](), Counter[str](), Counter[str]()
    examples = list(ConllFile(path).load())
    for example, spans in zip(examples, Tagger().tag(examples), strict=True):
        wanted = {(s.start, s.end, label_of[s.label]) for s in read_spans(example.label or "") if s.label in label_of}
        gold.update(label for *_, label in wanted)
        found.update(span.label for span in spans)
        right.update(span.label for span in spans if (span.start, span.end, span.label) in wanted)
    card = (FOLDER / "MODEL_CARD.md").read_text(encoding="utf-8")
    rows = re.findall(r"`dev\.conll` \| (\w+) \| [\d.]+ \((\d+) of (\d+);.*? \| [\d.]+ \(\d+ of (\d+);", card)
    assert {row[0]: tuple(map(int, row[1:])) for row in rows} == {
        label: (right[label], found[label], gold[label]) for label in ("person", "place", "organisation")
    }


def test_it_finds_some_people_of_the_messages_that_ship_and_misses_others() -> None:
    examples = list(Messages().load())
    gold = [read_spans(example.label or "") for example in examples]
    found = Tagger().tag(examples)
    people = [(span, row) for spans, row in zip(gold, found, strict=True) for span in spans if span.label == "person"]
    right = sum(span in [each.bare for each in row] for span, row in people)
    assert 0.2 < right / len(people) < 0.9
