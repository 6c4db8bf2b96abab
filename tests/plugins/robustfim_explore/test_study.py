"""The user study through the server: a scripted reader writes, chooses and rates, and the report counts it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import UsageError
from robustfim_explore.adversaries import Adversaries, answers_of, read, unrated
from tests.plugins.robustfim_explore.served import Served
from tests.robustfim.command_line import CommandLine


def rows(served: Served) -> list[dict[str, Any]]:
    return read(served.desk.study.path)


def test_a_person_sees_each_label_at_once_and_chooses_the_closest(served: Served) -> None:
    shown = served.post("study/next", arm="human", who="Ann")
    assert shown["left"] == 10
    same = served.post("study/attempt", who="Ann", text=shown["text"])
    assert (same["label"], same["changed"], same["found"]) == (shown["label"], False, [])
    other = next(example for example in served.desk.examples.values() if example.prediction != shown["label"])
    (text,) = other.fields.values()
    changed = served.post("study/attempt", who="Ann", text=text)
    assert changed == {"label": other.prediction, "changed": True, "left": 8, "found": [text]}
    assert "there is no adversary 2" in served.post("study/end", who="Ann", place=2)["error"]
    served.post("study/end", who="Ann", place=1)
    (row,) = rows(served)
    assert (row["before"], row["after"], row["arm"], row["who"]) == (shown["text"], text, "human", "Ann")
    assert row["seconds"] >= 0
    assert served.post("study/next", arm="human", who="Ann")["text"] != shown["text"]


def test_ten_attempts_are_all(served: Served) -> None:
    served.post("study/next", arm="human", who="Ann")
    for left in range(9, -1, -1):
        assert served.post("study/attempt", who="Ann", text="a film")["left"] == left
    assert served.post("study/attempt", who="Ann", text="a film")["error"] == "no attempt is left for this text."


def test_each_arm_begins_with_the_same_texts_and_the_score_answers_alone(served: Served) -> None:
    texts = {arm: [] for arm in ("human", "hsea", "sea")}  # type: dict[str, list[str]]
    for arm, told in texts.items():
        for _ in range(3):
            shown = served.post("study/next", arm=arm, who="Bob")
            told.append(shown["text"])
            assert len(shown["found"]) <= {"human": 0, "hsea": 5, "sea": 1}[arm]
            if arm != "sea":
                served.post("study/end", who="Bob", place=min(1, len(shown["found"])))
    assert texts["human"] == texts["hsea"] == texts["sea"]
    best = {row["before"]: row["after"] for row in rows(served) if row["arm"] == "sea"}
    assert best == {row["before"]: row["after"] for row in rows(served) if row["arm"] == "hsea"}, "the first of five"


def test_others_rate_and_one_command_reports(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    while not served.post("study/next", arm="sea", who="machine").get("done"):
        pass
    found = [row["after"] for row in rows(served) if row["after"]]
    assert found
    assert served.post("study/next", arm="rater", who="machine") == {"done": True}, "nobody rates what they found"
    rated = 0
    while not (pair := served.post("study/next", arm="rater", who="Cleo")).get("done"):
        assert "not a rating from 1" in served.post("study/rate", who="Cleo", similarity=6, **pair)["error"]
        served.post("study/rate", who="Cleo", similarity=4 + rated % 2, **pair)
        rated += 1
    assert rated == len(set(found))
    assert "cannot rate this" in served.post("study/rate", who="Cleo", before="a", after="b", similarity=1)["error"]
    assert CommandLine(tmp_path, capsys)(f"study adversaries {served.desk.study.path}").code == 0
    told = json.loads((tmp_path / "reports" / "study-adversaries.json").read_text(encoding="utf-8"))["results"]
    assert told["sea"]["found"] == told["sea"]["equivalent"] == len(found)


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("next", {"arm": "human"}, "give your name"),
        ("next", {"arm": "robot", "who": "Ann"}, "'robot' is none of human, sea, hsea, rater"),
        ("attempt", {"who": "Dora", "text": "a film"}, "no text was shown"),
        ("end", {"who": "Dora", "place": 0}, "no text was shown"),
        ("rate", {"who": " "}, "give your name"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_message(
    served: Served, path: str, body: dict[str, Any], message: str
) -> None:
    assert message in served.post(f"study/{path}", **body)["error"]
    assert rows(served) == []


@pytest.mark.parametrize("path", ["/study", "/study.js", "/study.css"])
def test_the_page_needs_the_link(served: Served, path: str) -> None:
    import httpx

    assert httpx.get(served.url + path).status_code == 403
    assert served.client.get(path).status_code == 200


def test_the_best_by_the_score_is_taken_or_five_are_offered() -> None:
    rewrites = [f"a fine {word}" for word in ("picture", "movie", "movie!", "movie.", "movie?", "movie,", "movie;")]
    look = Adversaries(lambda texts: ["bad" if "movie" in text else "good" for text in texts], lambda text: rewrites)
    sea, hsea = (look.begin(arm, "x", "a fine film", "good") for arm in ("sea", "hsea"))
    assert (sea.found, hsea.found) == (rewrites[1:2], rewrites[1:6])
    assert look.end(hsea, 5, "Bob")["after"] == "a fine movie,"
    none = look.end(sea, 0, "Bob")
    assert none.pop("seconds") >= 0
    assert none == {"arm": "sea", "example": "x", "before": "a fine film", "after": "", "who": "Bob"}
    with pytest.raises(UsageError, match="no attempt is left"):
        look.attempt(sea, "a film")


def test_an_adversary_is_equivalent_at_a_median_of_four() -> None:
    answers: list[dict[str, Any]] = [
        *({"arm": arm, "example": each, "before": each, "after": f"{arm} {each}", "seconds": 3.0, "who": "ann"}
          for arm in ("human", "sea") for each in "abc"),
        *({"before": text, "after": f"{arm} {text}", "similarity": n, "who": str(n)}
          for arm, texts, given in (("human", "ab", (3, 4, 5)), ("sea", "bc", (2, 3, 5))) for text in texts
          for n in given),
    ]  # fmt: skip
    found = answers_of(answers)
    assert found["human"] == {"a": (True, True, 3.0), "b": (True, True, 3.0), "c": (True, False, 3.0)}
    assert {each[1] for each in found["sea"].values()} == {False}
    assert unrated(answers, "4") == [("a", "sea a"), ("b", "sea b"), ("c", "human c"), ("c", "sea c")]
    assert unrated(answers, "ann") == []
