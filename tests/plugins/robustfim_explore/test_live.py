"""What the page is told of a text, against what a run says of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import robustfim
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.judge import write_record
from robustfim.record import Record
from tests.plugins.robustfim_explore.served import Served

TEXT = "A wonderful film, but far too long and dull in the end."


def test_a_text_is_told_what_a_run_says_of_it(served: Served, ran: Path) -> None:
    record = Record.load(ran / "reports" / "toy" / "results.json")
    for example in record.examples[:5]:
        (told,) = served.post("look", fields=example.fields)["models"]
        assert told["label"] == example.prediction
        assert told["probabilities"] == pytest.approx(example.probabilities, abs=1e-6)
        assert told["lambda_max"] == pytest.approx(example.scores["fisher"], rel=1e-4)
        assert sum(word[3] for word in told["words"]) == pytest.approx(1, abs=1e-4)
        assert [example.fields["text"][start:end] for _, start, end, _ in told["words"]]


def test_the_distance_is_that_of_the_score_boundary(served: Served) -> None:
    scored = robustfim.score("reference/fasttext", [TEXT], by="boundary")
    (told,) = served.post("look", fields={"text": TEXT})["models"]
    assert told["distance"] == pytest.approx(scored.values[0], rel=1e-4)
    high, low = sorted(told["probabilities"], reverse=True)
    assert told["margin"] == pytest.approx(high - low)


def test_places_of_words_are_counted_as_a_browser_does(served: Served) -> None:
    (told,) = served.post("look", fields={"text": "😀😀 wonderful film"})["models"]
    units = "😀😀 wonderful film".encode("utf-16-le")
    found = [units[2 * start : 2 * end].decode("utf-16-le") for _, start, end, _ in told["words"]]
    assert {"wonderful", "film"} <= set(found)


def test_importance_adds_up_to_what_it_explains(served: Served) -> None:
    coarse, fine = (served.post("explain", fields={"text": TEXT}, fine=each) for each in (False, True))
    assert (coarse["points"], fine["points"]) == (8, 32)
    for told in (coarse, fine):
        assert sum(word[3] for word in told["words"]) == pytest.approx(told["change"] + told["delta"], abs=1e-3)
    assert abs(fine["delta"]) <= abs(coarse["delta"]) + 1e-5
    assert [word[3] for word in coarse["words"]] == pytest.approx([word[3] for word in fine["words"]], abs=0.02)


def test_steps_turn_the_label_where_the_perturbation_says(served: Served, ran: Path) -> None:
    record = Record.load(ran / "reports" / "toy" / "results.json")
    failure = next(record_failure for record_failure in record.failures if record_failure.step is not None)
    assert failure.step is not None
    example = next(record_example for record_example in record.examples if record_example.id == failure.example)
    told = served.post("steps", fields=example.fields)
    middle = len(told["norms"]) // 2
    assert told["norms"][middle] == 0
    assert told["probabilities"][middle] == pytest.approx(example.probabilities, abs=1e-5)
    best = [row.index(max(row)) for row in told["probabilities"]]
    assert best[-1] != best[middle]
    turned = next(
        norm for norm, label in zip(told["norms"][middle:], best[middle:], strict=True) if label != best[middle]
    )
    assert turned <= 2.5 * served.post("look", fields=example.fields)["models"][0]["distance"]


def test_every_smallest_change_flips_the_label(served: Served) -> None:
    before = served.post("look", fields={"text": TEXT})["models"][0]["label"]
    ways = served.post("flips", fields={"text": TEXT})["ways"]
    found = [way for way in ways if "words" in way]
    assert {way["way"] for way in ways} == {
        "words left out", "synonyms", "neighbours in the embedding", "words along the eigenvector"
    }  # fmt: skip
    assert len(found) >= 2
    assert [each["words"] for each in found] == sorted(each["words"] for each in found)
    for each in found:
        after = served.post("look", fields=each["fields"])["models"][0]["label"]
        assert (after, after != before) == (each["label"], True)
        assert len(each["edits"]) == each["words"]
    for way in ways:
        assert "words" in way or way["message"]


def test_no_single_word_is_left_out_in_vain(served: Served) -> None:
    """Where two words had to go, no one of them sufficed: all were asked about."""
    text = "Wonderful, wonderful, superb, a joy, and I loved it."
    way = next(each for each in served.post("flips", fields={"text": text})["ways"] if each["way"] == "words left out")
    label = served.post("look", fields={"text": text})["models"][0]["label"]
    if way.get("words") == 1:
        return
    words = text.split(" ")
    for place in range(len(words)):
        one = " ".join(words[:place] + words[place + 1 :])
        assert served.post("look", fields={"text": one})["models"][0]["label"] == label


@pytest.mark.parametrize(
    "fields", [{"text": "  "}, {}, None, {"text": 3}, {"words": "a"}, {"text": "a", "more": "b"}, "text", [1]]
)
def test_what_is_no_text_is_refused_with_a_reason(served: Served, fields: Any) -> None:
    for path in ("look", "flips", "steps", "explain"):
        answer = served.client.post(f"/api/{path}", json={"fields": fields})
        assert answer.status_code == 400
        assert answer.json()["error"]


@pytest.mark.parametrize("body", [b"{", b"[]", b"\xff", b'{"fields": ' + b"[" * 100_000])
def test_what_is_no_json_is_refused_with_a_reason(served: Served, body: bytes) -> None:
    answer = served.client.post("/api/look", content=body)
    assert answer.status_code == 400
    assert "JSON" in answer.json()["error"]


@pytest.mark.slow
def test_a_text_of_100_kb_is_answered(served: Served) -> None:
    text = "A wonderful film. " * 5600
    (told,) = served.post("look", fields={"text": text})["models"]
    assert told["label"] == "positive"
    assert sum(told["probabilities"]) == pytest.approx(1)


def test_half_of_a_surrogate_pair_breaks_nothing(served: Served) -> None:
    raw = json.dumps({"fields": {"text": "a fine \ud83d film"}}).encode()
    answer = served.client.post("/api/look", content=raw)
    assert answer.status_code in (200, 400)
    assert answer.json()


# ---- models that are absent, fail, or are others --------------------------------------------------------------


class Moody:
    """Fails on what holds a word."""

    labels = ("a", "b")
    fingerprint = "moody"

    def window(self, examples: Any) -> Any:
        if any("quit" in example.text for example in examples):
            sys.exit(0)
        return [None for _ in examples]

    def predict(self, examples: Any) -> Any:
        if any("broken" in example.text for example in examples):
            raise RuntimeError("the weights are gone")
        if any("leave" in example.text for example in examples):
            raise SystemExit(0)
        if any("nothing" in example.text for example in examples):
            return [[float("nan")] * 2 for _ in examples]
        return [[0.75, 0.25] for _ in examples]


def moody(ran: Path, tmp_path: Path, name: str = "moody") -> Path:
    (tmp_path / "moody.py").write_text(
        "from tests.plugins.robustfim_explore.test_live import Moody\nimport robustfim\n\n"
        "class Quits:\n    def edits(self, example, random):\n        raise SystemExit(0)\n\n"
        "@robustfim.hookimpl\ndef robustfim_offers():\n"
        "    return {'models': {'moody': Moody}, 'perturbations': {'quits': Quits}}\n",
        encoding="utf-8",
    )
    return tmp_path / "moody.py"


def test_a_model_that_fails_in_the_middle_costs_nothing_but_the_answer(ran: Path, tmp_path: Path) -> None:
    plugin = moody(ran, tmp_path)
    running = Served(ran / "reports" / "toy", tmp_path, model=("use=moody",), plugins=(str(plugin),))
    try:
        told = running.get("state")
        assert told["state"] == "ready"
        assert "another model" in told["notes"][0]
        assert any("no gradients" in note for note in told["notes"])
        (broken,) = running.post("look", fields={"text": "a broken film"})["models"]
        assert "the weights are gone" in broken["error"]
        (nothing,) = running.post("look", fields={"text": "nothing at all"})["models"]
        assert "no finite numbers" in nothing["error"]
        (fine,) = running.post("look", fields={"text": "a fine film"})["models"]
        assert (fine["label"], fine["probabilities"]) == ("a", [0.75, 0.25])
        assert "lambda_max" not in fine
        assert "no gradients" in running.post("steps", fields={"text": "a fine film"})["error"]
        tried = running.trial(perturb={"use": "typos"}, fields={"text": "a fine film"})  # no gold label: changes count
        assert (tried["state"], tried["testable"], tried["failing"]) == ("done", 1, 0)
    finally:
        running.close()


def test_a_model_or_a_perturbation_that_leaves_does_not_take_the_server_with_it(ran: Path, tmp_path: Path) -> None:
    plugin = moody(ran, tmp_path)
    running = Served(ran / "reports" / "toy", tmp_path, model=("use=moody",), plugins=(str(plugin),))
    try:
        (left,) = running.post("look", fields={"text": "leave"})["models"]
        assert "raised SystemExit: 0" in left["error"]
        (asked,) = running.post("look", fields={"text": "quit"})["models"]  # a member that no queue stands before
        assert asked["error"] == "model 'moody' raised SystemExit: 0"
        tried = running.trial(perturb={"use": "quits"}, fields={"text": "a fine film"})
        assert (tried["state"], "raised SystemExit: 0" in tried["message"]) == ("error", True)
        (fine,) = running.post("look", fields={"text": "a fine film"})["models"]
        assert fine["label"] == "a"
    finally:
        running.close()


def test_a_model_that_leaves_while_it_is_warmed_is_off_and_says_why(ran: Path, tmp_path: Path) -> None:
    plugin = moody(ran, tmp_path)
    text = plugin.read_text(encoding="utf-8")
    plugin.write_text(text.replace("'moody': Moody", "'moody': type('Gone', (Moody,), {'window': gone})") +
                      "\ndef gone(self, examples):\n    raise SystemExit(3)\n", encoding="utf-8")  # fmt: skip
    running = Served(ran / "reports" / "toy", tmp_path, model=("use=moody",), plugins=(str(plugin),))
    try:
        told = running.get("state")
        assert (told["state"], told["why"]) == ("off", "the model or a plugin raised SystemExit: 3")
        assert running.client.get("/").status_code == 200
    finally:
        running.close()


@pytest.mark.parametrize("why", ["unwanted", "gone"])
def test_without_its_model_a_record_is_shown_and_reviewed(ran: Path, tmp_path: Path, why: str) -> None:
    given: dict[str, Any] = (
        {"model_wanted": False} if why == "unwanted" else {"model": ("use=huggingface", "path=./nowhere")}
    )
    running = Served(ran / "reports" / "toy", tmp_path, **given)
    try:
        told = running.get("state")
        assert told["state"] == "off"
        assert ("--no-model" if why == "unwanted" else "nowhere") in told["why"]
        assert "there is no live model" in running.post("look", fields={"text": TEXT})["error"]
        assert running.client.get("/").status_code == 200
        assert running.post("review", failure=told["next"], answer="valid")["answers"] == {told["next"]: "valid"}
    finally:
        running.close()


def test_two_models_answer_side_by_side(ran: Path, tmp_path: Path) -> None:
    text = (
        (ran / "toy.yaml")
        .read_text(encoding="utf-8")
        .replace("model: reference/fasttext", "models: [reference/cnn, reference/fasttext]")
    )
    (tmp_path / "both.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="no record yet"):
        Served(tmp_path / "both.yaml", tmp_path, reports=tmp_path / "reports")
    for variant in ("reference-cnn", "reference-fasttext"):
        folder = tmp_path / "reports" / "toy" / variant
        folder.mkdir(parents=True)
        write_record(Record.load(ran / "reports" / "toy"), folder / "results.json")
    with pytest.raises(
        UsageError, match=r"several models, and has a record of each: name one of them, .*reference-cnn"
    ):
        Served(tmp_path / "both.yaml", tmp_path, reports=tmp_path / "reports")
    (tmp_path / "reports" / "toy" / "reference-cnn" / "results.json").unlink()
    running = Served(tmp_path / "both.yaml", tmp_path, reports=tmp_path / "reports")
    try:
        told = running.get("state")
        assert told["models"] == ["reference-fasttext", "reference-cnn"]  # the record's own comes first
        assert told["notes"] == []
        own, other = running.post("look", fields={"text": TEXT})["models"]
        assert own["probabilities"] != other["probabilities"]
        alone = robustfim.context("reference/cnn", [Example({"text": TEXT})]).predict([Example({"text": TEXT})])[0]
        assert alone is not None
        assert other["probabilities"] == pytest.approx(list(alone.probabilities), abs=1e-6)
    finally:
        running.close()


NONSENSE: list[object] = [None, 5, [], {}, [[]], {"a": []}, "x", "\\ud800", True, [None], "{use: typos, x: &a [*a]}"]


@pytest.mark.parametrize(
    "way",
    [
        *("look", "explain", "review", "label"),
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("steps", "flips", "trials")),
    ],
)
def test_a_nonsense_request_is_told_and_is_no_error_of_the_server(served: Served, way: str) -> None:
    keys = ("fields", "failure", "answer", "example", "wrong", "perturb", "examples", "candidates", "fine")
    known = {
        "fields": {"text": "Dull."},
        "perturb": {"use": "typos"},
        "examples": None,
    }  # a short text: each way is asked often
    for value in NONSENSE:
        bodies: list[object] = [dict.fromkeys(keys, value), value, *({**known, key: value} for key in keys)]
        for body in bodies:
            answer = served.client.post(f"/api/{way}", json=body)
            assert answer.status_code in (200, 400, 409), (body, answer.text)
