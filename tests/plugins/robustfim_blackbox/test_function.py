"""A Python function as a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from robustfim import Example, ModelError, UsageError
from robustfim_blackbox.function import PythonFunction

LABELS = ["negative", "positive"]
SCORING = """\
seen = []

def predict(texts):
    seen.append(list(texts))
    return [[1.0, 0.0] if "bad" in str(text) else [0.25, 0.75] for text in texts]

def logits(texts):
    return [[0.0, 0.0] for _ in texts]

class Model:
    def __call__(self, texts):
        return ["positive" for _ in texts]

class Fitted:
    def predict(self, texts):
        return ["positive" for _ in texts]

model = Model()
fitted = Fitted()
number = 3
"""


def examples(*texts: str) -> list[Example]:
    return [Example({"text": text}) for text in texts]


def test_the_function_gets_a_list_of_texts(project: Any) -> None:
    project.write("scoring.py", SCORING)
    model = PythonFunction("scoring:predict", LABELS)
    assert model.predict(examples("a bad film", "a film")) == [[1.0, 0.0], [0.25, 0.75]]
    import scoring  # type: ignore[import-not-found]  # the file this test wrote

    assert scoring.seen == [["a bad film", "a film"]], "one call for the whole batch"


def test_the_function_gets_the_fields_of_examples_that_have_several(project: Any) -> None:
    project.write("scoring.py", SCORING)
    PythonFunction("scoring:predict", LABELS).predict([Example({"premise": "a", "hypothesis": "b"})])
    import scoring  # the file this test wrote

    assert scoring.seen == [[{"premise": "a", "hypothesis": "b"}]]


def test_a_callable_object_is_a_function(project: Any) -> None:
    project.write("scoring.py", SCORING)
    assert PythonFunction("scoring:model", LABELS).predict(examples("a")) == [[0.0, 1.0]]


def test_logits_are_turned_into_probabilities_where_the_suite_says_so(project: Any) -> None:
    project.write("scoring.py", SCORING)
    assert PythonFunction("scoring:logits", LABELS, logits=True).predict(examples("a")) == [[0.5, 0.5]]


def test_nothing_is_imported_before_it_is_needed(project: Any) -> None:
    project.write("broken.py", "raise RuntimeError('too early')\n")
    model = PythonFunction("broken:predict", LABELS)
    assert model.labels == ("negative", "positive")
    with pytest.raises(ModelError, match="importing broken raised RuntimeError: too early"):
        _ = model.fingerprint


@pytest.mark.parametrize(
    ("name", "message"),
    [("number", r"'scoring:number' is no function\."), ("fitted", r"; a fitted pipeline is for use: sklearn\."),
     ("Model", "is a class; name an instance that can be called")],
)  # fmt: skip
def test_what_cannot_be_called_with_texts_is_refused(project: Any, name: str, message: str) -> None:
    project.write("scoring.py", SCORING)
    with pytest.raises(UsageError, match=message):
        PythonFunction(f"scoring:{name}", LABELS).predict(examples("a"))


def test_the_fingerprint_follows_the_source_the_options_and_the_version(project: Any) -> None:
    project.write("scoring.py", SCORING)
    first = PythonFunction("scoring:predict", LABELS).fingerprint
    assert first == PythonFunction("scoring:predict", LABELS, batch_size=3).fingerprint
    others = [
        PythonFunction("scoring:predict", LABELS, version=2).fingerprint,
        PythonFunction("scoring:predict", LABELS, logits=True).fingerprint,
        PythonFunction("scoring:predict", LABELS[::-1]).fingerprint,
        PythonFunction("scoring:logits", LABELS).fingerprint,
    ]
    project.write("scoring.py", SCORING.replace("0.25, 0.75", "0.5, 0.5"))
    project.forget()
    others.append(PythonFunction("scoring:predict", LABELS).fingerprint)
    assert len({first, *others}) == 6


def test_a_function_that_finds_spans_is_a_tagger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "finding.py").write_text("def find(texts):\n    return [[(0, 3, 'name', 0.9)] for _ in texts]\n")
    monkeypatch.chdir(tmp_path)
    tagger = PythonFunction("finding:find", task="spans")
    assert tagger.tag([Example({"text": "Ann"})]) == [[(0, 3, "name", 0.9)]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"task": "spans", "labels": ["name"]}, "takes no 'labels'"),
        ({"task": "spans", "logits": True}, "no 'logits'"),
        ({}, r"the option 'labels' is missing: .* --model 'labels=\[negative, positive\]'"),
    ],
)
def test_a_tagger_has_no_labels_and_any_other_function_has(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        PythonFunction("finding:find", **options)
