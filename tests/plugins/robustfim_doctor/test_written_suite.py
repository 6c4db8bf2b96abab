"""``robustfim scan --write`` on real models and files: what it writes runs at once, and says where it comes from."""

from __future__ import annotations

import csv
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
import yaml

from robustfim.errors import NothingCollected
from robustfim.outcome import Outcome
from robustfim.record import DataRecord, Record
from robustfim.statistics import Rate, percent
from robustfim_doctor.draft import Draft, DraftCheck
from robustfim_doctor.equal_model import limit_for, margin_for
from robustfim_doctor.measured_suite import with_limits
from tests.plugins.robustfim_doctor.test_draft_run import record, result
from tests.robustfim.command_line import CommandLine, refused
from tests.robustfim.critic import DATA, MODEL, write_reviews

NAMED = {0: "negative", 1: "positive"}
WRITE = "--write suites/reviews.yaml"


def fitting(number: int, liked: int) -> str:
    return NAMED[liked]


def written(robustfim: CommandLine, name: str = "suites/reviews.yaml") -> tuple[str, dict[str, Any]]:
    text = (robustfim.folder / name).read_text(encoding="utf-8")
    return text, yaml.safe_load(text)


def test_checks_that_a_short_scan_tested_on_few_texts_are_written_without_limits() -> None:
    checks = [DraftCheck(name, {"use": name}) for name in ("typos", "people", "late")]
    draft = Draft("it", 0, [], MagicMock(), MagicMock(), checks=checks)
    found = record(result("typos", 1, 12), result("people", 0, 0, Outcome.ERROR, "nothing to change."))
    found = found.model_copy(update={"data": DataRecord(use="csv", examples=40, labelled=40)})
    written = with_limits(draft, found, Path("suite.yaml"), "scan")
    assert [(check.name, check.limit, check.comments) for check in written.checks] == [
        ("typos", None, ["not gated: the scan tested 12 examples."])
    ]
    with pytest.raises(NothingCollected, match=r"tested nothing: typos: it did not run\. people: nothing"):
        with_limits(draft, record(result("people", 0, 0, Outcome.ERROR, "nothing to change.")), Path("s.yaml"), "scan")


@pytest.mark.slow
def test_three_commands_lead_from_a_function_and_a_csv_to_a_report(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, lambda number, liked: str(liked))
    first = robustfim(f"doctor {MODEL} {DATA}")
    assert first.code == 1
    labels = next(line.strip() for line in first.out.splitlines() if line.strip().startswith("--data 'labels"))
    second = robustfim(f"scan {MODEL} {DATA} {labels} --write suites/reviews.yaml")
    assert second.code == 0, second
    third = robustfim("run suites/reviews.yaml")
    assert third.code == 0, third
    record = robustfim.record("reviews")
    assert record.model.accuracy.rate == 1.0
    assert record.model.asked_again is not None
    assert record.model_calls == record.model.asked_again.asked == 20  # the scan asked all of it: a function may change
    assert record.summary["passed"] + record.summary["measured"] == len(record.checks) >= 5
    assert len(record.failures) > 0
    assert (robustfim.folder / "reports" / "reviews" / "report.html").is_file()


def test_accuracy_is_shown_as_the_accuracy_and_is_no_check(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, fitting)
    shown = robustfim(f"scan {MODEL} {DATA} --examples 30 --write suites/reviews.yaml")
    assert shown.code == 0, shown
    assert "The model is right on 100 %" in shown.out
    assert "right" not in written(robustfim)[1]["checks"]


@pytest.mark.slow
def test_each_limit_comes_from_the_rate_that_a_run_measures_again(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, fitting)
    robustfim(f"scan {MODEL} {DATA} {WRITE}")
    text, suite = written(robustfim)
    robustfim("run suites/reviews.yaml")
    record = robustfim.record("reviews")
    assert {check.name for check in record.checks} == set(suite["checks"])
    for check in record.checks:
        comment = re.search(rf"# measured: (.*)\n((?:  # .*\n)*)  {check.name}:", text)
        assert comment is not None
        rate = Rate(check.failing, check.tested)
        assert f"{comment[1]} of {check.tested}" == f"{check.failing} of {check.tested} fail, {rate}"
        limit = suite["checks"][check.name].get("limit")
        assert check.limit == limit
        if limit is None:
            assert "# not gated" in comment[2]
            assert check.outcome.value == "measured"
        else:
            assert rate.ends[1] < limit <= 2 * (check.rate or 0)
            assert check.outcome.value == "passed"
    assert suite["baseline"]["margin"] == margin_for(168, len(record.examples))
    (chance,) = re.findall(
        "passes the comparison and every limit in at least (.*) of cases with the 168 examples", text
    )
    assert float(chance.removesuffix(" %")) >= 80
    planned = robustfim("plan suites/reviews.yaml --pilot reports/reviews/results.json").out
    assert f"every limit in at least {chance}." in " ".join(planned.split())
    assert "xfail" not in text


def test_a_model_without_gradients_gets_a_random_sample_and_the_reasons(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, fitting)
    assert robustfim(f"scan {MODEL} {DATA} --examples 60 --write suites/reviews.yaml").code == 0
    text, suite = written(robustfim)
    assert suite["select"] == {"difficult": 0, "control": 60}
    assert "scores" not in suite
    assert "# Not the hardest examples by λmax: PythonFunction has no gradients" in text
    assert "'order: guided', which tries the most harmful substitutes first, would need gradients, too." in text
    assert not any("order" in check["perturb"] for check in suite["checks"].values())
    assert "#   eigenvector: steps in embedding space need gradients" in text


def test_an_absolute_path_stays_as_it_was_given(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, fitting)
    path = robustfim.folder / "reviews.csv"
    shown = robustfim(f"scan {MODEL} --data use=csv --data path={path} --examples 20 --write deep/er/first.yaml")
    assert shown.code == 0, shown
    assert written(robustfim, "deep/er/first.yaml")[1]["data"]["path"] == str(path)


@pytest.mark.slow
def test_a_check_that_found_nothing_to_change_is_left_out_with_the_reason(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, fitting)
    rows = (robustfim.folder / "reviews.csv").read_text(encoding="utf-8").splitlines()
    bare = [re.sub(r"^\"?.* is (\w+) in .*,(\w+)$", r"it was \1 number \2", line) for line in rows[1:]]
    adjectives = [line.split()[2] for line in bare]
    lines = [f"the plot was {word} and i watched it {number} times,{line.split()[-1]}"
             for number, (word, line) in enumerate(zip(adjectives, bare, strict=True))]  # fmt: skip
    robustfim.write("plain.csv", "\n".join(["text,label", *lines]) + "\n")
    shown = robustfim(f"scan {MODEL} --data use=csv --data path=plain.csv --examples 40 --write suites/plain.yaml")
    assert shown.code == 0, shown
    text, suite = written(robustfim, "suites/plain.yaml")
    assert "people" not in suite["checks"]
    assert re.search(r"#   people: tested nothing: 'people' found nothing to change in \d+ examples\.", text)
    assert robustfim("run suites/plain.yaml").code == 0


@pytest.mark.slow
def test_a_reference_model_is_tested_where_it_is_difficult(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, fitting)
    model = "--model use=reference/fasttext"
    shown = robustfim(f"scan {model} {DATA} --write deep/er/first.yaml --examples 80")
    assert shown.code == 0, shown
    text, suite = written(robustfim, "deep/er/first.yaml")
    assert suite["suite"] == "first"
    assert suite["data"]["path"] == "../../reviews.csv"
    assert suite["select"] == {"by": "fisher", "difficult": 40, "control": 40}
    assert suite["checks"]["synonyms"]["perturb"]["order"] == "guided"
    assert "for reference/fasttext on csv. Accuracy: " in text
    ran = robustfim("run deep/er/first.yaml")
    assert ran.code == 0, ran
    assert robustfim.record("first").model_calls == 0


@pytest.mark.slow
def test_a_saved_transformer_gets_a_suite_that_runs(
    transformer: Callable[[dict[int, str] | None], Path], robustfim: CommandLine
) -> None:
    write_reviews(robustfim.folder, fitting)
    folder = shlex.quote(str(transformer(NAMED)))
    shown = robustfim(
        f"scan --model use=huggingface --model path={folder} {DATA} --examples 80 --write suites/reviews.yaml"
    )
    assert shown.code == 0, shown
    _, suite = written(robustfim)
    assert suite["select"] == {"by": "fisher", "difficult": 40, "control": 40}
    ran = robustfim("run suites/reviews.yaml")
    assert ran.code == 0, ran


def test_the_plugins_that_were_named_are_part_of_the_suite(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, fitting)
    shown = robustfim(f"scan --model use=wordsum {DATA} -p toy.py --write suites/words.yaml --examples 40")
    assert shown.code == 0, shown
    text, suite = written(robustfim, "suites/words.yaml")
    assert suite["plugins"] == ["../toy.py"]
    assert {"rename", "typos"} <= set(suite["checks"])
    assert "#   broken: it needs the option 'how'; add it with a value." in text
    assert robustfim("run suites/words.yaml").code == 0


def test_no_file_is_written_over_without_force(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, fitting)
    robustfim.write("suites/reviews.yaml", "mine")
    refused(robustfim(f"scan {MODEL} {DATA} {WRITE}"), "suites/reviews.yaml exists already", "--force")
    assert written(robustfim)[0] == "mine"
    assert robustfim(f"scan {MODEL} {DATA} --force --examples 20 --write suites/reviews.yaml").code == 0
    assert written(robustfim)[1]["suite"] == "reviews"


def test_labels_that_do_not_fit_are_repaired_first(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, lambda number, liked: str(liked))
    shown = robustfim(f"scan {MODEL} {DATA} {WRITE}")
    assert shown.code == 1
    assert "nothing was measured" in shown.out
    assert not (robustfim.folder / "suites").exists()


@pytest.mark.slow
def test_a_model_that_answers_one_label_is_refused_unless_that_is_allowed(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, fitting)
    model = MODEL.replace("judge", "constant")
    assert robustfim(f"scan {model} {DATA} {WRITE}").code == 1
    assert robustfim(f"scan {model} {DATA} --allow-weak --examples 40 --write suites/reviews.yaml").code == 0
    assert robustfim("run suites/reviews.yaml").code == 0


@pytest.mark.slow
def test_no_more_texts_are_sent_than_are_allowed_and_what_was_measured_is_written(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, fitting)
    shown = robustfim(f"scan {MODEL} {DATA} --max-calls 1300 --write suites/reviews.yaml")
    assert shown.code == 0, shown
    text, suite = written(robustfim)
    assert 0 < len(suite["checks"]) < 8
    assert "--max-calls 1300 is used up" in text
    few = robustfim(f"scan {MODEL} {DATA} --max-calls 30 --force --store other.sqlite --write suites/reviews.yaml")
    assert few.code == 1
    assert "--max-calls 30 is used up" in few.out


def robust(record: Record) -> dict[str, bool]:
    """Whether each labelled example that was drawn is right and no text breaks it."""
    broken = {failure.example for failure in record.failures if failure.step is None}
    return {
        example.id: bool(example.correct) and example.id not in broken
        for example in record.examples
        if example.correct is not None
    }


@pytest.mark.slow
def test_against_another_model_the_churn_is_measured_and_the_margin_is_the_one_that_a_plan_confirms(
    robustfim: CommandLine,
) -> None:
    first, second = "--model reference/fasttext", "reference/cnn"
    shown = robustfim(f"scan {first} --data reviews --examples 160 --write both.yaml --against {second} --seconds 600")
    assert shown.code == 0, shown
    text, suite = written(robustfim, "both.yaml")
    here = robustfim.folder / "reports" / "scan-both" / "results.json"
    robustfim("run both.yaml --store none.sqlite")
    robustfim(f"run both.yaml --model {second} --baseline reports/both/results.json --reports other")
    was, now = (robust(Record.load(robustfim.folder / of / "both" / "results.json")) for of in ("reports", "other"))
    churn = suite["baseline"]["churn"]
    assert was.keys() == now.keys()
    assert churn == pytest.approx(sum(was[id] != now[id] for id in was) / len(was), abs=0.03), "checks of few texts"
    assert f"which answers {percent(churn)} of the texts otherwise (measured)" in text
    drawn = sum(suite["select"][arm] for arm in ("difficult", "control"))
    assert suite["baseline"]["margin"] == margin_for(480, drawn, churn)
    planned = robustfim(f"plan both.yaml --pilot {here}")
    assert planned.code == 0, planned
    found = re.search(r"no worse with ([\d,]+) drawn examples", planned.unbroken)
    assert found is not None
    needed = int(found[1].replace(",", ""))
    assert needed <= drawn, "the plan of the same record confirms the header"


def large(folder: Path, name: str, copies: int, *, sort: bool) -> None:
    """Write the reviews many times, each time with other friends; sorted, the bad ones come first."""
    header, *rows = (folder / "reviews.csv").read_text(encoding="utf-8").splitlines()
    many = [row.replace("three friends", f"{number} of my friends") for number in range(copies) for row in rows]
    many = sorted(many, key=lambda row: row.endswith("positive")) if sort else many
    (folder / name).write_text("\n".join([header, *many]) + "\n", encoding="utf-8")


@pytest.mark.slow
def test_of_large_data_the_beginning_is_read_where_it_has_every_label(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, fitting)
    large(robustfim.folder, "many.csv", 8, sort=False)
    options = "--data use=csv --data path=many.csv --examples 40 --write suites/many.yaml"
    assert robustfim(f"scan {MODEL} {options}").code == 0
    text, suite = written(robustfim, "suites/many.yaml")
    assert suite["data"]["limit"] == 1000
    assert "# The first 1,000 rows; without 'limit' all of them are read" in text
    large(robustfim.folder, "sorted.csv", 15, sort=True)
    options = "--data use=csv --data path=sorted.csv --examples 40 --write suites/sorted.yaml"
    assert robustfim(f"scan {MODEL} {options}").code == 0
    assert "limit" not in written(robustfim, "suites/sorted.yaml")[1]["data"]


RAN = """\
suite: ran
seed: 3
model: {use: python, call: 'critic:judge', labels: [negative, positive]}
data: {use: csv, path: reviews.csv}
select: {difficult: 0, control: 120}
checks:
  typos: {perturb: {use: typos, words: 3, candidates: 2}, limit: 0.02, marks: [form]}
  right: {perturb: itself, expect: correct}
  twice: {perturb: typos, fails: {at_most: 2}, expect: {use: invariant, tolerance: 0.1}}
  gap: {perturb: typos, fails: mean}
"""


SOFT = """\
import critic

def judge(texts):
    return [{"negative": 0.9, "positive": 0.1} if each == "negative" else {"negative": 0.1, "positive": 0.9}
            for each in critic.judge(texts)]
"""


def test_a_run_begins_a_suite_that_holds_its_model_to_what_was_measured(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, fitting)
    robustfim.write("ran.yaml", RAN)
    before = robustfim("run ran.yaml")
    assert before.code == 1, before
    again = robustfim("scan --from reports/ran --write kept/again.yaml")
    assert again.code == 0, again
    assert "wrote kept/again.yaml: 3 checks, 1 left out Next: robustfim run kept/again.yaml" in again.unbroken
    text, suite = written(robustfim, "kept/again.yaml")
    assert "'robustfim scan --from reports/ran'" in text
    assert "gap: its limit is not for a share of examples." in text
    assert (suite["seed"], suite["select"]) == (3, {"difficult": 0, "control": 120})
    assert suite["data"] == {"use": "csv", "path": "../reviews.csv"}
    checks = suite["checks"]
    assert list(checks) == ["typos", "right", "twice"]
    assert checks["typos"]["perturb"] == {"use": "typos", "words": 3, "candidates": 2}
    assert (checks["typos"]["marks"], checks["right"]["expect"]) == (["form"], "correct")
    assert checks["twice"]["expect"] == {"use": "invariant", "tolerance": 0.1}
    assert checks["twice"]["fails"] == {"use": "at_most", "limit": 2}
    old = {check.name: (check.failing, check.tested) for check in robustfim.record("ran").checks}
    assert robustfim("run kept/again.yaml").code == 0
    new = robustfim.record("again")
    assert {check.name: (check.failing, check.tested) for check in new.checks} == {name: old[name] for name in checks}
    assert new.summary["passed"] + new.summary["measured"] == 3


def test_a_run_with_limits_for_two_errors_begins_a_suite_that_has_them(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, fitting)
    robustfim.write("soft.py", SOFT)
    decided = RAN.replace("positive]}", "positive], decide: {label: negative, at: 0.4}}").replace("critic:", "soft:")
    decided = decided.replace("limit: 0.02", "limit: {missed: 0.1, false_alarm: 0.1}")
    robustfim.write("ran.yaml", f"{decided}slices: {{short: {{words: [null, 12]}}}}\n")
    robustfim("run ran.yaml")
    assert robustfim("scan --from reports/ran --write again.yaml").code == 0
    text, suite = written(robustfim, "again.yaml")
    errors = {check.name: check for check in robustfim.record("ran").checks}["typos"].errors
    limits = suite["checks"]["typos"].get("limit", {})
    for kind, limit in limits.items():
        assert (errors[kind].rate or 0) < limit <= 2 * (errors[kind].rate or 0)
        assert limit >= limit_for(errors[kind].failing, errors[kind].tested, 1)
    assert suite["model"]["decide"] == {"label": "negative", "at": 0.4}
    missed = errors["missed"]
    assert f"# measured: missed {missed.failing} of {missed.tested} fail" in text
    assert "slice short: slices are not drafted." in text
    robustfim("run again.yaml")
    new = {check.name: check for check in robustfim.record("again").checks}["typos"]
    assert (new.outcome, new.errors["missed"].failing) == ("passed" if limits else "measured", missed.failing)


def test_a_run_whose_examples_lie_in_clusters_begins_no_suite(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, fitting)
    with (robustfim.folder / "reviews.csv").open(encoding="utf-8", newline="") as file:
        rows = [{**row, "pair": number // 2} for number, row in enumerate(csv.DictReader(file))]
    robustfim.write("pairs.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    pairs = RAN.replace("{use: csv, path: reviews.csv}", "{use: jsonl, path: pairs.jsonl}")
    robustfim.write("ran.yaml", f"{pairs}cluster: pair\n")
    assert robustfim("run ran.yaml").code == 1
    refused = robustfim("scan --from reports/ran --write again.yaml")
    assert refused.code == 4
    assert "lie in clusters, and its record does not name the field" in refused.err


def test_wrong_usage_is_told(robustfim: CommandLine) -> None:
    write_reviews(robustfim.folder, fitting)
    refused(robustfim("scan"), "--model and --data must be given")
    robustfim.write("ran.yaml", RAN)
    refused(robustfim(f"scan --from ran.yaml {DATA} --write new.yaml"), "leave --model and --data out")
    refused(robustfim("scan --from ran.yaml --write new.yaml"), "ran.yaml")
    refused(robustfim("scan --from ran.yaml"), "name its file with --write")
    refused(robustfim(f"scan {DATA}"), "--model")
    refused(robustfim(f"scan {MODEL} {DATA} --write 'suites/my suite.yaml'"), "'my suite' cannot name a suite")
    refused(robustfim(f"scan --model use=pyton {DATA}"), "Did you mean 'python'?")
    refused(robustfim("init"), "there is no command 'init'.", "'robustfim scan --write FILE' writes a first suite")
