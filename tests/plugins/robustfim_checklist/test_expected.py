"""The failing cases of each test are those of CheckList's own expectations, written out literally."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from robustfim.errors import UsageError
from robustfim.example import Example, content_id
from robustfim_checklist.expected import expected
from robustfim_checklist.lines import TestLine
from robustfim_checklist.naming import Naming
from tests.plugins.robustfim_checklist.conftest import Folder

MODEL = '''
from zlib import crc32

from robustfim import hookimpl


class Tenths:
    """Probabilities of three labels in tenths, drawn by a hash: edges and ties are frequent."""

    labels = ("negative", "neutral", "positive")
    fingerprint = "tenths-1"

    def predict(self, examples):
        rows = []
        for each in examples:
            number = crc32(each.text.encode())
            first = number % 11
            second = (number // 11) % (11 - first)
            rows.append([first / 10, second / 10, (10 - first - second) / 10])
        return rows


@hookimpl
def robustfim_offers():
    return {"models": {"tenths": Tenths}}
'''

Fn = Callable[..., bool | None]


def tenths(texts: list[str]) -> Any:
    namespace: dict[str, Any] = {}
    exec(MODEL, namespace)  # noqa: S102  # the file of this very test
    return np.array(namespace["Tenths"]().predict([Example({"text": text}) for text in texts]))


# ---- checklist/expect.py, as published ----------------------------------------------------------------------------


def every(results: list[bool | None], *, ignore_first: bool = False) -> bool | None:
    kept = [result for result in results if result is not None]
    return bool(np.all(kept[1:] if ignore_first else kept)) if kept else None


def pairwise(fn: Fn, preds: Any, confs: Any) -> bool | None:
    return every([fn(preds[0], p, confs[0], c) for p, c in zip(preds, confs, strict=True)], ignore_first=True)


def inv(tolerance: float) -> Fn:
    def expect(orig_pred: int, pred: int, orig_conf: Any, conf: Any) -> bool:
        if pred == orig_pred:
            return True
        if tolerance == 0:
            return False
        return bool(np.abs(conf[orig_pred] - orig_conf[orig_pred]) <= tolerance)

    return expect


def monotonic(label: int | None, *, increasing: bool, tolerance: float) -> Fn:
    def expect(orig_pred: int, pred: int, orig_conf: Any, conf: Any) -> bool | None:
        watched = orig_pred if label is None else label
        difference = conf[watched] - orig_conf[watched]
        if increasing and orig_conf[watched] <= tolerance:
            return None
        if not increasing and orig_conf[watched] >= 1 - tolerance:
            return None
        return bool(difference + tolerance >= 0 if increasing else difference - tolerance <= 0)

    return expect


def where(kept: set[int]) -> Fn:
    return lambda orig_pred, pred, orig_conf, conf: orig_pred in kept


CASES = [[f"text {number} {other}" for other in range(4)] for number in range(300)]
TESTS: list[tuple[str, str, dict[str, Any], Fn, set[int] | None]] = [
    ("INV", "invariance", {}, inv(0), None),
    ("INV", "invariance with the published threshold", {"tolerance": 0.1}, inv(0.1), None),
    ("DIR", "own label up", {"direction": "up"}, monotonic(None, increasing=True, tolerance=0.1), None),
    ("DIR", "own label down", {"direction": "down"}, monotonic(None, increasing=False, tolerance=0.1), None),
    ("DIR", "positive up", {"label": "positive"}, monotonic(2, increasing=True, tolerance=0.1), None),
    ("DIR", "positive down, strict", {"label": "positive", "direction": "down", "tolerance": 0},
     monotonic(2, increasing=False, tolerance=0), None),
    ("DIR", "own label up unless neutral", {"direction": "up", "where": {"original": ["negative", "positive"]}},
     monotonic(None, increasing=True, tolerance=0.1), {0, 2}),
    ("INV", "invariance of the positive", {"where": {"original": "positive"}}, inv(0), {2}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "name", "expect", "fn", "kept"), TESTS, ids=[test[1] for test in TESTS])
def test_the_failing_cases_are_the_published_ones(
    folder: Folder, kind: str, name: str, expect: dict[str, Any], fn: Fn, kept: set[int] | None
) -> None:
    folder.write("tenths.py", MODEL)
    folder.tests({"type": kind, "capability": "C", "name": name, "labels": None, "data": CASES, "expect": expect})
    shown = folder.run("{use: checklist, path: tests.jsonl}", model="tenths", options="-p tenths.py")
    assert shown.code in (0, 1, 6), shown.err
    check = folder.record.checks[0]
    failing, tested = set(), set()
    for case in CASES:
        confs = tenths(case)
        preds = confs.argmax(axis=1)
        passed = pairwise(fn, preds, confs)
        if kept is not None and pairwise(where(kept), preds, confs) is not True:
            passed = None  # Expect.wrap_slice
        source = content_id({"text": case[0]})
        tested |= set() if passed is None else {source}
        failing |= {source} if passed is False else set()
    assert set(check.examples) == tested
    assert {failure.example for failure in folder.record.failures} == failing
    assert 0 < len(failing) <= len(tested)


@pytest.mark.parametrize("wanted", [[0], [1, 2], [0, 2]])
def test_the_labels_of_a_minimum_functionality_test_are_the_published_ones(folder: Folder, wanted: list[int]) -> None:
    folder.write("tenths.py", MODEL)
    texts = [case[0] for case in CASES]
    line = {
        "type": "MFT",
        "capability": "C",
        "name": "labels",
        "labels": None,
        "data": texts,
        "expect": {"label": wanted},
    }
    folder.tests(line)
    labels = "[negative, neutral, positive]"
    folder.run(f"{{use: checklist, path: tests.jsonl, labels: {labels}}}", model="tenths", options="-p tenths.py")
    preds = tenths(texts).argmax(axis=1)
    # Expect.single(lambda x, pred, conf, label, meta: pred in wanted)
    failing = {content_id({"text": text}) for text, pred in zip(texts, preds, strict=True) if pred not in wanted}
    assert {failure.example for failure in folder.record.failures} == failing
    assert 0 < len(failing) < len(texts)


# ---- options and names --------------------------------------------------------------------------------------------


def told(name: str, given: dict[str, Any] | None = None, **line: Any) -> dict[str, Any]:
    """The options of the expectation of a DIR test."""
    test = TestLine("DIR", name, [["a", "b"]], expect=line, place="tests.jsonl:2")
    return dict(expected(test, given, Naming(None, [test]), 0.0)[1])


UP = {"use": "directional", "direction": "up", "tolerance": 0.1}


@pytest.mark.parametrize(
    ("name", "added"),
    [
        ("add positive phrases", {**UP, "label": "positive", "against": "negative"}),
        ("Adding NEGATIVE words", {**UP, "label": "negative", "against": "positive"}),
        *((name, {"use": "directional"}) for name in ("intensifiers", "remove positive phrases", "add thanks")),
        ("add positive and negative", {"use": "directional"}),
    ],
)
def test_a_name_that_adds_a_label_tells_its_direction(name: str, added: dict[str, Any]) -> None:
    where = {"original": ["positive"]}
    assert told(name) == added
    assert told(name, {"where": where}) == {**added, "where": where}


def test_the_suite_comes_before_the_line_and_the_line_before_the_name() -> None:
    line: dict[str, Any] = {"label": "negative", "direction": "down"}
    assert told("add positive phrases", {"direction": "same"}, **line) == {"use": "directional", "direction": "same"}
    assert told("add positive phrases", **line) == {"use": "directional", **line}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"lable": "positive"}, "unknown option 'lable'. Did you mean 'label'?"),
        ({"direction": "upp"}, "option 'direction': input should be 'up', 'down' or 'same', not 'upp'."),
        ({"tolerance": "high"}, "option 'tolerance': input should be a valid number"),
        ({"tolerance": 1.5}, "tolerance must lie in [0, 1), not 1.5"),
        ({"label": "a", "against": "a"}, "the label that is watched"),
    ],
)
def test_a_wrong_direction_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        told("x", options)
    assert str(raised.value).startswith("tests.jsonl:2: 'x': ")
    assert message in str(raised.value)
