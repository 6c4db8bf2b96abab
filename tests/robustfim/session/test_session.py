"""One run from the shell's side: interrupted, killed, resumed; and what survives whatever breaks in it."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from robustfim import api
from robustfim.errors import PluginError
from robustfim.hookspecs import hookimpl
from robustfim.record import CheckRecord, Record
from robustfim.session.check_run import check_by_blocks
from robustfim.session.open import open_session
from tests.robustfim.command_line import CommandLine, refused, without_progress
from tests.waiting import until

SLOW = "--model seconds=0.15 --model batch_size=2 --model log=seen.txt"


def start(robustfim: CommandLine, command: str) -> subprocess.Popen[str]:
    """``python -m robustfim COMMAND`` in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "robustfim", *command.split()],
        cwd=robustfim.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def seen(robustfim: CommandLine) -> list[str]:
    path = robustfim.folder / "seen.txt"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def wait_for(robustfim: CommandLine, texts: int) -> None:
    """Wait until the model was given so many texts."""
    until(lambda: len(seen(robustfim)) >= texts)


def test_an_interrupted_run_leaves_its_record_exits_with_2_and_is_resumed(robustfim: CommandLine) -> None:
    process = start(robustfim, f"run toy.yaml {SLOW}")
    wait_for(robustfim, 10)  # the eight reviews, and the first batch of the first check
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, without_progress(err)) == (2, "")
    record = robustfim.record()
    assert (record.interrupted, record.exit_code) == (True, 2)
    assert record.message == "interrupted; everything predicted so far is kept, and the same command resumes from it."
    assert record.message in out
    assert "interrupted, " in out.splitlines()[-1]
    assert len(record.examples) == 8
    before = seen(robustfim)
    robustfim(f"run toy.yaml {SLOW}")
    again = robustfim.record()
    assert not again.interrupted
    assert set(robustfim.outcomes()) == {"rename", "both", "calm"}
    sent_twice = len(seen(robustfim)) - len(set(seen(robustfim)))
    assert sent_twice <= 2, "at most the batch under way is sent again"
    assert again.model_calls == len(seen(robustfim)) - len(before)


def test_a_killed_run_loses_at_most_one_batch(robustfim: CommandLine) -> None:
    process = start(robustfim, f"run toy.yaml {SLOW}")
    wait_for(robustfim, 12)
    process.kill()
    process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL
    before = seen(robustfim)
    assert not (robustfim.folder / "reports" / "toy" / "results.json").exists()
    robustfim(f"run toy.yaml {SLOW}")
    resumed = robustfim.record()
    after = seen(robustfim)[len(before) :]
    assert resumed.model_calls == len(after)
    assert len(set(before) & set(after)) <= 2, "at most the batch under way is sent again"
    robustfim("run toy.yaml --no-store --reports whole")
    whole = robustfim.record(reports="whole")
    assert set(before) | set(after) == set(before + after)
    assert len(set(before + after)) == whole.model_calls
    assert [(check.name, check.failing, check.tested) for check in resumed.checks] == [
        (check.name, check.failing, check.tested) for check in whole.checks
    ]


COMMAND = Path(sys.executable).with_name("robustfim")


@pytest.mark.slow
@pytest.mark.skipif(not COMMAND.exists(), reason="robustfim is not installed as a command here")
@pytest.mark.parametrize(("command", "code"), [("run toy.yaml::calm", 0), ("run toy.yaml", 1), ("run gone.yaml", 4)])
def test_the_installed_command_has_the_same_ways_out(robustfim: CommandLine, command: str, code: int) -> None:
    done = subprocess.run(
        [COMMAND, *command.split()], cwd=robustfim.folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == code
    assert "Traceback" not in done.stdout + done.stderr
    assert done.stderr == (
        "" if code < 2 else "ERROR: gone.yaml: no such suite file. 'robustfim scan --write FILE' writes one.\n"
    )


@pytest.mark.slow  # a process of its own
def test_a_reader_that_goes_away_ends_the_run_quietly(robustfim: CommandLine) -> None:
    process = start(robustfim, "run toy.yaml -vv")
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()
    process.wait(timeout=120)


def test_adding_a_check_changes_no_other_checks_candidates(robustfim: CommandLine) -> None:
    one = "x: {perturb: {use: rename, words: 2, candidates: 2}, limit: 0}"
    more = "a: {perturb: rename}, y: {perturb: {use: rename, words: 2}}"
    robustfim(f"run {robustfim.suite(f'{{{one}}}')} --no-store")
    alone = robustfim.record("other")
    robustfim(f"run {robustfim.suite(f'{{{more}, {one}}}')} --no-store --reports r2")
    beside = robustfim.record("other", "r2")

    def failures(record: Record) -> list[str]:
        return [failure.id for failure in record.failures if failure.check.endswith("::x")]

    def counts(record: Record) -> object:
        return next(check for check in record.checks if check.name == "x").candidates

    assert failures(alone) == failures(beside) != []
    assert counts(alone) == counts(beside)


def test_draws_follow_what_a_check_does_and_no_name_limit_or_expectation(robustfim: CommandLine) -> None:
    rows = [
        {"text": f"a {word} story of {count} wonderful evenings"} for count in range(30) for word in ("bad", "good")
    ]
    robustfim.write("rows.jsonl", "\n".join(map(json.dumps, rows)))

    def drawn(name: str, check: str, rest: str) -> tuple[object, list[object]]:
        text = (
            f"suite: {name}\nplugins: [{robustfim.folder}/toy.py]\nmodel: wordsum\n"
            f"data: {{use: jsonl, path: {robustfim.folder}/rows.jsonl, label: null}}\n"
            f"select: {{difficult: 0, control: 25}}\n"
            f"checks:\n  {check}: {{{rest}, budget: 20}}\n"
        )
        shown = robustfim(f"run {robustfim.write(f'{name}/{name}.yaml', text)} --no-store")
        assert shown.code < 2, shown
        record = robustfim.record(name)
        tested = [(example.id, example.arm) for example in record.examples], record.checks[0].examples
        return tested, [(failure.example, failure.edits) for failure in record.failures]

    typos = "perturb: {use: typos, words: 1, candidates: 3}, expect: changes, limit: 0.1"
    here = drawn("a", "typos", typos)
    assert len(here[1]) > 40
    assert drawn("prod", "misspelt", typos.replace("0.1", "0.7, marks: [lexical]")) == here
    fewer = drawn("fewer", "typos", typos.replace("3", "2"))
    assert fewer[0] == here[0]
    assert [each for each in here[1] if each in fewer[1]] == fewer[1] != here[1]
    assert drawn("other", "typos", typos.replace("typos", "typos, kinds: [swap]"))[1] != here[1]


# ---- what survives ------------------------------------------------------------------------------------

HOOK = """\
from robustfim import hookimpl


@hookimpl
def {name}({parameters}):
    raise LookupError("lost")
"""


@pytest.mark.parametrize(
    ("name", "parameters", "written"),
    [
        ("robustfim_configure", "config", False),
        ("robustfim_collection_modifyitems", "checks", False),
        ("robustfim_run_start", "collection", True),
        ("robustfim_selection_finish", "scores", True),
        ("robustfim_check_start", "check", True),
        ("robustfim_check_finish", "result", True),
        ("robustfim_sections", "collection", True),
        ("robustfim_run_finish", "record", True),
        ("robustfim_session_finish", "record", True),
        ("robustfim_terminal_summary", "record", True),
    ],
)
def test_a_hook_that_raises_is_its_plugins_error_and_loses_no_report(
    robustfim: CommandLine, name: str, parameters: str, written: bool
) -> None:
    robustfim.write("mine.py", HOOK.format(name=name, parameters=parameters))
    shown = robustfim("run toy.yaml -p mine.py")
    assert shown.code == 1
    assert f"plugin 'mine': {name} raised LookupError: lost" in shown.out + shown.err
    assert "internal" not in shown.err
    assert (robustfim.folder / "reports" / "toy" / "results.json").exists() == written
    if written and name not in ("robustfim_session_finish", "robustfim_terminal_summary"):
        assert "robustfim_" in robustfim.record().message
        assert robustfim.record().exit_code == 1


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ("['a text']", "robustfim_sections must return robustfim.exhibit.Section, not 'a text'"),
        ("this_is_no_data()", "a section of the report cannot be made: no such column"),
    ],
)
def test_a_section_that_cannot_be_made_loses_nothing_that_was_found(
    robustfim: CommandLine, returned: str, told: str
) -> None:
    lines = [
        "from robustfim import hookimpl", "from robustfim.errors import DataError", "",
        "def this_is_no_data():", "    raise DataError('no such column')", "",
        "@hookimpl", "def robustfim_sections():", f"    return {returned}",
    ]  # fmt: skip
    robustfim.write("mine.py", "\n".join(lines) + "\n")
    shown = robustfim("run toy.yaml -p mine.py")
    assert shown.code == 1
    assert told in shown.out + shown.err
    record = robustfim.record()
    assert told in record.message
    assert {check.outcome.value for check in record.checks} == {"passed", "failed", "inconclusive"}


def test_sections_stand_in_the_record_by_name(robustfim: CommandLine) -> None:
    lines = [
        "from robustfim import hookimpl", "from robustfim.exhibit import Section", "",
        "@hookimpl", "def robustfim_sections(context):",
        "    return [Section(name=name, title=str(len(context.examples))) for name in ('b', 'a')]",
    ]  # fmt: skip
    robustfim.write("mine.py", "\n".join(lines) + "\n")
    robustfim("run toy.yaml -p mine.py")
    record = robustfim.record()
    assert [section.name for section in record.sections] == ["a", "b"]
    assert {section.title for section in record.sections} == {str(record.data.examples)}


def test_a_defect_in_the_middle_loses_nothing_that_was_found(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def faltering(check: object, *rest: object, **more: object) -> object:
        calls.append(check)
        if len(calls) == 3:
            raise ZeroDivisionError("a slip of ours")
        return check_by_blocks(check, *rest, **more)  # type: ignore[arg-type]  # it is passed on as it came

    monkeypatch.setattr("robustfim.session.flow.check_by_blocks", faltering)
    shown = robustfim("run toy.yaml")
    assert shown.code == 3
    assert "ERROR: this is a defect in robustfim" in shown.err
    record = robustfim.record()
    assert record.exit_code == 3
    assert record.message == "a defect of robustfim stopped the run: ZeroDivisionError: a slip of ours"
    assert list(robustfim.outcomes()) == ["rename", "both"]
    assert record.failures


def test_a_model_that_breaks_at_the_start_makes_every_check_an_error(robustfim: CommandLine) -> None:
    shown = robustfim("run toy.yaml --model use=unloadable")
    assert shown.code == 1
    assert set(robustfim.outcomes().values()) == {"error"}
    record = robustfim.record()
    assert (
        record.message
        == "plugin 'toy', model 'unloadable' (Unloadable) cannot be loaded: FileNotFoundError: weights.bin"
    )
    assert record.model.fingerprint is None
    assert "toy.py" in record.checks[0].traceback


def test_hooks_are_called_in_their_order_and_with_what_they_promise(robustfim: CommandLine) -> None:
    calls: list[str] = []

    class Witness:
        """Notes every moment."""

        @hookimpl
        def robustfim_configure(self) -> None:
            calls.append("configure")

        @hookimpl
        def robustfim_collection_modifyitems(self, checks: list[object]) -> None:
            calls.append(f"modify {len(checks)}")
            checks.reverse()

        @hookimpl
        def robustfim_run_start(self) -> None:
            calls.append("start")

        @hookimpl
        def robustfim_selection_finish(self) -> None:
            calls.append("selected")

        @hookimpl
        def robustfim_check_finish(self, result: CheckRecord) -> None:
            calls.append(result.name)

        @hookimpl
        def robustfim_run_finish(self, record: Record) -> None:
            calls.append(f"finish {len(record.checks)}")

        @hookimpl
        def robustfim_session_finish(self, written: list[Path]) -> None:
            calls.append(f"done {[path.name for path in written]}")

    session = open_session(Path("toy.yaml"))
    session.manager.register(Witness(), "witness")
    session.configure()
    record, code = session.run()
    assert calls == [
        "configure", "modify 3", "start", "selected", "calm", "both", "rename", "finish 3",
        "done ['report.html', 'results.json']",
    ]  # fmt: skip
    assert (code, record.exit_code) == (1, 1)
    assert [check.name for check in record.checks] == ["calm", "both", "rename"]


def test_a_plugin_that_drops_every_check_leaves_nothing_to_run(robustfim: CommandLine) -> None:
    robustfim.write("drop.py", HOOK.format(name="robustfim_collection_modifyitems", parameters="checks").replace(
        'raise LookupError("lost")', "checks.clear()"
    ))  # fmt: skip
    refused(robustfim("run toy.yaml -q -p drop.py"), "a plugin left no check of toy.yaml to run.", code=5)


def test_progress_is_told_for_every_stage_and_never_beyond_its_total(robustfim: CommandLine) -> None:
    stages: dict[str, list[tuple[int, int]]] = {}

    class Watcher:
        @hookimpl
        def robustfim_progress(self, stage: str, done: int, total: int) -> None:
            stages.setdefault(stage, []).append((done, total))

    suite = robustfim.suite("{x: {perturb: rename}}", rest="scores: [long]", model="{use: wordsum, batch_size: 3}")
    session = open_session(Path(suite))
    session.manager.register(Watcher(), "watcher")
    session.configure()
    session.run()
    assert list(stages) == ["predict", "score", "x"]
    assert stages["predict"] == [(3, 8), (6, 8), (8, 8)]
    for told in stages.values():
        assert told == sorted(told)
        assert told[-1][0] == told[-1][1]


def test_a_run_of_one_example_judges_it_alone_and_writes_nothing(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    (failure, *_) = robustfim.record().failures
    session_record = robustfim(f"run toy.yaml::rename --example {failure.example} --reports none")
    assert session_record.code == 1
    assert not Path("none").exists()
    refused(
        robustfim(f"run toy.yaml -q --example {failure.example} --example zz"), "--example zz: no example has an id"
    )


def test_a_report_hook_error_is_raised_after_the_reports_are_written(robustfim: CommandLine) -> None:
    robustfim.write("mine.py", HOOK.format(name="robustfim_run_finish", parameters="record"))
    session = open_session(Path("toy.yaml"), plugins=None)
    session.manager.load_file(Path("mine.py"))
    session.configure()
    with pytest.raises(PluginError, match="robustfim_run_finish raised LookupError"):
        session.run()
    assert robustfim.record().message.startswith("plugin 'mine': robustfim_run_finish")


# ---- a model that answers nonsense --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            "logits",
            "the model returned [-3.0, 3.0], which are not probabilities that sum to 1. Logits? Apply a softmax",
        ),
        ("one row", "the model returned an array of shape [9, 2] for 8 texts and 2 labels ['negative', 'positive'];"),
        ("text", "the model must return probabilities [examples, classes], not str: "),
    ],
)
def test_nonsense_makes_every_check_an_error_and_the_reports_say_why(
    robustfim: CommandLine, answer: str, message: str
) -> None:
    shown = robustfim(f"run toy.yaml --model 'answer={answer}' --html page.html")
    assert (shown.code, shown.err) == (1, "")
    assert message in shown.out.replace("\n    ", " ")
    record = robustfim.record()
    assert record.message.startswith(message)
    assert set(robustfim.outcomes().values()) == {"error"}
    assert Path("page.html").exists()


def test_a_model_without_a_finite_number_makes_every_check_an_error(robustfim: CommandLine) -> None:
    shown = robustfim("run toy.yaml --model nan_on=film --data 'rows=[[a film, positive], [the film, null]]'")
    assert shown.code == 1
    assert robustfim.record().message == "the model gave no finite probabilities for any of 2 examples."


def test_an_interruption_before_anything_was_computed_has_its_exit_code(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("robustfim.session.open.read_suite", stop)
    shown = robustfim("run toy.yaml")
    assert (shown.code, shown.out, shown.err.strip()) == (2, "", "interrupted")


def test_an_interrupted_suite_is_the_last_one(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    robustfim.write("second.yaml", Path("toy.yaml").read_text(encoding="utf-8").replace("suite: toy", "suite: second"))
    monkeypatch.setattr("robustfim.session.flow.check_by_blocks", stop)
    shown = robustfim("run toy.yaml second.yaml")
    assert shown.code == 2
    assert robustfim.record().interrupted
    assert not Path("reports/second").exists()


# ---- what is closed ---------------------------------------------------------------------------------------

OPENED = """\
from pathlib import Path

from robustfim import Edit, Example, Judgement, Verdict, hookimpl
from robustfim.importance import Importance


class Opened:
    def close(self):
        with Path("closed.txt").open("a") as file:
            print(type(self).__name__, file=file)


class Sign(Opened):
    fingerprint, labels = "1", ["no", "yes"]

    def __init__(self, breaks: str = ""):
        self.breaks = breaks

    def predict(self, examples):
        if self.breaks == "predict":
            raise LookupError("lost")
        return [[0.2, 0.8] for _ in examples]

    def close(self):
        super().close()
        if self.breaks == "close":
            raise LookupError("stuck")


class Rows(Opened):
    def load(self):
        return [Example({"text": f"number {number}"}, "yes") for number in range(4)]


class Kept(Opened):
    def judge(self, before, after, candidate):
        return Judgement(Verdict.PASSED)


class Same(Opened):
    def edits(self, example, random):
        return [Edit("text", 0, 6, "number", "figure")]


class Words(Opened):
    calls = 0

    def explain(self, examples, model):
        return [Importance((), 0.0, 0.0) for _ in examples]


@hookimpl
def robustfim_offers():
    return {"models": {"sign": Sign}, "data": {"numbers": Rows}, "expectations": {"kept": Kept},
            "perturbations": {"other": Same}, "services": {"attribution": Words}}
"""
CLOSED = "{same: {perturb: itself, expect: {use: all, of: [invariant, kept]}}}"


@pytest.mark.parametrize(
    ("breaks", "code", "told"),
    [
        ("", 0, "measured"),
        ("predict", 1, "LookupError: lost"),
        ("close", 1, "plugin 'opened', model 'sign' (Sign) raised LookupError: stuck"),
    ],
)
def test_what_a_run_opened_is_closed_once_however_it_ends(
    robustfim: CommandLine, breaks: str, code: int, told: str
) -> None:
    robustfim.write("opened.py", OPENED)
    suite = robustfim.suite(CLOSED, model=f"{{use: sign, breaks: '{breaks}'}}", data="numbers", rest="one_label: true")
    shown = robustfim(f"run {suite} -p opened.py")
    assert (shown.code, told in shown.out + shown.err) == (code, True), shown
    assert sorted(robustfim.read("closed.txt").split()) == ["Kept", "Rows", "Sign"]
    assert robustfim.record("other").exit_code == (code if breaks == "predict" else 0)


@pytest.mark.parametrize(
    ("command", "closed"),
    [
        ("run other.yaml -p no:attribution", ["Kept", "Rows", "Sign", "Words"]),
        ("run other.yaml -p no:attribution -n 1", ["Kept", "Kept", "Rows", "Rows", "Sign", "Sign", "Words", "Words"]),
        ("doctor --model sign --data numbers", ["Rows", "Sign"]),
        ("perturb other --data numbers", ["Rows", "Same"]),
        ("list other.yaml", ["Kept", "Rows", "Sign", "Words"]),
    ],
)
def test_workers_an_attribution_and_other_commands_close_what_they_opened(
    robustfim: CommandLine, command: str, closed: list[str]
) -> None:
    robustfim.write("opened.py", OPENED)
    robustfim.suite(CLOSED, model="sign", data="numbers", rest="one_label: true\nattribution: true")
    robustfim(f"{command} -p opened.py")
    assert sorted(robustfim.read("closed.txt").split()) == closed


def test_what_a_context_of_a_script_opened_is_closed_with_it(robustfim: CommandLine) -> None:
    robustfim.write("opened.py", OPENED)
    context = api.context({"use": "sign"}, {"use": "numbers"}, plugins=["opened.py"])
    assert not Path("closed.txt").exists()
    assert len(context.predict(list(context.examples))) == 4
    del context
    gc.collect()
    assert sorted(Path("closed.txt").read_text("utf-8").split()) == ["Rows", "Sign"]


@pytest.mark.slow
def test_what_a_script_opened_stays_open(robustfim: CommandLine) -> None:
    robustfim.write("opened.py", OPENED)
    robustfim.suite(CLOSED, data="numbers", rest="one_label: true")
    script = 'import robustfim, opened\nrobustfim.run("other.yaml", model=opened.Sign(), plugins=["opened.py"])\n'
    subprocess.run([sys.executable, "-c", script], cwd=robustfim.folder, check=True, timeout=120, capture_output=True,
                   env={**os.environ, "PYTHONPATH": os.pathsep.join(["", *sys.path])})  # fmt: skip
    assert sorted(robustfim.read("closed.txt").split()) == ["Kept", "Rows"]
