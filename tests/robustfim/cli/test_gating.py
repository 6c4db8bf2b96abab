"""Gating a release, from the command line: baselines, lock files, several models, budgets, known failures."""

import json
import re
import shutil
from pathlib import Path

import pytest

from robustfim.judge import write_record
from tests.robustfim.command_line import CommandLine, refused

ONE = "{rename: {perturb: rename, limit: 0.9}}"


@pytest.fixture
def accepted(robustfim: CommandLine, tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """The toy suite with its last run as baseline; it runs once for all tests."""
    once = tmp_path_factory.getbasetemp() / "accepted"
    if not once.exists():
        robustfim("run toy.yaml")
        assert robustfim("accept reports/toy/results.json").code == 0
        shutil.copytree(robustfim.folder, once)
    shutil.copytree(once, robustfim.folder, dirs_exist_ok=True)
    return robustfim


def edit(path: Path, **changes: object) -> None:
    """Change keys of a JSON file."""
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes), encoding="utf-8")


def without_failures(path: Path) -> None:
    """Make a record in which everything passed."""
    data = json.loads(path.read_text(encoding="utf-8"))
    for check in data["checks"]:
        check["outcome"] = "passed"
    edit(path, failures=[], checks=data["checks"])


# ---- baselines ----------------------------------------------------------------------------------------


def test_the_same_model_may_replace_itself_and_the_record_can_be_read_back(accepted: CommandLine) -> None:
    shown = accepted("run toy.yaml --baseline baselines")
    assert shown.code == 6, "only a regression fails the run, and a check is inconclusive against its limit"
    assert "robust accuracy " in shown.out
    assert "; no margin is set" in shown.unbroken
    assert "may replace the baseline" not in shown.out
    comparison = accepted.record().comparisons[0]
    assert (comparison.failed, comparison.proven) == (False, False)
    assert [len(check.still_broken) for check in comparison.checks] == [1, 2, 0]
    write_record(accepted.record(), accepted.folder / "again.json")
    assert accepted.read("again.json").replace("again.sqlite", "results.sqlite") == accepted.read(
        "reports/toy/results.json"
    )


def test_a_margin_that_is_proved_lets_a_run_replace_its_baseline_and_a_smaller_one_says_what_is_missing(
    accepted: CommandLine,
) -> None:
    proved = accepted("run toy.yaml --baseline baselines --margin 0.6")
    assert proved.code == 6, "rename is inconclusive against its own limit"
    assert accepted("run toy.yaml --baseline baselines --margin 0.6 -o checks.rename.limit=0.9").code == 0
    assert "may replace the baseline: accuracy " in proved.out
    assert proved.unbroken.count("(no worse by 60 points or more)") >= 2
    inconclusive = accepted("run toy.yaml --baseline baselines --margin 0.1")
    assert inconclusive.code == 6
    assert "not proved to be no worse than the baseline: accuracy " in inconclusive.out
    assert "more drawn examples decide in 80 % of cases)" in inconclusive.unbroken
    strict = "run toy.yaml --baseline baselines --margin 0.1 --inconclusive"
    assert (accepted(f"{strict} fail").code, accepted(f"{strict} pass").code) == (1, 0)


def test_a_suite_has_one_margin(accepted: CommandLine) -> None:
    assert accepted("run toy.yaml --baseline baselines -o baseline.margin=0.6").code == 6
    comparison = accepted.record().comparisons[0]
    assert accepted.record().margin == comparison.accuracy.limit == comparison.whole.limit == 0.6
    refused(accepted("run toy.yaml -o baseline.accuracy=0.3"), "unknown key 'accuracy' in 'baseline'")
    refused(accepted("run toy.yaml -o checks.rename.baseline.margin=0.01"), "unknown key 'baseline'")


SWAPPED = """\
from robustfim import hookimpl
from tests.robustfim.toy_plugin import WordSum


class Swapped(WordSum):
    fingerprint = "swapped"

    def predict(self, examples):
        return [row[::-1] for row in super().predict(examples)]


@hookimpl
def robustfim_offers():
    return {"models": {"swapped": Swapped}}
"""


def test_a_candidate_with_swapped_labels_is_refused_though_it_fails_as_often(accepted: CommandLine) -> None:
    accepted.write("swapped.py", SWAPPED)
    accepted("lock toy.yaml")
    shown = accepted(
        "run toy.yaml -p swapped.py --model swapped --lock toy.lock.json --baseline baselines -o baseline.margin=0.3 "
        "--html report.html --junit-xml junit.xml --markdown comment.md"
    )
    assert shown.code == 1
    record = accepted.record()
    comparison = record.comparisons[0]
    assert record.margin == 0.3
    assert [len(check.newly_broken) for check in comparison.checks] == [0, 0, 0]
    for found in comparison.checks:
        (check,) = (check for check in record.checks if check.id == found.id)
        assert [claim for claim in check.claims if claim.against] == [
            test.claim for test in (found, *found.errors.values())
        ]
    stored = json.loads(accepted.read("reports/toy/results.json"))
    assert not {"estimate", "verdict", "limit"} & stored["comparisons"][0]["checks"][0].keys(), "each number once"
    assert comparison.accuracy.new == pytest.approx(1 - (comparison.accuracy.old or 0))
    assert comparison.accuracy.new == pytest.approx(record.model.accuracy.rate)
    assert f"does not replace the baseline: accuracy {100 * (comparison.accuracy.old or 0):.1f} → " in shown.out
    accepted("report reports/toy --to sarif=sarif.json")
    for text in ("report.html", "junit.xml", "sarif.json", "comment.md"):
        assert "accuracy" in accepted.read(text)


def test_strict_fails_what_is_inconclusive_also_with_a_baseline(accepted: CommandLine) -> None:
    assert accepted("run toy.yaml --baseline baselines -k rename").code == 6
    shown = accepted("run toy.yaml --baseline baselines -k rename --strict")
    assert accepted.record().checks[0].outcome.value == "inconclusive"
    assert shown.code == 1


def test_compare_knows_three_answers(accepted: CommandLine) -> None:
    same = "compare baselines/toy.json baselines/toy.json"
    assert [accepted(f"{same} --margin {margin}").code for margin in (0.6, 0.1)] == [0, 6]
    assert accepted(f"{same} --margin 0.1 --strict").code == 1


def test_a_run_is_compared_with_several_baselines(accepted: CommandLine) -> None:
    accepted("accept reports/toy/results.json --to best")
    without_failures(accepted.folder / "best/toy.json")
    shown = accepted("run toy.yaml --baseline last=baselines --baseline best=best")
    assert shown.code == 1
    assert "last: accuracy " in shown.out
    assert "best: does not replace the baseline: accuracy " in shown.out
    assert [(comparison.name, comparison.failed) for comparison in accepted.record().comparisons] == [
        ("last", False),
        ("best", True),
    ]
    unnamed = accepted("run toy.yaml --baseline baselines --baseline best/toy.json")
    assert unnamed.code == 1
    assert [comparison.name for comparison in accepted.record().comparisons] == ["baselines", "toy"]
    refused(
        accepted("run toy.yaml --baseline baselines --baseline baselines"), "two baselines have the name 'baselines'"
    )


def test_a_check_that_passed_and_no_longer_does_fails_the_run_and_is_shown(accepted: CommandLine) -> None:
    without_failures(accepted.folder / "baselines/toy.json")
    shown = accepted("run toy.yaml --baseline baselines/toy.json")
    assert shown.code == 1
    assert "toy.yaml::both    REGRESSED      robust " in shown.out
    assert "passed → failed" in shown.out
    assert "does not replace the baseline: accuracy " in shown.out
    assert "; both passed before and fails now" in shown.unbroken


def test_new_fails_on_a_single_newly_broken_example(accepted: CommandLine) -> None:
    data = json.loads(accepted.read("baselines/toy.json"))
    one = next(failure["example"] for failure in data["failures"] if failure["check"] == "toy.yaml::rename")
    kept = [
        failure for failure in data["failures"] if (failure["check"], failure["example"]) != ("toy.yaml::rename", one)
    ]
    edit(accepted.folder / "baselines/toy.json", failures=kept)
    assert accepted("run toy.yaml --baseline baselines").code == 6
    assert accepted("run toy.yaml --baseline baselines --fail-on new").code == 1


def test_compare_reads_two_records(accepted: CommandLine) -> None:
    without_failures(accepted.folder / "baselines/toy.json")
    shown = accepted("compare baselines/toy.json reports/toy/results.json --json comparison.json")
    assert shown.code == 1
    assert "REGRESSED" in shown.out
    assert json.loads(accepted.read("comparison.json"))["failed"] is True
    assert accepted("compare reports/toy/results.json baselines/toy.json").code == 0


def test_records_that_have_nothing_in_common_prove_nothing(accepted: CommandLine) -> None:
    same = "compare baselines/toy.json baselines/toy.json"
    assert accepted(same).code == 0
    accepted.write("a.csv", "id,score\n1,1\n2,0\n")
    accepted.write("b.csv", "id,score\n3,1\n4,0\n")
    assert accepted("compare a.csv a.csv --format scores").code == 0
    shown = accepted("compare a.csv b.csv --format scores")
    assert shown.code == 6
    assert "robust not compared" in shown.out


def test_compare_takes_the_options_of_a_format(robustfim: CommandLine) -> None:
    robustfim.write("a.csv", "question,f1\na,0.9\nb,0.7\nc,0.2\n")
    robustfim.write("b.csv", "question,f1\na,0.9\nb,0.4\nc,0.6\n")
    asked = "compare a.csv b.csv --format scores -o id=question -o score=f1"
    refused(robustfim(asked), "no score reaches 1, the largest is 0.9", "-o passes=0.5")
    shown = robustfim(f"{asked} -o passes=0.5")
    assert "robust 66.7 → 66.7 %" in shown.unbroken
    assert "untouched 1 regression, 1 fix" in shown.unbroken
    refused(robustfim(f"{asked} -o pass=0.5"), "-o pass=0.5", "Did you mean 'passes'?")
    refused(robustfim(f"{asked} -o passes=most"), "-o passes=most", "a number")
    refused(robustfim(f"{asked} -o passes"), "write it as KEY=VALUE")
    refused(robustfim("compare a.csv b.csv -o id=question"), "Name the format with '--format NAME'")
    refused(robustfim("compare a.csv b.csv --format score -o id=question"), "Did you mean 'scores'?")


def test_compare_writes_both_runs_on_one_page(accepted: CommandLine) -> None:
    without_failures(accepted.folder / "baselines/toy.json")
    shown = accepted("compare baselines/toy.json reports/toy/results.json --html pages/both.html")
    assert shown.out.endswith("wrote pages/both.html\n")
    page = accepted.read("pages/both.html")
    assert "regression" in page
    refused(accepted("compare baselines/toy.json reports/toy/results.json --html pages"), "'pages' is a directory")


def test_accept_says_what_it_replaces(accepted: CommandLine) -> None:
    shown = accepted("accept reports/toy/results.json")
    assert shown.out.startswith("baselines/toy.json: wordsum, 20")
    assert "; replaces wordsum, 20" in shown.out


def test_another_tools_results_are_pointed_to_what_reads_them(robustfim: CommandLine) -> None:
    robustfim.write("log.json", '{"version": 2, "samples": []}')
    refused(robustfim("compare log.json log.json"), "it has no 'schema' number", "'--format NAME' reads another tool's")


def test_an_interrupted_or_broken_run_is_not_accepted(robustfim: CommandLine) -> None:
    robustfim(f"run {robustfim.suite('{x: {perturb: {use: broken, how: raises}}}')}")
    refused(robustfim("accept reports/other/results.json"), "other.yaml::x ended with an error in this run")
    edit(robustfim.folder / "reports/other/results.json", interrupted=True)
    refused(robustfim("accept reports/other/results.json"), "'other' was not finished")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"schema": 1, "suite": "toy", "mod', "is not a run record: Unterminated string"),
        ('{"schema": 99}', "has schema 99; this robustfim reads up to 2: upgrade it."),
        ('{"suite": "toy"}', "it has no 'schema' number"),
        ("[]", "it has no 'schema' number"),
    ],
)
def test_a_baseline_that_cannot_be_read_is_refused_before_anything_runs(
    robustfim: CommandLine, content: str, message: str
) -> None:
    robustfim.write("old.json", content)
    refused(robustfim("run toy.yaml --baseline old.json"), "old.json", message)
    assert not (robustfim.folder / "reports/toy/results.json").exists()


def test_a_missing_baseline_and_one_of_another_suite_are_refused(accepted: CommandLine) -> None:
    refused(accepted("run toy.yaml --baseline nowhere.json"), "no baseline at nowhere.json", "robustfim accept")
    edit(accepted.folder / "baselines/toy.json", suite="other")
    refused(accepted("run toy.yaml --baseline baselines"), "is of suite 'other', not of 'toy'")


def test_records_of_a_later_and_of_an_earlier_minor_version_are_read(accepted: CommandLine) -> None:
    path = accepted.folder / "baselines/toy.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    edit(path, colour="blue", environment={"robustfim": "0.9", "python": "3.15"})
    assert accepted("run toy.yaml --baseline baselines").code == 6
    for check in data["checks"]:
        for key in ("estimate", "budget", "capability", "type", "traceback"):
            check.pop(key, None)
    for key in ("lock", "comparison", "scores"):
        data.pop(key, None)
    path.write_text(json.dumps(data), encoding="utf-8")
    assert accepted("run toy.yaml --baseline baselines").code == 6


@pytest.mark.parametrize("now", [True, False])
def test_a_record_that_contradicts_its_gold_labels_is_no_baseline(robustfim: CommandLine, now: bool) -> None:
    rows = [[f"a good film {row}", "positive"] for row in range(20)] + [["a bad film", "positive"], ["bad", "negative"]]
    suite = robustfim.suite("{calm: {perturb: rename, limit: 0.9}}", data=f"{{use: films, rows: {rows}}}")
    robustfim(f"run {suite} --no-store")
    robustfim("accept reports/other/results.json")
    assert robustfim(f"run {suite} --no-store --baseline baselines").code == 6
    path = robustfim.folder / "baselines/other.json"
    examples = json.loads(path.read_text(encoding="utf-8"))["examples"]
    next(each for each in examples if each["correct"] is not now)["correct"] = now
    edit(path, examples=examples)
    said = f"the gold label 'positive' and the answer '{'negative' if now else 'positive'}', and 'correct' is {now}"
    refused(robustfim(f"run {suite} --no-store --baseline baselines"), "contradicts itself", said)


def test_a_run_of_some_checks_is_no_baseline(accepted: CommandLine) -> None:
    whole = {path.name: path.read_bytes() for path in (accepted.folder / "reports/toy").iterdir()}
    shown = accepted("run toy.yaml -k rename")
    assert "wrote reports/toy.partial/results.json" in shown.out
    record = accepted.record("toy.partial")
    assert len(record.deselected) == 2
    assert not {check.name for check in record.checks} & set(record.deselected)
    assert {path.name: path.read_bytes() for path in (accepted.folder / "reports/toy").iterdir()} == whole
    assert accepted.record().deselected == []
    refused(accepted("accept reports/toy.partial/results.json"), "left out 2 of its checks", "run the whole suite")


def test_a_run_that_skips_all_checks_of_the_baseline_is_compared_by_accuracy_alone(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{calm: {perturb: rename, limit: 0.9}}", rest="reports: [html, json, junit, markdown]")
    robustfim(f"run {suite}")
    robustfim("accept reports/other/results.json")
    run = robustfim(f"run {suite} --baseline baselines --margin 0.9 -o checks.calm.skip=later")
    assert run.code == 6, run.out
    (comparison,) = robustfim.record("other").comparisons
    assert (comparison.checks, comparison.only_before) == ([], ["other.yaml::calm"])
    assert comparison.answer.endswith("robust accuracy not compared; not tested: calm")


def test_a_baseline_without_a_common_check_is_refused_before_the_model_is_asked(robustfim: CommandLine) -> None:
    robustfim(f"run {robustfim.suite('{rename: {perturb: rename, limit: 0.9}}')}")
    robustfim("accept reports/other/results.json")
    other = robustfim.suite("{calm: {perturb: rename, limit: 0.9}}", model="{use: wordsum, log: asked.txt}")
    refused(robustfim(f"run {other} --baseline baselines --no-store"), "no check in common", "rename", "calm")
    assert not (robustfim.folder / "asked.txt").exists()


def test_a_locked_run_holds_the_same_data_as_an_unlocked_baseline(robustfim: CommandLine) -> None:
    suite = robustfim.suite(ONE, rest="select: {difficult: 0, control: 3}")
    robustfim(f"run {suite}")
    robustfim("accept reports/other/results.json")
    robustfim(f"lock {suite}")
    robustfim(f"run {suite} --lock other.lock.json --baseline baselines")
    comparison = robustfim.record("other").comparisons[0]
    assert not any("the data differ" in note for note in comparison.notes)
    assert comparison.accuracy.estimate.tested == 8, "all labelled examples, not the three that were tested"


# ---- answers and gold labels --------------------------------------------------------------------------


def swapped(robustfim: CommandLine, rest: str = "") -> str:
    """A suite of a model that has its labels in the wrong order, and passes its check."""
    robustfim.write("swapped.py", SWAPPED)
    rows = json.dumps([[f"a {word} film {i}", label] for i in range(20) for word, label in LABELS.items()])
    data = "{use: films, rows: " + rows + "}"
    changes = "{use: invariant, counts: changes}"
    checks = f"{{calm: {{perturb: {{use: rename, table: {{film: movie}}}}, expect: {changes}, limit: 0.1}}}}"
    robustfim.suite(checks, model="swapped", data=data, rest=rest)
    return "other.yaml -p swapped.py"


LABELS = {"great": "positive", "awful": "negative"}


def test_answers_that_go_against_the_gold_labels_fail_a_run_whose_checks_pass(robustfim: CommandLine) -> None:
    shown = robustfim(f"run {swapped(robustfim)} --html page.html --junit-xml junit.xml --markdown comment.md")
    assert robustfim.outcomes("other") == {"calm": "passed"}
    assert shown.code == 1
    record = robustfim.record("other")
    found = record.model.association
    assert (found.verdict, found.coefficient) == ("negative", -1.0)
    assert len(record.warnings) == 1
    for name in ("page.html", "comment.md", "junit.xml"):
        assert "answers go against the gold labels" in robustfim.read(name)
    assert '<failure type="robustfim.negative"' in robustfim.read("junit.xml")


def test_a_suite_can_allow_a_weak_model(robustfim: CommandLine) -> None:
    assert robustfim(f"run {swapped(robustfim, 'allow_weak: true')}").code == 0
    assert robustfim.record("other").model.association.allowed


@pytest.mark.parametrize(
    ("rows", "missing"),
    [
        ([["a good film", "positive"], ["an awful film", "positive"]], "one gold label"),
        ([["a good film", None], ["an awful film", None]], "no gold labels"),
    ],
)
def test_where_labels_tell_nothing_the_record_says_why(robustfim: CommandLine, rows: object, missing: str) -> None:
    suite = robustfim.suite(ONE, data="{use: films, rows: " + json.dumps(rows) + "}")
    robustfim(f"run {suite}")
    found = robustfim.record("other").model.association
    assert (found.verdict, found.missing, found.coefficient) == ("does not apply", missing, None)


@pytest.mark.parametrize(
    ("limit", "second", "told"),
    [
        ("limit: 3, ", "negative", True),
        pytest.param("limit: 6, ", "negative", False, marks=pytest.mark.slow),
        pytest.param("", "negative", False, marks=pytest.mark.slow),
        ("limit: 9, ", "positive", False),  # all rows were read: no other order has another label
    ],
)
def test_a_limit_that_reads_one_label_of_sorted_rows_is_told(
    robustfim: CommandLine, limit: str, second: str, told: bool
) -> None:
    rows = [f"a good film {number},positive" for number in range(3)]
    rows += [f"an awful film {number},{second}" for number in range(3)]
    robustfim.write("sorted.csv", "\n".join(["text,label", *rows]) + "\n")
    suite = robustfim.suite(ONE, data="{use: csv, " + limit + "path: sorted.csv}")
    way = "rows sorted by label need shuffling, or no 'limit'"
    robustfim(f"run {suite}")
    begin = "'limit: 3' ends the reading after 3 rows; 3 of them have the gold label 'positive', and none another"
    assert any(warning.startswith(begin) and way in warning for warning in robustfim.record("other").warnings) == told
    shown = " ".join(robustfim(f"doctor {suite}").out.split())
    assert ("of the 3 read 3 have the label 'positive', none another" in shown and way in shown) == told


# ---- lock files ---------------------------------------------------------------------------------------


def test_a_locked_run_tests_the_same_texts_whatever_the_lexicon_says(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{rename: {perturb: rename, limit: 0.5}}")
    assert robustfim(f"lock {suite}").out.startswith("other.lock.json: 8 examples, ")
    robustfim(f"run {suite}")
    before = robustfim.record("other")
    robustfim.replace("toy.py", '"solid"', '"sturdy"')
    robustfim(f"run {suite} --lock other.lock.json")
    locked = robustfim.record("other")
    assert [failure.fields for failure in locked.failures] == [failure.fields for failure in before.failures]
    assert locked.checks[0].candidates.tested == before.checks[0].candidates.tested
    assert locked.lock is not None
    assert before.lock is None


@pytest.mark.parametrize(("place", "code"), [(0, 1), (3, 1), (4, 1), ("id", 4)])
def test_half_of_a_surrogate_pair_in_a_lock_file_is_no_defect(
    robustfim: CommandLine, place: int | str, code: int
) -> None:
    """In a field, before and after an edit: those texts are not the data's. An identity is a hash."""
    suite = robustfim.suite("{x: {perturb: rename, limit: 1}}")
    robustfim(f"lock {suite}")
    lock = json.loads(Path("other.lock.json").read_text(encoding="utf-8"))
    for candidates in lock["checks"]["x"]["candidates"].values():
        for candidate in candidates:
            if place == "id":
                candidate["id"] += "\ud800"
            else:
                candidate["edits"][0][place] += "\ud800"
    robustfim.write("other.lock.json", json.dumps(lock))
    shown = robustfim(f"run {suite} --lock other.lock.json")
    assert (shown.code, "defect" in shown.err) == (code, False), shown.err


def test_a_model_without_numbers_for_locked_examples_is_blamed_and_not_the_data(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{rename: {perturb: {use: rename, words: 1}, limit: 0.9}}")
    robustfim(f"lock {suite}")
    shown = robustfim(f"run {suite} --lock other.lock.json --model nan_on=awful")
    assert shown.code == 1, shown
    record = robustfim.record("other")
    assert re.match(r"the model gave no finite numbers for \d of the 8 examples of the lock file", record.message)
    assert "no longer hold" not in shown.out + shown.err
    assert [check.outcome.value for check in record.checks] == ["error"]


def test_a_suite_can_name_its_lock_file(robustfim: CommandLine) -> None:
    robustfim(f"lock {robustfim.suite(ONE)}")
    named = robustfim.suite(ONE, rest="lock: other.lock.json")
    assert robustfim(f"run {named}").code == 0
    assert robustfim.record("other").lock is not None


def test_a_lock_keeps_the_selected_examples(robustfim: CommandLine) -> None:
    suite = robustfim.suite(ONE, rest="select: {difficult: 0, control: 3}")
    robustfim(f"lock {suite}")
    robustfim(f"run {suite} --lock other.lock.json --seed 7")
    locked = {example.id for example in robustfim.record("other").examples if example.arm is not None}
    robustfim(f"run {suite}")
    assert locked == {example.id for example in robustfim.record("other").examples if example.arm is not None}


@pytest.mark.parametrize("select", ["{by: entropy, difficult: 20, control: 40}", "{by: entropy, examples: 60}"])
def test_a_lock_stands_for_the_rows_that_it_was_drawn_from(robustfim: CommandLine, select: str) -> None:
    rows = [f"a {('good', 'awful')[n % 2]} film {n},{('positive', 'negative')[n % 2]}" for n in range(400)]
    robustfim.write("grown.csv", "\n".join(["text,label", *rows[:200]]) + "\n")
    suite = robustfim.suite(ONE, data="{use: csv, path: grown.csv}", rest=f"scores: [entropy]\nselect: {select}")
    robustfim(f"lock {suite}")
    seen = []
    for more in (0, 200):
        robustfim.write("grown.csv", "\n".join(["text,label", *rows[: 200 + more]]) + "\n")
        robustfim(f"run {suite} --lock other.lock.json")
        seen.append(robustfim.record("other"))
    (before,), (after,) = (record.checks for record in seen)
    assert before.rate == after.rate
    assert before.interval == after.interval
    said = [
        warning
        for warning in seen[1].warnings
        if "the data hold 200 more examples than the 200 that the lock" in warning
    ]
    assert len(said) == 1
    assert not any("lock file was drawn" in warning for warning in seen[0].warnings)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("-o checks.rename.perturb.words=2", "check 'rename' has other settings than in the lock file"),
        ('--data "rows=[[a good film, positive]]"', "the data no longer hold"),
    ],
)
def test_a_lock_that_no_longer_matches_is_refused(robustfim: CommandLine, change: str, message: str) -> None:
    suite = robustfim.suite("{rename: {perturb: {use: rename, words: 1}, limit: 0.9}}")
    robustfim(f"lock {suite}")
    refused(robustfim(f"run {suite} --lock other.lock.json {change}"), message, "robustfim lock")


def test_a_suite_without_texts_has_nothing_to_lock(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{x: {perturb: rename, skip: not yet}}")
    refused(robustfim(f"lock {suite}"), "has no perturbed texts to lock")


def test_a_check_that_was_not_locked_is_refused(robustfim: CommandLine) -> None:
    robustfim(f"lock {robustfim.suite(ONE)}")
    more = robustfim.suite("{rename: {perturb: rename, limit: 0.9}, more: {perturb: rename}}")
    refused(robustfim(f"run {more} --lock other.lock.json"), "check 'more' is not in the lock file")


def test_a_text_that_does_not_match_its_hash_is_an_error_of_its_check(robustfim: CommandLine) -> None:
    suite = robustfim.suite(ONE)
    robustfim(f"lock {suite}")
    robustfim.replace("other.lock.json", '"solid"', '"sturdy"')
    shown = robustfim(f"run {suite} --lock other.lock.json")
    assert shown.code == 1
    assert "does not match its hash in the lock file" in shown.out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not a lock file"),
        ('{"lock": 9}', "has lock 9"),
        ('{"suite": "other"}', "has no 'lock' number"),
        (
            '{"lock": 1, "suite": "x", "seed": 0, "examples": 0, "arms": {}}',
            "belongs to suite 'x', not to suite 'other'",
        ),
        ('{"lock": 1, "suite": "other"}', "is not a lock file: seed: Field required"),
    ],
)
def test_a_file_that_is_no_lock_is_refused(robustfim: CommandLine, content: str, message: str) -> None:
    robustfim.write("bad.json", content)
    refused(robustfim(f"run {robustfim.suite(ONE)} --lock bad.json"), "bad.json", message)


# ---- several models -----------------------------------------------------------------------------------


def test_two_models_are_tested_on_the_same_texts_and_the_second_is_compared_with_the_first(
    robustfim: CommandLine,
) -> None:
    robustfim.replace("toy.yaml", "model: wordsum", "models: [wordsum, {use: wordsum, batch_size: 2}]")
    shown = robustfim("run toy.yaml")
    assert shown.code == 6, shown
    assert shown.out.count("robustfim session starts") == 2
    assert "no margin is set" in shown.unbroken
    first, second = (robustfim.record(f"toy/{name}") for name in ("wordsum", "wordsum-2"))
    assert (len(first.comparisons), len(second.comparisons)) == (0, 1)
    assert first.lock == second.lock is not None
    assert not second.comparisons[0].notes
    assert [failure.fields for failure in first.failures] == [failure.fields for failure in second.failures]


def test_the_first_of_two_models_is_asked_and_its_examples_selected_once(robustfim: CommandLine) -> None:
    robustfim.write(
        "seen.py",
        "from robustfim import hookimpl\n\n\n@hookimpl\ndef robustfim_run_start(collection):\n"
        "    open('seen.txt', 'a').write('read ')\n\n\n@hookimpl\ndef robustfim_selection_finish(selection):\n"
        "    open('seen.txt', 'a').write('selected ')\n",
    )
    models = "models: [{use: wordsum, log: first.txt}, {use: wordsum, batch_size: 2}]"
    robustfim.replace("toy.yaml", "model: wordsum", models)
    assert robustfim("run toy.yaml --no-store -p seen.py").code == 6
    assert robustfim.read("seen.txt") == "read selected read selected "
    asked = robustfim.read("first.txt").splitlines()
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ("models: wordsum", "models must be a list of at least two models"),
        ("models: [wordsum]", "models must be a list of at least two models"),
        ("model: wordsum\nmodels: [wordsum, wordsum]", "exclude each other"),
        ("models: [wordsum, wordsun]", "Did you mean 'wordsum'"),
    ],
)
def test_a_wrong_list_of_models_is_refused_with_its_line(robustfim: CommandLine, models: str, message: str) -> None:
    robustfim.replace("toy.yaml", "model: wordsum", models)
    refused(robustfim("run toy.yaml"), "toy.yaml:", message)


def test_an_option_names_the_only_model(robustfim: CommandLine) -> None:
    robustfim.replace("toy.yaml", "model: wordsum", "models: [nothing, nobody]")
    assert robustfim("run toy.yaml::calm --model use=wordsum").code == 0


# ---- budgets ------------------------------------------------------------------------------------------


def test_a_budget_is_told_and_recorded(robustfim: CommandLine) -> None:
    rows = json.dumps([[f"a good film number {i}", "positive"] for i in range(200)])
    suite = robustfim.suite(
        "{swap: {perturb: {use: rename, table: {good: awful}}, limit: 0.2}}",
        data="{use: films, rows: " + rows + "}",
        rest="budget: 150",
    )
    shown = robustfim(f"run {suite}")
    assert shown.code == 1
    assert (
        "32 of 32 examples fail (100 %): above the limit of 20 %, after 32 of at most 150 examples." in shown.unbroken
    )
    check = robustfim.record("other").checks[0]
    assert check.budget is not None
    assert (check.budget.drawn, check.budget.saved) == (32, 118)


# ---- known failures -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("xfail", "outcome", "code", "told"),
    [
        ("issue 12", "xfailed", 0, ""),
        ("{reason: issue 12, until: 2999-12-31}", "xfailed", 0, ""),
        ("{reason: issue 12, until: 2020-01-31}", "failed", 1, "It was expected to fail until 2020-01-31: issue 12."),
    ],
)
def test_an_xfail_excuses_a_failure_until_its_day(
    robustfim: CommandLine, xfail: str, outcome: str, code: int, told: str
) -> None:
    suite = robustfim.suite("{both: {perturb: {use: rename, words: 2}, limit: 0, xfail: " + xfail + "}}")
    shown = robustfim(f"run {suite}")
    assert shown.code == code
    assert robustfim.outcomes("other") == {"both": outcome}
    assert told in robustfim.record("other").checks[0].message


def test_a_wrong_date_is_refused_with_its_line(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{x: {perturb: rename, limit: 0.1, xfail: {reason: a, until: tomorrow}}}")
    refused(robustfim(f"run {suite}"), "other.yaml:5:", "'tomorrow' is no date such as 2027-01-31")


def test_the_list_of_checks_shows_how_long_an_xfail_holds(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{x: {perturb: rename, limit: 0.1, xfail: {reason: issue 12, until: 2027-01-31}}}")
    assert "xfail: issue 12 (until 2027-01-31)" in " ".join(robustfim(f"list {suite}").out.split())


def test_checks_above_their_limits_as_in_the_baseline_have_one_answer_everywhere(robustfim: CommandLine) -> None:
    everything = "run toy.yaml -o checks.rename.limit=0 -o checks.calm.limit=0.9"
    robustfim(everything)
    assert robustfim("accept reports/toy/results.json").code == 0
    again = f"{everything} --baseline baselines --margin 0.6 --junit-xml j.xml"
    shown = robustfim(f"{again} -o 'reports=[json, html, markdown]'")
    assert shown.code == 0
    above = "2 above their limits, as in the baseline"
    assert f" {above}, 1 passed (1 not seen by the model) in " in shown.unbroken
    assert f"; 2 checks {above[2:]}" in shown.unbroken, "the answer of the comparison"
    assert "2 failed" not in shown.out
    comment = robustfim.read("reports/toy/comment.md").partition("\n")[0]
    passed = "1 passed (1 not seen by the model)"
    assert comment == f"### toy: may replace the baseline; 2 of 3 checks {above[2:]}, {passed}"
    page = robustfim.read("reports/toy/report.html")
    assert f"May replace the baseline; {above}." in page
    junit = robustfim.read("j.xml")
    assert 'failures="0"' in junit
    assert 'type="robustfim.failed"' not in junit
    one = robustfim(f"{everything} -o checks.both.limit=0.9 --baseline baselines --margin 0.6")
    assert "1 above its limit, as in the baseline" in one.unbroken
    every = robustfim(f"{again} --fail-on any")
    assert (every.code, "2 failed" in every.unbroken) == (1, True)
