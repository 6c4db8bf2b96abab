"""The command line from end to end: every option of ``robustfim run``, and every way out."""

from __future__ import annotations

import gc
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from robustfim.cli import main
from robustfim.record import Record
from tests.present import present
from tests.robustfim.command_line import SUITE, CommandLine, refused


def without_times(record: Record) -> dict[str, Any]:
    """A record as it must be equal in two runs with one seed."""
    data = record.model_dump()
    for key in ("started", "duration_s", "model_calls", "cached_calls"):
        del data[key]
    for check in data["checks"]:
        del check["duration_s"]
    return data


# ---- the ways out -------------------------------------------------------------------------------------


def test_a_run_whose_checks_pass_exits_with_0(robustfim: CommandLine) -> None:
    shown = robustfim("run toy.yaml::calm")
    assert (shown.code, shown.err) == (0, "")
    assert robustfim.outcomes("toy.partial") == {"calm": "passed"}
    assert re.search(r"=+ 1 passed \(1 not seen by the model\) in \d+\.\d\ds =+\n$", shown.out)


def test_a_run_with_a_failed_check_exits_with_1_and_says_how_to_see_it_again(robustfim: CommandLine) -> None:
    shown = robustfim("run toy.yaml")
    assert (shown.code, shown.err) == (1, "")
    assert robustfim.outcomes() == {"rename": "inconclusive", "both": "failed", "calm": "passed"}
    assert "a [-good-]{+solid+} plot and a [-good-]{+solid+} cast" in shown.out
    again = present(re.search(r"^    robustfim (run toy.yaml::both --example \w+)$", shown.out, re.MULTILINE))
    once = robustfim(again[1])
    assert once.code == 1
    assert "a [-good-]{+solid+} plot" in once.out
    assert len(robustfim.record().checks) == 3, "--example writes no report"


def test_a_check_that_is_an_error_exits_with_1(robustfim: CommandLine) -> None:
    shown = robustfim(f"run {robustfim.suite('{x: {perturb: {use: broken, how: raises}}}')}")
    assert shown.code == 1
    assert "ArithmeticError: no candidate today" in shown.out
    assert "toy.py" in shown.out, "the traceback points into the plugin"


@pytest.mark.parametrize("limit", [0.1, 0.5])
def test_an_inconclusive_check_has_an_exit_code_of_its_own_wherever_its_rate_lies(
    robustfim: CommandLine, limit: float
) -> None:
    command = f"run toy.yaml::rename -o checks.rename.limit={limit}"
    assert robustfim(command).code == 6
    assert robustfim(f"{command} --strict").code == robustfim(f"{command} --inconclusive fail").code == 1
    assert robustfim(f"{command} --inconclusive pass").code == 0


def test_nothing_left_to_run_exits_with_5(robustfim: CommandLine) -> None:
    refused(
        robustfim("run toy.yaml -k nothing"),
        "the selection leaves no check of toy.yaml to run",
        "rename, both, calm",
        code=5,
    )
    empty = robustfim.suite("{x: {perturb: rename}}", data="{use: films, rows: [['', null], ['  ', null]]}")
    refused(robustfim(f"run {empty} -q"), "data 'films' has no usable example: 2 × empty text", code=5)


def test_of_very_many_mistakes_the_first_twenty_are_told(robustfim: CommandLine) -> None:
    robustfim.write("wrong.yaml", "\n".join(["checks: {}", *(f"key{number}: 1" for number in range(30))]))
    shown = robustfim("run wrong.yaml")
    assert (shown.code, shown.err.count("ERROR: ")) == (4, 21)
    assert shown.err.endswith("more mistakes.\n")


def test_a_defect_of_robustfim_exits_with_3_and_its_traceback(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr("robustfim.session.session.write_reports", broken)
    shown = robustfim("run toy.yaml")
    assert shown.code == 3
    assert "Traceback" in shown.err
    assert "ERROR: this is a defect in robustfim" in shown.err


def test_mistakes_on_the_command_line_are_one_line_each(robustfim: CommandLine) -> None:
    for bare in ("", "plugin"):
        shown = robustfim(bare)
        assert (shown.code, shown.err) == (4, "")
        assert shown.out == robustfim(f"{bare} --help").out
    refused(robustfim("runn toy.yaml"), "there is no command 'runn'. Did you mean 'run'?")
    refused(robustfim("failures"), "there is no command 'failures'. What has to do with it: ", "report", "review")
    refused(robustfim("show"), "there is no command 'show'. What has to do with it: ", "report")
    refused(robustfim("nosuchthing"), "there is no command 'nosuchthing'. See 'robustfim --help'.")
    refused(robustfim("train cnn --data x.csv"), "Missing '--dev', '--out'. See 'robustfim train --help'.")
    refused(robustfim("mine"), "Missing argument 'SUITE'. See 'robustfim mine --help'.")
    refused(robustfim("run"), "Missing argument", "See 'robustfim run --help'.")
    refused(robustfim("run toy.yaml --colour yes"), "No such option", "--color")
    refused(robustfim("run toy.yaml --maxfail 0"), "--maxfail")
    refused(robustfim("run toy.yaml --seed x"), "--seed")
    refused(robustfim("run toy.yaml -k 'a and'"), "-k 'a and': write words joined by and, or, not and ().")
    refused(robustfim("run toy.yaml -o select"), "-o 'select': write it as KEY=VALUE")
    refused(robustfim("run toy.yaml --example ffffffffffff"), "no example has an id that begins so")
    refused(robustfim("run toy.yaml::bot"), "toy.yaml has no check 'bot'. Did you mean 'both'?")


def test_a_process_of_its_own_lets_threads_wait_without_work_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "argv", ["robustfim", "--version"])
    monkeypatch.setattr(gc, "set_threshold", lambda *_: None)
    monkeypatch.setenv("OMP_WAIT_POLICY", "active")
    for given, policy in (None, "active"), (["--version"], None), (None, "passive"):
        with pytest.raises(SystemExit):
            main(given)
        assert os.environ.pop("OMP_WAIT_POLICY", None) == policy


def test_help_and_version_exit_with_0(robustfim: CommandLine) -> None:
    for command in ("--help", "-h", "run --help", "list --help", "plugins --help", "schema --help"):
        shown = robustfim(command)
        assert (shown.code, shown.err) == (0, "")
        assert shown.out.startswith("Usage: robustfim")
    assert re.fullmatch(r"robustfim \d+\.\d+\.\d+\S*\n", robustfim("--version").out)


# ---- which checks and examples ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ("-k both", ["both"]),
        ("-k 'REN or calm'", ["rename", "calm"]),
        ("-k 'not rename'", ["both", "calm"]),
        ("-m lexical", ["rename", "both"]),
        ("-m 'lexical and not slow'", ["rename"]),
        ("-k calm -m 'not lexical'", ["calm"]),
    ],
)
def test_k_and_m_choose_checks(robustfim: CommandLine, options: str, names: list[str]) -> None:
    shown = robustfim(f"run toy.yaml --co {options}")
    assert shown.code == 0
    assert shown.out.split("\n\n")[0].splitlines() == [f"toy.yaml::{name}" for name in names]
    assert f"{len(names)} check" in shown.out


def test_collecting_only_runs_nothing(robustfim: CommandLine) -> None:
    assert (
        robustfim("run toy.yaml --co").out == "toy.yaml::rename\ntoy.yaml::both\ntoy.yaml::calm\n\n3 checks collected\n"
    )
    left = {path.name for path in robustfim.folder.iterdir()} - {"__pycache__"}
    assert left == {"toy.py", "toy.yaml"}


def test_checks_are_named_one_by_one_and_the_whole_suite_takes_them_in(robustfim: CommandLine) -> None:
    assert robustfim("run toy.yaml::calm toy.yaml::both --co").out.startswith("toy.yaml::both\ntoy.yaml::calm\n")
    assert "3 checks" in robustfim("run toy.yaml::calm toy.yaml --co").out
    assert "3 checks" in robustfim("run toy.yaml toy.yaml::calm --co").out


def test_last_failed_runs_what_did_not_pass_and_then_everything(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    shown = robustfim("run toy.yaml --lf")
    assert robustfim.outcomes("toy.partial") == {"rename": "inconclusive", "both": "failed"}
    assert "2 checks / 1 deselected" in shown.out
    assert robustfim("run toy.yaml --lf -o checks.both.limit=0.9 -o checks.rename.limit=0.9").code == 0
    assert "3 checks" in robustfim("run toy.yaml --lf --co").out, "nothing failed the last time"


def test_x_and_maxfail_stop_at_failed_checks(robustfim: CommandLine) -> None:
    checks = "{a: {perturb: rename, limit: 0}, b: {perturb: rename, limit: 0}, c: {perturb: rename, limit: 0}}"
    suite = robustfim.suite(checks)
    shown = robustfim(f"run {suite} -x")
    assert shown.code == 1
    assert "stopped after 1 failure." in shown.out
    assert list(robustfim.outcomes("other")) == ["a"]
    robustfim(f"run {suite} --maxfail 2")
    assert list(robustfim.outcomes("other")) == ["a", "b"]
    robustfim(f"run {suite} --maxfail 9")
    assert list(robustfim.outcomes("other")) == ["a", "b", "c"]


def test_an_example_is_named_by_the_beginning_of_its_id(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    example = next(
        example_record for example_record in robustfim.record().examples if "dull end" in example_record.fields["text"]
    )
    shown = robustfim(f"run toy.yaml::rename --example {example.id[:6]}")
    assert shown.code == 1
    assert "1 of 2 candidates fail." in shown.out
    assert "a [-good-]{+solid+} film with a dull end" in shown.out


# ---- what a run computes and keeps --------------------------------------------------------------------


def test_a_second_run_sends_nothing_and_finds_the_same(robustfim: CommandLine) -> None:
    shown = robustfim("run toy.yaml -o model.log=seen.txt")
    first, seen = robustfim.record(), Path("seen.txt").read_text(encoding="utf-8").splitlines()
    assert first.model_calls == len(seen) == len(set(seen)), "no text is sent twice"
    assert f"{first.model_calls} texts sent to the model" in shown.out
    shown = robustfim("run toy.yaml -o model.log=seen.txt")
    second = robustfim.record()
    assert second.model_calls == 0
    assert second.cached_calls > 0
    assert Path("seen.txt").read_text(encoding="utf-8").splitlines() == seen
    assert without_times(first) == without_times(second)
    assert "0 texts sent to the model" in shown.out


def test_two_runs_with_one_seed_are_equal_and_another_seed_is_noted(robustfim: CommandLine) -> None:
    suite = robustfim.suite(
        "{x: {perturb: {use: rename, candidates: 1}, limit: 0}}", rest="select: {difficult: 0, control: 4}"
    )
    records = []
    for number, seed in enumerate((3, 3, 4, 5, 6)):
        robustfim(f"run {suite} --seed {seed} --no-store --reports r{number}")
        records.append(robustfim.record("other", f"r{number}"))
    assert without_times(records[0]) == without_times(records[1])
    assert [record.seed for record in records] == [3, 3, 4, 5, 6]
    samples = {tuple(example.id for example in record.examples if example.arm) for record in records}
    assert len(samples) > 1, "another seed draws another sample"
    assert all("--seed 3" in failure.reproduce for failure in records[0].failures)


def test_max_calls_bounds_what_is_sent_and_the_rest_follows_in_the_next_run(robustfim: CommandLine) -> None:
    shown = robustfim("run toy.yaml --max-calls 3")
    assert shown.code == 1
    assert "--max-calls 3 is used up" in shown.out
    record = robustfim.record()
    assert record.model_calls == 3
    assert {check.outcome.value for check in record.checks} == {"error"}
    assert robustfim("run toy.yaml --max-calls 10").code == 1
    assert robustfim.record().model_calls == 10
    assert robustfim.record().summary["error"] > 0
    robustfim("run toy.yaml --max-calls 100")
    whole = robustfim.record()
    assert whole.summary["error"] == 0
    robustfim("run toy.yaml --no-store --reports fresh")
    assert robustfim.record(reports="fresh").model_calls == 3 + 10 + whole.model_calls


def test_no_store_keeps_nothing_and_store_names_a_file(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml --no-store")
    assert not Path(".robustfim").exists()
    robustfim("run toy.yaml --store kept/answers.sqlite")
    assert Path("kept/answers.sqlite").is_file()
    robustfim("run toy.yaml --store kept/answers.sqlite")
    assert robustfim.record().model_calls == 0
    refused(robustfim("run toy.yaml -q --store toy.py/x"), "the prediction store toy.py/x cannot be used")


# ---- reports ------------------------------------------------------------------------------------------


def test_reports_go_where_the_command_line_says(robustfim: CommandLine) -> None:
    shown = robustfim("run toy.yaml --reports elsewhere --json one.json")
    assert "wrote one.json" in shown.out
    assert not Path("reports").exists()
    assert json.loads(Path("one.json").read_text(encoding="utf-8"))["schema"] == 2
    shown = robustfim("run toy.yaml --html deep/page.html")
    assert "wrote deep/page.html" in shown.out
    assert "wrote reports/toy/results.json" in shown.out
    assert Path("deep/page.html").read_text(encoding="utf-8").lower().startswith("<!doctype html>")


def test_a_report_folder_that_cannot_be_made_is_refused_before_anything_is_sent(robustfim: CommandLine) -> None:
    shown = robustfim("run toy.yaml -q --reports toy.py -o model.log=seen.txt")
    refused(shown, "reports cannot be written to toy.py/toy", "Name another folder with --reports.")
    assert not Path("seen.txt").exists()
    refused(robustfim("run toy.yaml --html ."), "--html", "is a directory")


def test_a_report_that_cannot_be_written_keeps_no_other_from_being_written(robustfim: CommandLine) -> None:
    Path("reports/toy/results.json").mkdir(parents=True)
    shown = robustfim("run toy.yaml --html page.html -q")
    assert shown.code == 4
    assert shown.err.startswith("ERROR: report 'json' cannot be written: ")
    assert "Traceback" not in shown.err
    assert Path("page.html").is_file()
    assert "1 failed, 1 inconclusive, 1 passed" in shown.out, "the run is told all the same"


def test_a_report_that_raises_is_an_error_of_its_plugin(robustfim: CommandLine) -> None:
    shown = robustfim("run toy.yaml::calm -o reports=[torn,json]")
    refused(shown, "plugin 'toy', report 'torn' (Torn) raised BufferError: the paper is torn", code=1)
    assert robustfim.outcomes("toy.partial") == {"calm": "passed"}


# ---- what the terminal shows --------------------------------------------------------------------------


def test_quiet_and_verbose_change_what_is_shown(robustfim: CommandLine) -> None:
    quiet = robustfim("run toy.yaml -q").out
    assert quiet.startswith("IFP\n")
    assert "FAILURES" not in quiet
    lenient = "run toy.yaml -o checks.both.limit=1.0"
    assert "PASSED toy.yaml::both" not in robustfim(lenient).out
    assert "PASSED toy.yaml::both" in robustfim(f"{lenient} -v").out


def test_durations_lists_the_slowest_checks(robustfim: CommandLine) -> None:
    shown = robustfim("run toy.yaml --durations 2").out
    listed = re.findall(r"^ +([\d.]+)s  toy.yaml::\w+$", shown, re.MULTILINE)
    assert len(listed) == 2
    assert float(listed[0]) >= float(listed[1])


def test_colours_are_shown_when_asked_for_and_never_otherwise(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\x1b[" not in robustfim("run toy.yaml").out
    assert "\x1b[" in robustfim("run toy.yaml --color yes").out
    assert "\x1b[" not in robustfim("run toy.yaml --color no").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[31m" not in robustfim("run toy.yaml --color auto").out


@pytest.mark.parametrize("columns", [40, 80, 140])
def test_each_check_has_one_line_of_the_terminals_width(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    checks = (
        "{a-check-with-a-name: {perturb: {use: rename}, limit: {difficult: 0.5, control: 0.2}}, b: {perturb: rename}}"
    )
    suite = robustfim.suite(checks, rest="select: {by: long, difficult: 4, control: 4}")
    lines = robustfim(f"run {suite}").out.splitlines()
    assert [len(line) for line in lines if line.endswith("%]")] == [columns] * 2


def test_escape_sequences_in_a_review_reach_the_terminal_as_text(robustfim: CommandLine) -> None:
    hostile = r'["a good \e[31mred\e[0m film \e]0;title\a with a dull\u202e end", positive]'
    suite = robustfim.suite("{x: {perturb: rename, limit: 0}}", data=f"{{use: films, rows: [{hostile}]}}")
    shown = robustfim(f"run {suite}")
    assert "[-good-]" in shown.out
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", shown.out + shown.err)
    assert r"\u001b[31mred" in shown.out
    assert robustfim.record("other").examples[0].fields["text"].count("\x1b") == 3, "the record keeps the text"


# ---- suites, models and data --------------------------------------------------------------------------


def test_the_command_line_changes_model_data_and_any_other_key(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml -o seed=7 -o checks.both.limit=0.9 --data 'rows=[[a good film, positive]]'")
    record = robustfim.record()
    assert record.seed == 7
    assert record.data.options == {"rows": [["a good film", "positive"]]}
    assert [example.fields["text"] for example in record.examples] == ["a good film"]
    assert record.checks[1].limit == 0.9
    assert "-o seed=7" in record.failures[0].reproduce
    for named in ("use=unloadable", "unloadable"):
        shown = robustfim(f"run toy.yaml --model {named}")
        assert shown.code == 1
        assert robustfim.record().model.use == "unloadable"
    refused(robustfim("run toy.yaml -o seed=x"), "-o seed=x: seed:")
    refused(robustfim("run toy.yaml --model use=wordsun"), "--model use=wordsun: unknown model 'wordsun'. Did you mean")
    refused(robustfim("run toy.yaml --model wordsun"), "--model use=wordsun: unknown model 'wordsun'. Did you mean")
    refused(robustfim("run toy.yaml --model '{use: wordsum}'"), "write it as KEY=VALUE")


def test_several_suites_run_in_turn_and_the_worst_way_out_counts(robustfim: CommandLine) -> None:
    calm = robustfim.suite("{x: {perturb: {use: rename, table: {film: movie}}, limit: 0}}", name="calm")
    wrong = robustfim.write(
        "wrong.yaml", SUITE.replace("suite: toy", "suite: wrong").replace("wordsum", "wordsun")
    ).name
    assert robustfim(f"run {calm} toy.yaml::calm").code == 0
    assert robustfim(f"run {calm} toy.yaml").code == 1
    shown = robustfim(f"run {wrong} {calm} toy.yaml")
    assert shown.code == 4
    assert "ERROR: wrong.yaml:3: unknown model 'wordsun'. Did you mean 'wordsum'?" in shown.err
    assert shown.out.count("session starts") == 2, "the other suites ran"


def test_a_folder_stands_for_its_suites(robustfim: CommandLine) -> None:
    robustfim.write("suites/toy.py", Path("toy.py").read_text(encoding="utf-8"))
    robustfim.write("suites/b.yaml", SUITE.replace("suite: toy", "suite: b"))
    robustfim.write("suites/a.yml", SUITE.replace("suite: toy", "suite: a"))
    assert re.findall(r"^\w+\.ya?ml::rename$", robustfim("run suites --co").out, re.MULTILINE) == [
        "a.yml::rename",
        "b.yaml::rename",
    ]
    Path("nothing").mkdir()
    refused(robustfim("run nothing"), "the folder nothing holds no suite (*.yaml).")


def test_two_suites_of_one_name_are_refused_since_their_reports_would_collide(robustfim: CommandLine) -> None:
    robustfim.write("copy.yaml", SUITE)
    shown = robustfim("run toy.yaml copy.yaml -q")
    refused(shown, "copy.yaml and toy.yaml have the same name, 'toy'")


# ---- the commands that show ---------------------------------------------------------------------------


def test_list_shows_checks_with_limit_and_marks(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{x: {perturb: rename, limit: 0.1, skip: 'no [dictionary]', marks: [names]}}")
    shown = robustfim(f"list toy.yaml {suite}").out
    assert re.search(r"^toy.yaml::both +rename +invariant +0 % +lexical, slow", shown, re.MULTILINE)
    assert re.search(r"^other.yaml::x +rename +invariant +10 % +names +skip: no \[dictionary\]", shown, re.MULTILINE)


def test_plugins_shows_what_is_offered_and_the_options_of_one(robustfim: CommandLine) -> None:
    shown = robustfim("plugins -p toy.py").out
    assert re.search(r"^  rename +Puts other words in\. \[toy\]", shown, re.MULTILINE)
    shown = robustfim("plugins wordsum -p toy.py").out
    assert re.search(r"^nan_on +str +''", shown, re.MULTILINE)
    refused(robustfim("plugins renmae -p toy.py"), "'renmae'", "Did you mean 'rename'?")


def test_schema_knows_the_plugins_names(robustfim: CommandLine) -> None:
    schema = json.loads(robustfim("-p toy.py schema").out)
    assert "wordsum" in json.dumps(schema["properties"]["model"])


def test_a_perturbation_expects_what_it_says_with_its_options_unless_the_suite_says_otherwise(
    robustfim: CommandLine,
) -> None:
    suite = robustfim.suite("{round: {perturb: turned}, kept: {perturb: turned, expect: invariant}}")
    plugin = robustfim.folder / "toy.py"
    plugin.write_text(plugin.read_text(encoding="utf-8") + TURNED, encoding="utf-8")
    robustfim(f"run {suite}")
    assert [check.expectation for check in robustfim.record("other").checks] == [
        {"use": "directional", "direction": "down"},
        {"use": "invariant"},
    ]


TURNED = """
from robustfim import Contract


class Turned(Rename):
    contract = Contract(keeps="nothing", expects={"use": "directional", "direction": "down"})


@hookimpl
def robustfim_offers():
    return {
        "models": {"wordsum": WordSum},
        "data": {"films": Films},
        "perturbations": {"rename": Rename, "turned": Turned},
    }
"""


def test_a_model_that_gives_one_label_to_everything_is_an_error_unless_the_suite_allows_it(
    robustfim: CommandLine,
) -> None:
    rows = [[f"film number {n}", "positive" if n % 2 else "negative"] for n in range(30)]
    data = f"{{use: films, rows: {rows}}}"
    suite = robustfim.suite("{x: {perturb: rename}}", data=data)
    assert robustfim(f"run {suite}").code == 1
    record = robustfim.record("other")
    assert "gives the label 'negative' to all of 30 examples" in record.message
    assert robustfim.outcomes("other") == {"x": "error"}
    robustfim.write("nospan.py", "def find(texts):\n    return [[] for _ in texts]\n")
    model = "{use: python, call: 'nospan:find', task: spans}"
    robustfim(f"run {robustfim.suite('{x: {perturb: rename}}', data=f'{{use: films, rows: {rows}}}', model=model)}")
    assert "gives no span to all of 30 examples" in robustfim.record("other").message
    allowed = robustfim.suite("{x: {perturb: rename}}", data=data, rest="one_label: true")
    assert robustfim(f"run {allowed}").code in (0, 1, 6)
    assert robustfim.outcomes("other") != {"x": "error"}


@pytest.mark.parametrize("command", ["report {}", "run toy.yaml --baseline {}", "compare {} {}", "run {}.yaml"])
def test_a_name_that_no_file_can_have_is_wrong_usage(robustfim: CommandLine, command: str) -> None:
    shown = robustfim(command.format("z" * 5000, "z" * 5000))
    assert (shown.code, "Traceback" in shown.err) == (4, False)
    assert "zzz" in shown.err
