"""A fitted scikit-learn pipeline as a model."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim import Example, ModelError, UsageError
from robustfim_blackbox.pipeline import SklearnPipeline

pytest.importorskip("sklearn")

FITTED = """\
from sklearn.compose import make_column_transformer
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

TEXTS = ["a good film", "good and fine", "a bad film", "dull and bad", "so so"] * 4
LABELS = ["positive", "positive", "negative", "negative", "neutral"] * 4

calls = []

def fit(classifier=None, labels=LABELS):
    calls.append(1)
    return make_pipeline(TfidfVectorizer(), classifier or LogisticRegression()).fit(TEXTS, labels)

pipeline = fit()
numbered = fit(labels=[1 if label == "positive" else 0 for label in LABELS])
spaced = fit(labels=[f" {label}" for label in LABELS])
mixed = fit(labels=[f"{label}{' ' * (number % 2)}" for number, label in enumerate(LABELS)])
head = LogisticRegression().fit([[len(text), text.count("o")] for text in TEXTS], LABELS)
unfitted = make_pipeline(TfidfVectorizer(), LogisticRegression())
margins = fit(LinearSVC())
two = [[label == "positive", number % 2] for number, label in enumerate(LABELS)]
several = make_pipeline(TfidfVectorizer(), MultiOutputClassifier(LogisticRegression())).fit(TEXTS, two)
words = CountVectorizer(analyzer=lambda text: text.split())
unhashable = make_pipeline(words, LogisticRegression()).fit(TEXTS, LABELS)
number = 3

def pairs():
    import pandas
    frame = pandas.DataFrame({"premise": TEXTS, "hypothesis": TEXTS[::-1]})
    columns = make_column_transformer((CountVectorizer(), "premise"), (CountVectorizer(), "hypothesis"))
    return make_pipeline(columns, LogisticRegression()).fit(frame, LABELS)
"""
TEXTS = ["a good film", "a bad one", "so so"]


def examples() -> list[Example]:
    return [Example({"text": text}) for text in TEXTS]


@pytest.fixture
def fitted(project: Any) -> Any:
    project.write("fitted.py", FITTED)
    return project


def test_it_predicts_what_the_pipeline_predicts(fitted: Any) -> None:
    model = SklearnPipeline("fitted:pipeline")
    assert model.labels == ("negative", "neutral", "positive")
    import fitted as module  # type: ignore[import-not-found]  # the file the fixture wrote

    np.testing.assert_array_equal(model.predict(examples()), module.pipeline.predict_proba(TEXTS))
    assert [model.labels[row.argmax()] for row in model.predict(examples())] == ["positive", "negative", "neutral"]


def test_a_function_that_returns_it_is_called_once(fitted: Any) -> None:
    model = SklearnPipeline("fitted:fit")
    plain = SklearnPipeline("fitted:pipeline").labels
    import fitted as module  # the file the fixture wrote

    before = len(module.calls)
    assert model.labels == plain
    np.testing.assert_allclose(model.predict(examples()), module.pipeline.predict_proba(TEXTS))
    _ = model.fingerprint
    assert len(module.calls) == before + 1


def test_several_fields_are_the_columns_of_a_data_frame(fitted: Any) -> None:
    pandas = pytest.importorskip("pandas")
    model = SklearnPipeline("fitted:pairs")
    assert model.labels == ("negative", "neutral", "positive")
    import fitted as module  # the file the fixture wrote

    frame = pandas.DataFrame({"premise": ["a good film"], "hypothesis": ["so so"]})
    expected = module.pairs().predict_proba(frame)
    predicted = model.predict([Example({"premise": "a good film", "hypothesis": "so so"})])
    np.testing.assert_allclose(predicted, expected)


ROWS = """text,stars,code,country
a good film,5,01,de
a bad one,1,1,fr
so so,,01,
a bad film,2,1,de
"""


@pytest.mark.parametrize("columns", ["names", "places", "a mask"])
def test_a_pipeline_of_a_frame_gets_the_columns_beside_the_text(tmp_path: Path, columns: str) -> None:
    pandas = pytest.importorskip("pandas")
    from sklearn.compose import make_column_transformer
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    (tmp_path / "rows.csv").write_text(ROWS, encoding="utf-8")
    frame = pandas.read_csv(tmp_path / "rows.csv", dtype={"code": str})
    labels = ["good", "bad", "bad", "bad"]
    part = {
        "names": (["stars"], ["code", "country"]),
        "places": ([1], [2, 3]),
        "a mask": ([False, True, False, False, False], [False, False, True, True, False]),
    }[columns]
    transformer = make_column_transformer(
        (TfidfVectorizer(), "text" if columns == "names" else 0),
        (make_pipeline(SimpleImputer(), StandardScaler()), part[0]),
        (make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore")), part[1]),
    )
    pipeline = make_pipeline(transformer, LogisticRegression(C=100)).fit(frame.assign(label=labels), labels)
    model, expected = SklearnPipeline(pipeline), pipeline.predict_proba(frame)
    read = importlib.import_module("robustfim_files.csv_file").CsvFile(tmp_path / "rows.csv", label=None)
    for given in (
        list(read.load()),
        [Example({"text": row.pop("text")}, meta=row) for row in frame.to_dict("records")],
    ):
        np.testing.assert_allclose(model.predict(given), expected)
        assert len({model.attached(each) for each in given}) == len(given), "what decides is in the key of an answer"
    renamed = [Example({"review": each.text}, meta=each.meta) for each in given]
    with pytest.raises(
        ModelError,
        match=r"columns text, stars, code, country, label, and the data have code, .*: rename one of them to 'text'",
    ):
        model.predict(renamed)


def test_a_pipeline_of_a_frame_of_one_column_gets_the_text_whatever_its_name() -> None:
    pandas = pytest.importorskip("pandas")
    from sklearn.compose import make_column_transformer
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    frame = pandas.DataFrame({"review": TEXTS})
    pipeline = make_pipeline(make_column_transformer((CountVectorizer(), "review")), LogisticRegression())
    model = SklearnPipeline(pipeline.fit(frame, ["good", "bad", "bad"]))
    np.testing.assert_array_equal(model.predict(examples()), pipeline.predict_proba(frame))


def test_several_fields_without_pandas_are_told(fitted: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    model = SklearnPipeline("fitted:pipeline")
    assert model.labels
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModelError, match=r"several fields need pandas: pip install 'robustfim\[data\]'"):
        model.predict([Example({"premise": "a", "hypothesis": "b"})])


def test_classes_can_be_named(fitted: Any) -> None:
    assert SklearnPipeline("fitted:numbered").labels == ("0", "1")
    assert SklearnPipeline("fitted:numbered", labels=["no", "yes"]).labels == ("no", "yes")
    assert SklearnPipeline("fitted:numbered", labels={"1": "yes"}).labels == ("0", "yes")


def test_classes_are_named_without_white_space_around_them_where_that_tells_them_apart(fitted: Any) -> None:
    assert SklearnPipeline("fitted:spaced").labels == ("negative", "neutral", "positive")
    assert "negative " in SklearnPipeline("fitted:mixed").labels


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["no"], "'labels' has 1 names, and the model has 2 classes: 0, 1"),
        ({"2": "yes"}, "renames '2', no class of the model. It has: 0, 1"),
        (["no", "no"], "two classes are named 'no'"),
    ],
)
def test_names_that_do_not_fit_are_refused(fitted: Any, labels: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        _ = SklearnPipeline("fitted:numbered", labels=labels).labels


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("unfitted", ModelError, "has no 'classes_': it is not fitted"),
        (
            "margins",
            ModelError,
            r"has no 'predict_proba': wrap its classifier in scikit-learn's CalibratedClassifierCV",
        ),
        ("several", ModelError, "has several outputs"),
        ("number", UsageError, "is a int, neither a classifier nor a function that returns one"),
        ("pipelin", UsageError, r"has no 'pipelin'\. Did you mean 'pipeline'\?"),
    ],
)
def test_what_is_no_fitted_classifier_is_told(fitted: Any, name: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        _ = SklearnPipeline(f"fitted:{name}").labels


def test_a_head_without_what_makes_numbers_of_texts_says_how_to_give_both(fitted: Any) -> None:
    with pytest.raises(ModelError, match=r"fitted:head \(LogisticRegression\) was fitted on 2 numbers .* lambda"):
        SklearnPipeline("fitted:head").predict(examples())


def fingerprint(folder: Any, name: str = "pipeline", **options: Any) -> str:
    folder.forget()
    return SklearnPipeline(f"fitted:{name}", **options).fingerprint


@pytest.mark.slow
def test_the_fingerprint_is_the_same_in_another_process(fitted: Any) -> None:
    code = (
        "from robustfim_blackbox.pipeline import SklearnPipeline\nprint(SklearnPipeline('fitted:pipeline').fingerprint)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": "7"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=fitted.folder, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == fingerprint(fitted)


def test_the_fingerprint_follows_what_was_fitted_though_the_source_stays(fitted: Any) -> None:
    fitted.write("fitted.py", FITTED + "import pathlib\nTEXTS[0] = pathlib.Path('text').read_text()\nagain = fit()\n")
    fitted.write("text", "a good film")
    first = fingerprint(fitted, "again")
    fitted.write("text", "a grand film")
    assert fingerprint(fitted, "again") != first
    fitted.write("text", "a good film")
    assert fingerprint(fitted, "again") == first
    assert fingerprint(fitted, "again", version=2) != first


def test_a_pipeline_whose_state_cannot_be_hashed_is_known_by_its_source(fitted: Any) -> None:
    first = fingerprint(fitted, "unhashable")
    assert fingerprint(fitted, "unhashable") == first
    fitted.write("fitted.py", f"{FITTED}\n# another source\n")
    assert fingerprint(fitted, "unhashable") != first
