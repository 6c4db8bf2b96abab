"""The door from Python: what a script or a notebook gives, and what it gets."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import robustfim
from robustfim.builtin.expectations import Invariant
from robustfim.errors import ModelError, NothingCollected, SuiteError, UsageError
from robustfim.example import Example
from robustfim.outcome import ExitCode, Outcome
from robustfim.roles import Substitution
from tests.house.importing import imported_by_code
from tests.house.tree import HEAVY
from tests.robustfim.command_line import CommandLine
from tests.robustfim.toys import LABELS, CountingModel, Swap, probabilities

ROWS: list[dict[str, Any]] = [
    {"text": f"a {word} film, number {number}", "label": label}
    for number in range(6)
    for word, label in (("good", "positive"), ("bad", "negative"))
]
SWAP: Substitution = Swap({"good": ["dull"], "bad": ["dull"]})
CHECKS = {"swap": {"perturb": {"use": SWAP}, "limit": 0.1}}


def words(texts: Sequence[str]) -> list[list[float]]:
    return [probabilities(text) for text in texts]


def run(**given: Any) -> robustfim.Run:
    return robustfim.run(**{"model": words, "labels": LABELS, "data": ROWS, "checks": CHECKS, **given})


def test_plain_objects_go_in_and_one_object_comes_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = run()
    # "dull" is negative, so that each of the six positive texts is turned and none of the negative ones.
    assert (found.checks["swap"].failing, found.checks["swap"].tested) == (6, 12)
    assert (found.outcome, found.exit_code) == (Outcome.FAILED, ExitCode.FAILED)
    assert {row["edits"] for row in found.failures} == {"good → dull"}
    assert list(tmp_path.iterdir()) == [], "nothing is written unless it is asked for"


def test_a_data_frame_a_list_of_examples_and_a_role_are_the_same_data() -> None:
    pandas = pytest.importorskip("pandas")
    examples = [Example({"text": row["text"]}, row["label"]) for row in ROWS]

    class Source:
        def load(self) -> list[Example]:
            return examples

    failures = run().failures
    renamed = pandas.DataFrame(ROWS).rename(columns={"text": "review", "label": "stars"})
    for data in (pandas.DataFrame(ROWS), examples, tuple(ROWS), Source()):
        assert run(data=data).failures == failures
    named = run(data={"use": renamed, "text": "review", "label": "stars"})
    assert [row["perturbed"] for row in named.failures] == [row["perturbed"] for row in failures]


def test_a_datasets_dataset_is_data_and_names_its_labels() -> None:
    datasets = pytest.importorskip("datasets")
    features = datasets.Features({"text": datasets.Value("string"), "label": datasets.ClassLabel(names=list(LABELS))})
    rows = {"text": [row["text"] for row in ROWS], "label": [LABELS.index(row["label"]) for row in ROWS]}
    found = run(data=datasets.Dataset.from_dict(rows, features=features))
    assert found.failures == run().failures


def test_one_split_of_several_is_data_and_the_error_says_how_to_take_one() -> None:
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_list(ROWS)
    named = {"use": datasets.DatasetDict(train=rows, dev=rows), "split": "dev"}
    for data in (datasets.DatasetDict(dev=rows), datasets.DatasetDict(train=rows.select([0]), test=rows), named):
        assert run(data=data).failures == run().failures
    with pytest.raises(UsageError, match=r"data has the splits train, dev: give one of them, data=splits\['train'\]\."):
        run(data=named["use"])
    with pytest.raises(
        UsageError,
        match=r"data: the dict has the keys text, label, .*give a frame, data=pandas\.DataFrame\(columns\)\.",
    ):
        run(data=rows.to_dict())


def test_tables_of_arrow_are_data() -> None:
    pyarrow = pytest.importorskip("pyarrow")

    class Exported:
        """What DuckDB, Ibis and others hand out."""

        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            return pyarrow.Table.from_pylist(ROWS).__arrow_c_stream__(requested_schema)

    table, failures = pyarrow.Table.from_pylist(ROWS), run().failures
    for data in (table, table.to_batches()[0], Exported(), {"use": Exported(), "limit": len(ROWS)}):
        assert run(data=data).failures == failures
    assert run(data=table["text"]).checks["swap"].tested == len(ROWS)


def test_frames_of_polars_are_data_once_they_are_collected() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(ROWS).with_columns(polars.col("label").cast(polars.Categorical))
    assert run(data=frame).failures == run().failures
    assert run(data=frame["text"]).checks["swap"].tested == len(ROWS)
    with pytest.raises(UsageError, match=r"a LazyFrame has no rows yet: give data=frame\.collect\(\)\."):
        run(data=frame.lazy())


def test_rows_of_an_array_are_refused_with_the_frame_to_make_of_them() -> None:
    for rows in (np.array([["a good film", "positive"]], dtype=object), [("a good film", "positive")]):
        with pytest.raises(UsageError, match=r"row 0 is .*: pandas\.DataFrame\(rows, columns=\['text', 'label'\]\)\."):
            run(data=rows)


def test_a_function_may_answer_with_an_array_or_with_labels() -> None:
    expected = [row["perturbed"] for row in run().failures]
    for model in (
        lambda texts: np.array(words(texts)),
        lambda texts: [LABELS[int(np.argmax(row))] for row in words(texts)],
    ):
        assert [row["perturbed"] for row in run(model=model).failures] == expected


def test_a_fitted_pipeline_of_scikit_learn_is_a_model_with_its_own_labels() -> None:
    pytest.importorskip("sklearn")
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    texts, labels = zip(*((row["text"], row["label"]) for row in ROWS), strict=True)
    found = run(model=make_pipeline(CountVectorizer(), LogisticRegression()).fit(texts, labels), labels=None)
    assert found.record.model.labels == sorted(LABELS)
    assert found.record.model.accuracy.rate == 1.0


def test_a_model_role_stands_for_itself_and_takes_no_options() -> None:
    assert run(model=CountingModel(), labels=None).failures == run().failures
    with pytest.raises(UsageError, match=r"model: \S+\.CountingModel is made already, so it takes no options: labels"):
        run(model=CountingModel())


def test_names_options_and_objects_may_stand_side_by_side() -> None:
    checks = {
        "typos": {"perturb": "typos", "constrain": [{"max_changed": 0.5}], "limit": 0.5},
        "swap": {"perturb": {"use": SWAP, "candidates": 1}, "expect": Invariant(), "xfail": "known", "limit": 0.0},
    }
    found = run(checks=checks, scores=["margin"], select={"by": "margin", "difficult": 4, "control": 4}, seed=3)
    assert found.checks["swap"].outcome is Outcome.XFAILED
    assert found.checks["swap"].candidates.tested == found.checks["swap"].tested == 8
    assert found.record.seed == 3
    assert {row["arm"] for row in found.examples} == {"difficult", "control", None}


def test_a_suite_file_and_a_suite_of_values_give_equal_records(robustfim: CommandLine) -> None:
    import yaml

    robustfim("run toy.yaml")
    values = yaml.safe_load(Path("toy.yaml").read_text(encoding="utf-8"))
    told = ("examples", "scores", "selection", "summary")
    for found in (_run("toy.yaml"), _run({**values, "suite": "toy"})):
        for name in told:
            assert getattr(found.record, name) == getattr(robustfim.record(), name)
    same = ("rate", "interval", "outcome", "candidates", "message", "limit")
    for ours, theirs in zip(_run("toy.yaml").record.checks, robustfim.record().checks, strict=True):
        assert all(getattr(ours, name) == getattr(theirs, name) for name in same)


def _run(suite: Any, **given: Any) -> robustfim.Run:
    return sys.modules["robustfim"].run(suite, **given)  # type: ignore[no-any-return]  # the fixture hides the module


def test_what_a_script_gives_stands_in_place_of_what_the_file_says(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml::both")
    found = _run("toy.yaml", model=CountingModel(), labels=None, data=ROWS, checks=CHECKS)
    assert list(found.checks) == ["swap"]
    assert found.record.data.use == "robustfim.api.Rows"
    assert found.record.model.use == f"{CountingModel.__module__}.CountingModel"
    assert found.failures[0]["reproduce"].startswith("robustfim.run(…, only=['swap'], examples=['")
    alone = _run("toy.yaml", model=words, labels=LABELS, data=ROWS, checks=CHECKS,
                 examples=[found.failures[0]["example"]])  # fmt: skip
    assert len(alone.failures) == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"checks": {"x": {"perturb": "typo"}}}, r"checks\.x\.perturb: unknown perturbation 'typo'\. Did you mean"),
        ({"checks": {"x": {"perturb": {"use": "typos", "wrods": 1}}}}, r"checks\.x\.perturb\.wrods: unknown option"),
        ({"checks": {"x": {"perturb": "typos", "limit": 2}}}, r"^checks\.x\.limit: 2 is not a rate between 0 and 1"),
        ({"checks": {}}, "checks is empty"),
        ({"labels": None}, "model: the option 'labels' is missing"),
        ({"model": object(), "labels": None}, "model: object is no model, and no plugin takes it as one"),
        ({"data": object()}, "data: object is no data source"),
        ({"data": {"use": ROWS, "text": "review"}}, "no column 'review'"),
        ({"select": {"dificult": 3}}, "unknown key 'dificult' in 'select'. Did you mean 'difficult'"),
        ({"only": ["swop"]}, "has no check 'swop'. Did you mean 'swap'"),
    ],
)
def test_a_wrong_value_is_told_with_its_key_in_the_words_of_the_command_line(
    given: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        run(**given)


def test_a_file_with_several_models_a_missing_file_and_an_empty_selection_are_errors(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{x: {perturb: rename}}", model="wordsum")
    text = Path(suite).read_text(encoding="utf-8")
    robustfim.write("two.yaml", text.replace("model: wordsum", "models: [wordsum, wordsum]"))
    with pytest.raises(UsageError, match="lists several under"):
        _run("two.yaml")
    with pytest.raises(SuiteError, match="no such suite file"):
        _run("missing.yaml")
    with pytest.raises(NothingCollected):
        run(marks="nothing")


def test_an_interrupted_run_stops_the_script_and_loses_nothing() -> None:
    calls = 0

    def interrupted(texts: Sequence[str]) -> list[list[float]]:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise KeyboardInterrupt
        return words(texts)

    with pytest.raises(KeyboardInterrupt) as raised:
        run(model=interrupted)
    assert raised.value.run.record.interrupted  # type: ignore[attr-defined]  # as the page says
    assert len(raised.value.run.examples) == len(ROWS)  # type: ignore[attr-defined]  # as the page says


def test_a_baseline_may_be_a_run_and_a_store_and_reports_are_written_where_it_is_said(tmp_path: Path) -> None:
    before = run(store=tmp_path / "store.sqlite", reports=tmp_path / "reports")
    assert (tmp_path / "reports/python/results.json").is_file()
    assert (tmp_path / "store.sqlite").is_file()
    after = run(baseline=before)
    assert len(after.record.comparisons) == 1


def test_scores_come_in_the_order_of_the_data_with_which_end_is_hard() -> None:
    scored = robustfim.score(words, ROWS, by="margin", labels=LABELS)
    assert [example.text for example in scored.examples] == [row["text"] for row in ROWS]
    expected = [abs(a - b) for a, b in words([row["text"] for row in ROWS])]
    assert list(scored) == pytest.approx(expected)
    values = [value for _, value in scored.hardest_first()]
    assert values == sorted(values, reverse=scored.hardest == "highest")
    with pytest.raises(UsageError, match=r"scorer: unknown score 'marjin'\. Did you mean 'margin'"):
        robustfim.score(words, ROWS, by="marjin", labels=LABELS)
    with pytest.raises(UsageError, match=r"the score 'fisher': .*gradients"):
        robustfim.score(words, ROWS, labels=LABELS)


def test_texts_are_perturbed_by_a_name_or_an_object_each_in_its_place() -> None:
    texts = ["a good film", "nothing to change", "a good film", "so bad"]
    made = robustfim.perturb(SWAP, texts)
    assert made.texts == [["a dull film"], [], ["a dull film"], ["so dull"]]
    assert made.counts["proposed"] == 3
    assert [len(each) for each in robustfim.perturb("typos", texts, candidates=2, words=1)] == [2, 2, 2, 0]
    with pytest.raises(UsageError, match=r"unknown perturbation 'tyops'\. Did you mean 'typos'"):
        robustfim.perturb("tyops", texts)


def test_a_perturbation_makes_the_candidates_of_a_check() -> None:
    found = run(checks={"typos": {"perturb": {"use": "typos", "candidates": 3}, "expect": "changes"}}, name="mine")
    made = robustfim.perturb("typos", [row["text"] for row in ROWS], candidates=3)
    assert {row["perturbed"] for row in found.failures} <= {text for texts in made.texts for text in texts}
    assert found.failures


def test_what_asks_a_model_says_so_where_there_is_none() -> None:
    around = robustfim.context(data=ROWS)
    assert len(around.examples) == len(ROWS)
    with pytest.raises(ModelError, match="there is none here"):
        around.predict(around.examples)
    with_model = robustfim.context(words, ROWS, labels=LABELS)
    (prediction,) = with_model.predict(with_model.examples[:1])
    assert prediction is not None
    assert math.isclose(sum(prediction.probabilities), 1)


def test_importing_robustfim_is_light(tmp_path: Path) -> None:
    imported = imported_by_code("import robustfim", tmp_path / "imported")
    assert not sorted(imported & (HEAVY | {"pydantic", "rich", "numpy", "click", "yaml"}))
