"""Scores of other tools: their files in their own form, compared as two runs are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from robustfim.cli import main
from robustfim.errors import DataError
from robustfim.judge.comparison import compare
from robustfim.statistics.paired import Paired
from robustfim_suites.scores import DeepEvalScores, InspectScores, LmEvalScores, PlainScores, PromptfooScores

BEFORE = [0] * 20 + [1] * 80
"""Passed or not, of a hundred samples: the next run breaks 3 of them and mends 11."""
AFTER = [1] * 11 + [0] * 9 + [0] * 3 + [1] * 77


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def plain(path: Path, scores: list[int]) -> Path:
    if path.suffix == ".csv":
        path.write_text("id,score\n" + "".join(f"q{n},{score}\n" for n, score in enumerate(scores)), encoding="utf-8")
        return path
    return lines(path, [{"id": f"q{number}", "score": bool(score)} for number, score in enumerate(scores)])


def inspect(path: Path, scores: list[int]) -> Path:
    samples = [
        {"id": n, "epoch": 1, "input": "2 + 2", "target": "4",
         "scores": {"match": {"value": "C" if score else "I", "answer": "4", "explanation": "4", "metadata": {}}}}
        for n, score in enumerate(scores)
    ]  # fmt: skip
    log = {"version": 2, "status": "success", "eval": {"task": "sums", "model": "tiny"}, "samples": samples}
    path.write_text(json.dumps(log), encoding="utf-8")
    return path


def lm_eval(path: Path, scores: list[int]) -> Path:
    rows = [
        {"doc_id": n, "doc": {"question": f"q{n}"}, "target": "0", "arguments": {}, "resps": [], "filtered_resps": [],
         "filter": "none", "metrics": ["acc"], "doc_hash": f"{n:064x}", "prompt_hash": "", "target_hash": "",
         "acc": float(score)}
        for n, score in enumerate(scores)
    ]  # fmt: skip
    return lines(path, rows)


def promptfoo(path: Path, scores: list[int]) -> Path:
    rows = [
        {
            "testIdx": n,
            "promptIdx": 0,
            "vars": {"question": f"q{n}"},
            "success": bool(score),
            "score": 0.4 + 0.6 * score,
        }
        for n, score in enumerate(scores)
    ]
    path.write_text(json.dumps({"evalId": "e", "results": {"version": 3, "results": rows}}), encoding="utf-8")
    return path


def deepeval(path: Path, scores: list[int]) -> Path:
    """What ``TestRun.save`` writes: by alias, without what is None."""
    metric = {"threshold": 0.5, "strictMode": False, "flaky": False, "evaluationModel": "tiny"}
    rows = [
        {
            "name": f"test_case_{n}", "input": f"q{n}", "actualOutput": f"a{n}", "expectedOutput": "4", "flaky": False,
            "success": bool(score), "order": n, "metricsData": [{"name": "Exact Match", "success": bool(score),
            "score": float(score), **metric}, {"name": "Tone", "success": True, "score": 0.6, **metric}],
        }
        for n, score in enumerate(scores)
    ]  # fmt: skip
    run = {"testCases": rows, "conversationalTestCases": [], "metricsScores": [], "runDuration": 0.1, "official": False}
    path.write_text(json.dumps(run), encoding="utf-8")
    return path


def langtest(path: Path, scores: list[int]) -> Path:
    """What ``generated_results().to_csv`` writes of robustness tests."""
    head = "category,test_type,original,test_case,expected_result,actual_result,pass\n"
    labels = ["yes" if score else "no" for score in scores]
    rows = [f"robustness,add_typo,q{n},q{n}x,yes,{label},{label == 'yes'}\n" for n, label in enumerate(labels)]
    path.write_text(head + "".join(rows), encoding="utf-8")
    return path


FORMATS = {
    "deepeval.json": (deepeval, DeepEvalScores),
    "scores.csv": (plain, PlainScores),
    "scores.jsonl": (plain, PlainScores),
    "inspect.json": (inspect, InspectScores),
    "lm_eval.jsonl": (lm_eval, LmEvalScores),
    "promptfoo.json": (promptfoo, PromptfooScores),
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_paired_counts_of_its_scores(name: str, tmp_path: Path) -> None:
    write, form = FORMATS[name]
    before, after = (
        form().record(write(tmp_path / f"{when}-{name}", scores))
        for when, scores in (("before", BEFORE), ("after", AFTER))
    )
    found = compare(before, after, margin=0.05).whole
    reference = Paired(broken=3, fixed=11, matched=100)
    assert (len(found.newly_wrong), len(found.newly_right), found.estimate.tested) == (3, 11, 100)
    assert found.estimate.interval == reference.interval
    assert found.verdict == "no worse"


@pytest.mark.parametrize("name", FORMATS)
def test_compare_says_of_scores_what_it_says_of_runs(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write, _ = FORMATS[name]
    before, after = (str(write(tmp_path / f"{n}-{name}", scores)) for n, scores in enumerate((BEFORE, AFTER)))
    form = name.partition(".")[0]
    with pytest.raises(SystemExit) as ended:
        main(["compare", before, after, "--format", form, "--margin", "0.05"])
    assert ended.value.code == 0
    assert "may replace the baseline: accuracy 80.0 → 88.0 %" in capsys.readouterr().out
    with pytest.raises(SystemExit) as ended:
        main(["compare", after, before, "--format", form, "--margin", "0.05", "-vv"])
    assert ended.value.code == 6
    shown = capsys.readouterr().out
    assert "not proved to be no worse than the baseline" in shown
    assert "untouched 11 regressions, 3 fixes" in " ".join(shown.split())


def test_two_results_of_langtest_are_compared_test_type_by_test_type(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = (str(langtest(tmp_path / f"{n}.csv", scores)) for n, scores in enumerate((BEFORE, AFTER)))
    with pytest.raises(SystemExit) as ended:
        main(["compare", before, after, "--format", "langtest", "--margin", "0.05"])
    shown = capsys.readouterr().out
    shown = " ".join(shown.split())
    assert "of 100: 3 regressions, 11 fixes" in shown
    assert "fails no more often than the baseline: accuracy not compared (no gold labels)" in shown
    assert ended.value.code == 6, "LangTest tells no gold labels, so that accuracy is not compared"


def test_a_metric_of_deepeval_decides_by_its_own_threshold_or_by_a_least_score(tmp_path: Path) -> None:
    path = deepeval(tmp_path / "run.json", [0, 1, 1])
    assert DeepEvalScores(metric="Tone").record(path).checks[0].failing == 0
    assert DeepEvalScores(metric="Tone", passes=0.7).record(path).checks[0].failing == 3
    with pytest.raises(DataError, match=r"name one metric with '-o metric=NAME'; there is: Exact Match, Tone\."):
        DeepEvalScores(passes=0.7).record(path)
    path.write_text(json.dumps({"testRunData": json.loads(path.read_text(encoding="utf-8"))}), encoding="utf-8")
    assert DeepEvalScores().record(path).checks[0].failing == 1


def test_epochs_of_one_sample_are_a_cluster_and_a_least_score_decides(tmp_path: Path) -> None:
    samples = [
        {"id": "a", "epoch": epoch, "scores": {"judge": {"value": value}, "match": {"value": 1}}}
        for epoch, value in ((1, 0.4), (2, 0.7))
    ]
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"samples": samples}), encoding="utf-8")
    record = InspectScores(passes=0.5, scorer="judge").record(path)
    assert [example.cluster for example in record.examples] == ["a", "a"]
    assert record.checks[0].rate == 0.5
    with pytest.raises(DataError, match=r"name one scorer with '-o scorer=NAME'; there is: judge, match\."):
        InspectScores().record(path)


def promptfoo_rows(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text(json.dumps({"results": {"version": 3, "results": rows}}), encoding="utf-8")
    return path


def test_one_column_of_promptfoos_table_is_chosen(tmp_path: Path) -> None:
    rows = [{"testIdx": n, "promptIdx": column, "vars": {"q": n}, "success": n < column, "score": 1}
            for n in range(4) for column in (1, 0, 2)]  # fmt: skip
    path = promptfoo_rows(tmp_path / "results.json", *rows)
    assert [PromptfooScores(column=column).record(path).checks[0].failing for column in range(3)] == [4, 3, 2]
    with pytest.raises(DataError, match=r"name one column with '-o column=NAME'; there is: 0, 1, 2\."):
        PromptfooScores().record(path)
    with pytest.raises(DataError, match="name one column"):
        PromptfooScores(column=3).record(path)


def test_samples_that_ask_the_same_are_a_cluster_and_match_one_by_one(tmp_path: Path) -> None:
    asked = [{"testIdx": n, "vars": {"q": n // 3}, "success": n % 2 == 0, "score": 1} for n in range(6)]
    one = PromptfooScores().record(promptfoo_rows(tmp_path / "one.json", *asked[::3]))
    three = PromptfooScores().record(promptfoo_rows(tmp_path / "three.json", *asked))
    assert [example.cluster for example in three.examples] == ['{"q": 0}'] * 3 + ['{"q": 1}'] * 3
    assert (compare(one, three).whole.estimate.tested, compare(three, three).whole.estimate.tested) == (2, 6)
    rows = [{"doc_id": n, "doc_hash": "h", "filter": "none", "metrics": ["acc"], "acc": 1.0} for n in range(2)]
    assert len(LmEvalScores().record(lines(tmp_path / "samples.jsonl", rows)).examples) == 2
    case = {"input": "q", "success": True}
    (tmp_path / "run.json").write_text(json.dumps({"testCases": [case, case]}), encoding="utf-8")
    assert len(DeepEvalScores().record(tmp_path / "run.json").examples) == 2


def test_a_sample_that_broke_is_no_failure_of_the_model(tmp_path: Path) -> None:
    row = {"testIdx": 0, "vars": {"q": 0}, "success": False, "score": 0, "error": "429 too many requests"}
    path = promptfoo_rows(tmp_path / "results.json", row | {"failureReason": 2})
    with pytest.raises(DataError, match=r"result 0 .* since its evaluation failed: 429 .*'promptfoo .*--retry-errors'"):
        PromptfooScores().record(path)
    failed = promptfoo_rows(path, row | {"failureReason": 1, "error": "Expected output to contain 'yes'"})
    assert PromptfooScores().record(failed).checks[0].failing == 1
    case = {"input": "q", "success": False, "metricsData": [{"name": "m", "success": False, "error": "429"}]}
    path.write_text(json.dumps({"testCases": [case]}), encoding="utf-8")
    with pytest.raises(
        DataError, match=r"test case 0 has no score, since its evaluation failed: 429\. Evaluate this sample again"
    ):
        DeepEvalScores().record(path)


def test_the_averages_of_lm_eval_are_no_samples(tmp_path: Path) -> None:
    (tmp_path / "results_1.json").write_text('{\n "results": {}}', encoding="utf-8")
    with pytest.raises(DataError, match=r"holds no samples; name the 'samples_TASK_….jsonl'"):
        LmEvalScores().record(tmp_path / "results_1.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"status": "error"}, r"ended with the status 'error'.*eval-retry"),
        ({"samples": [{"id": 1, "error": {"message": "no answer"}}]}, r"sample 0 has no score.*failed: no answer"),
    ],
)
def test_an_evaluation_of_inspect_that_broke_is_refused(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = inspect(tmp_path / "log.json", BEFORE)
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | change), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        InspectScores().record(path)


def test_a_log_in_inspects_own_form_names_the_command_that_makes_json_of_it(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    path.write_bytes(b"PK")
    with pytest.raises(DataError, match=r"inspect log convert .*log\.eval --to json"):
        InspectScores().record(path)


def test_samples_of_another_data_set_match_none_although_their_ids_are_alike(tmp_path: Path) -> None:
    here, there = inspect(tmp_path / "a.json", BEFORE), inspect(tmp_path / "b.json", AFTER)
    messages = [{"id": "new in every run", "role": "user", "content": "3 + 3"}]
    same = there.read_text(encoding="utf-8")
    for said, matched in (("2 + 2", 100), ("3 + 3", 0), (messages, 0)):
        there.write_text(same.replace('"2 + 2"', json.dumps(said)), encoding="utf-8")
        assert compare(InspectScores().record(here), InspectScores().record(there)).whole.estimate.tested == matched
    again = InspectScores().record(there)
    there.write_text(there.read_text(encoding="utf-8").replace("new in every", "of another"), encoding="utf-8")
    assert compare(again, InspectScores().record(there)).whole.estimate.tested == 100


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"id": 1, "score": "good"}], r":1: the score 'good' is not a number"),
        ([{"id": 1, "score": 1}, {"id": 1, "score": 0}], r":2: the id '1' stands twice"),
        ([{"id": 1, "scores": 1}], r"the key 'score' is missing.* Did you mean 'scores'"),
        ([], "holds no sample with a score"),
        ([{"id": 1, "score": 0.9}], "no score reaches 1, the largest is 0.9. Name the least .*passes=0.5"),
    ],
)
def test_what_are_no_scores_is_told_with_its_line(rows: list[dict[str, Any]], message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        PlainScores().record(lines(tmp_path / "a.jsonl", rows))


@pytest.mark.parametrize("ending", ["csv", "CSV", "jsonl"])
def test_the_columns_of_scores_may_have_other_names(ending: str, tmp_path: Path) -> None:
    rows = [{"question": "a", "f1": 0.4, "page": "p"}, {"question": "b", "f1": 0.6, "page": "p"}]
    path = lines(tmp_path / "a.jsonl", rows) if ending == "jsonl" else tmp_path / f"a.{ending}"
    if ending != "jsonl":
        path.write_text("question,f1,page\na,0.4,p\nb,0.6,p\n", encoding="utf-8")
    record = PlainScores(passes=0.5, id="question", score="f1", cluster="page").record(path)
    assert [(example.fields["id"], example.correct, example.cluster) for example in record.examples] == [
        ("a", False, "p"), ("b", True, "p")
    ]  # fmt: skip
    with pytest.raises(DataError, match=r"'questions'.*Did you mean 'question'|'questions' is missing.*'question'"):
        PlainScores(id="questions", score="f1").record(path)


def test_a_suites_format_is_no_format_of_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(plain(tmp_path / "a.csv", BEFORE))
    with pytest.raises(SystemExit) as ended:
        main(["compare", path, path, "--format", "hans"])
    assert ended.value.code == 4
    assert "no tool's results" in capsys.readouterr().err


def test_import_says_whether_the_format_or_the_file_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for given, missing in ((str(plain(tmp_path / "a.csv", BEFORE)), "FORMAT"), ("scores", "FILE")):
        with pytest.raises(SystemExit) as ended:
            main(["import", given])
        assert ended.value.code == 4
        error = capsys.readouterr().err
        assert f"{missing} is missing: 'robustfim import FORMAT FILE'" in error
        assert "lm_eval" in error
