"""Trying a perturbation, against a run of it; and what is kept runs as a suite."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

import robustfim
from robustfim.example import Example
from robustfim.record import Record
from tests.plugins.robustfim_explore.served import Served


def test_what_fails_is_what_the_same_candidates_fail_in_a_script(served: Served, ran: Path) -> None:
    record = Record.load(ran / "reports" / "toy" / "results.json")
    tested = [example for example in record.examples if example.arm is not None]
    right = [example for example in tested if example.correct]
    told = served.trial(
        perturb={"use": "typos", "words": "2"}, examples=[example.id for example in tested], candidates=5
    )
    made = robustfim.perturb(
        "typos", [Example(example.fields, example.label) for example in right], candidates=5, words=2
    )
    around = robustfim.context("reference/fasttext", list(made.examples))
    before = [prediction.label for prediction in around.predict(made.examples) if prediction is not None]
    after = [
        [prediction.label for prediction in around.predict([one.example for one in pool]) if prediction is not None]
        for pool in made
    ]
    assert (told["state"], told["texts"], told["done"]) == ("done", 30, 30)
    assert told["testable"] == sum(map(bool, after))
    assert told["candidates"] == sum(map(len, after))
    assert told["failing"] == sum(any(now != was for now in pool) for was, pool in zip(before, after, strict=True)) > 0
    assert told["rate"] == told["failing"] / told["testable"]


def test_a_rule_is_tried_on_one_text(served: Served) -> None:
    told = served.trial(perturb={"use": "rules", "rules": "movie → film"}, fields={"text": "This movie is a joy."})
    assert (told["state"], told["texts"], told["testable"], told["candidates"]) == ("done", 1, 1, 1)


def test_what_fails_is_kept_as_a_suite_that_runs_and_fails(served: Served, ran: Path) -> None:
    told = served.trial(perturb={"use": "typos", "words": "3"}, examples=served.get("state")["tested"], candidates=8)
    assert told["failures"] > 0
    kept = served.post(f"trials/{told['trial']}/save", check="broken-by-typos")
    assert kept["texts"] == told["failures"]
    run = robustfim.run(ran / "broken-by-typos.yaml")
    assert run.checks["broken-by-typos"].rate is not None
    assert {failure["perturbed"] for failure in run.failures} <= {
        "\n".join(pair["after"].values()) for pair in told["pairs"]
    }
    assert run.checks["broken-by-typos"].failing > 0
    assert "exists already" in served.post(f"trials/{told['trial']}/save", check="broken-by-typos")["error"]
    check = yaml.safe_load(served.post(f"trials/{told['trial']}/check", check="typos-3")["yaml"])
    assert check == {"checks": {"typos-3": {"perturb": {"candidates": 8, "use": "typos", "words": 3}}}}
    suite = yaml.safe_load((ran / "toy.yaml").read_text(encoding="utf-8")) | check
    assert robustfim.run(suite, max_failures=1).checks["typos-3"].tested > 0


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"perturb": {"use": "typo"}, "fields": {"text": "a film"}}, "Did you mean 'typos'"),
        ({"perturb": "typos", "fields": {"text": "a film"}}, "choose a perturbation"),
        ({"perturb": {"use": "typos", "wrds": "2"}, "fields": {"text": "a film"}}, "wrds"),
        ({"perturb": {"use": "rules", "rules": "no arrow"}, "fields": {"text": "a film"}}, "no arrow"),
        ({"perturb": {"use": "typos"}, "examples": ["nothing"]}, "no example 'nothing'"),
        ({"perturb": {"use": "typos"}, "examples": []}, "list of ids"),
        ({"perturb": {"use": "typos"}, "fields": {"text": "a film"}, "candidates": 0}, "candidates"),
        ({"perturb": {"use": "eigenvector"}, "fields": {"text": "a film"}}, "steps in embedding space"),
    ],
)
def test_what_cannot_be_tried_is_said(served: Served, asked: dict[str, Any], said: str) -> None:
    told = served.trial(**asked)
    assert said in (told.get("error") or told["message"])


@pytest.mark.parametrize("name", ["", "../escape", "a/b", "a b", None, 3])
def test_a_name_that_is_no_name_writes_nothing(served: Served, ran: Path, name: Any) -> None:
    told = served.trial(perturb={"use": "typos", "words": "3"}, examples=served.get("state")["tested"][:5])
    before = sorted(ran.rglob("*"))
    assert "cannot name" in served.post(f"trials/{told['trial']}/save", check=name)["error"]
    assert sorted(ran.rglob("*")) == before


def test_a_trial_can_be_stopped_and_keeps_what_it_found(served: Served) -> None:
    told = served.post("trials", perturb={"use": "typos"}, examples=served.get("state")["tested"])
    stopped = served.client.delete(f"/api/trials/{told['trial']}").json()
    assert stopped["state"] in ("stopped", "done")
    assert served.get(f"trials/{told['trial']}")["done"] <= told["texts"]
    assert "no trial" in served.get("trials/999")["error"]
