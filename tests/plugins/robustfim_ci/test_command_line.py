"""``--junit-xml`` and ``--ci``, as typed; and what no report may hold."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import junitparser
import pytest

from tests.robustfim.command_line import CommandLine, refused

REPORTS = ("evidence", "github", "gitlab", "junit", "markdown", "sarif")


def written(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_junit_file_goes_where_the_option_says(robustfim: CommandLine) -> None:
    shown = robustfim("run toy.yaml --junit-xml deep/junit.xml")
    assert shown.code == 1
    assert f"wrote {Path('deep/junit.xml')}" in shown.out
    (suite,) = junitparser.JUnitXml.fromfile(str(robustfim.folder / "deep" / "junit.xml"))
    outcomes = {case.name: [type(final).__name__ for final in case.result] for case in suite}
    assert outcomes == {"rename": ["Error"], "both": ["Failure"], "calm": []}
    lines = robustfim.folder.joinpath("toy.yaml").read_text(encoding="utf-8").splitlines()
    for case in suite:
        assert lines[int(case._elem.get("line")) - 1].strip().startswith(f"{case.name}:")
    assert written(robustfim.folder / "reports" / "toy") == ["report.html", "results.json", "results.sqlite"]


def test_pytests_older_spelling_works_too(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml --junitxml=junit.xml")
    assert (robustfim.folder / "junit.xml").is_file()


def test_under_strict_an_inconclusive_check_is_a_failure(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml --strict --junit-xml junit.xml")
    (suite,) = junitparser.JUnitXml.fromfile(str(robustfim.folder / "junit.xml"))
    assert (suite.failures, suite.skipped) == (2, 0)


@pytest.mark.parametrize(
    ("variables", "files"),
    [
        ({}, ["junit.xml", "report.html", "results.json", "results.sqlite"]),
        ({"GITLAB_CI": "true"}, ["gl-code-quality.json", "junit.xml", "report.html", "results.json", "results.sqlite"]),
        (
            {"GITHUB_ACTIONS": "true"},
            ["annotations.txt", "comment.md", "report.html", "results.json", "results.sarif", "results.sqlite"],
        ),
    ],
)
def test_ci_adds_the_reports_of_the_ci_system(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], files: list[str]
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert robustfim("run toy.yaml --ci").code == 1
    assert written(robustfim.folder / "reports" / "toy") == files


def test_on_github_the_annotations_are_lines_of_the_log(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    shown = robustfim("run toy.yaml --ci -q")
    lines = [line for line in shown.out.splitlines() if line.startswith("::")]
    assert [line.partition("::")[2].partition("::")[0] for line in lines] == [
        "error file=toy.yaml,line=7,title=both%3A failed",
        "warning file=toy.yaml,line=6,title=rename%3A inconclusive",
        "stop-commands",
    ]
    summary = (robustfim.folder / "summary.md").read_text(encoding="utf-8")
    assert summary.startswith("\n### toy: 1 of 3 checks failed, 1 inconclusive, 1 passed (1 not seen by the model)\n")


def test_a_text_of_the_data_is_no_command_in_the_log(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    forged = "::error::forged, a good film with a dull end"
    robustfim.write(
        "forged.yaml",
        "suite: forged\nplugins: [toy.py]\nmodel: wordsum\n"
        f"data: {{use: films, rows: [['{forged}', positive]]}}\nchecks: {{rename: {{perturb: rename, limit: 0}}}}\n",
    )
    for _ in range(2):  # the second run in this process begins by letting commands be read again
        lines = robustfim("run forged.yaml --ci").out.splitlines()
        stop = next(number for number, line in enumerate(lines) if line.startswith("::stop-commands::"))
        word = lines[stop].removeprefix("::stop-commands::")
        assert len(word) == 32
        before, after = lines[:stop], lines[stop + 1 :]
        assert any("title=rename" in line for line in before)
        assert not any("::error::forged" in line.lstrip()[:20] for line in before)
        assert any("error" in line and "forged" in line for line in after)
        assert not any(line.lstrip().startswith("::error::forged") for line in after)
        assert f"::{word}::" not in after
    assert any(line.startswith("::") and line.endswith("::") and len(line) == 36 for line in before)


@pytest.mark.slow
def test_after_the_run_commands_are_read_again(robustfim: CommandLine) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "robustfim", "run", "toy.yaml", "--ci"],
        cwd=robustfim.folder,
        env={**os.environ, "GITHUB_ACTIONS": "true", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.splitlines()
    (stop,) = [line for line in lines if line.startswith("::stop-commands::")]
    assert lines[-1] == f"::{stop.removeprefix('::stop-commands::')}::"


def test_ci_leaves_the_suites_own_reports_as_they_are(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{calm: {perturb: rename}}", rest="reports: [markdown, {use: junit, path: own.xml}]")
    robustfim(f"run {suite} --ci")
    assert (robustfim.folder / "own.xml").is_file()
    assert written(robustfim.folder / "reports" / "other") == ["comment.md"]


def test_an_option_and_ci_do_not_ask_for_junit_twice(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml --ci --junit-xml one.xml")
    assert (robustfim.folder / "one.xml").is_file()
    assert written(robustfim.folder / "reports" / "toy") == ["report.html", "results.json", "results.sqlite"]


def test_without_the_plugin_the_options_say_so(robustfim: CommandLine) -> None:
    refused(robustfim("run toy.yaml --ci -p no:ci"), "--ci: no plugin knows which reports suit a CI system")
    refused(robustfim("run toy.yaml --junit-xml x.xml -p no:ci"), "--junit-xml")


def test_a_hook_that_names_an_unknown_report_is_told(robustfim: CommandLine) -> None:
    robustfim.write(
        "odd.py",
        "from robustfim import hookimpl\n\n@hookimpl\ndef robustfim_ci_reports():\n    return ['junitt']\n",
    )
    refused(robustfim("run toy.yaml --ci -p odd.py"), "--ci: unknown report 'junitt'. Did you mean 'junit'?")


@pytest.mark.parametrize("option", ["--junit-xml", "--html", "--json"])
def test_one_file_for_several_suites_is_refused(robustfim: CommandLine, option: str) -> None:
    other = robustfim.suite("{calm: {perturb: rename}}")
    refused(robustfim(f"run toy.yaml {other} {option} one.file"), option, "each of 2 suites", "reports")
    assert not (robustfim.folder / "one.file").exists()


def test_one_file_for_several_models_is_refused(robustfim: CommandLine) -> None:
    text = (robustfim.folder / "toy.yaml").read_text(encoding="utf-8")
    robustfim.write("two.yaml", text.replace("model: wordsum", "models: [wordsum, {use: wordsum, seconds: 0.001}]"))
    refused(robustfim("run two.yaml --junit-xml one.xml"), "--junit-xml names one file, and each of 2 models")
    assert robustfim("run two.yaml --ci").err == ""
    assert len(list((robustfim.folder / "reports").rglob("junit.xml"))) == 2


def test_a_report_that_cannot_be_written_has_its_exit_code_and_the_others_are_kept(robustfim: CommandLine) -> None:
    for name in ("full.html", "full.xml"):
        (robustfim.folder / name).symlink_to("/dev/full")
    shown = robustfim("run toy.yaml -o reports=[junit,json] --html full.html --junit-xml full.xml")
    assert shown.code == 4
    assert "ERROR: report 'html' cannot be written: " in shown.err
    assert "report 'junit' cannot be written: full.xml: " in shown.err
    assert "1 failed, 1 inconclusive, 1 passed" in shown.out
    assert written(robustfim.folder / "reports" / "toy") == ["results.json", "results.sqlite"]


def test_a_full_disk_has_its_message_and_exit_code(robustfim: CommandLine) -> None:
    # By a link, so that a mistake replaces the link and not a device of this machine.
    (robustfim.folder / "full.xml").symlink_to("/dev/full")
    shown = robustfim("run toy.yaml --junit-xml full.xml")
    refused(shown, "report 'junit' cannot be written: full.xml: No space left on device.")
    assert robustfim.outcomes() == {"rename": "inconclusive", "both": "failed", "calm": "passed"}


def test_no_report_holds_a_place_a_user_or_a_secret(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    secrets = {
        "HF_TOKEN": "hf_poisonedpoisonedpoisoned",
        "GITHUB_TOKEN": "ghs_poisonedpoisonedpoisoned",
        "CI_JOB_TOKEN": "glcbt-poisoned-poisoned",
        "MY_API_KEY": "poisoned key with blanks",
        "DB_PASSWORD": "poisoned-Pa55word",
    }
    for name, value in secrets.items():
        monkeypatch.setenv(name, value)
    home = tmp_path_factory.mktemp("home") / "poisoneduser"
    home.mkdir()
    for name in ("HOME", "USER", "LOGNAME", "USERNAME"):
        monkeypatch.setenv(name, str(home) if name == "HOME" else "poisoneduser")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(robustfim.folder / "reports" / "summary.md"))
    monkeypatch.setenv("GITHUB_WORKSPACE", str(robustfim.folder))
    robustfim.write(
        "leak.py",
        "import os\nfrom pathlib import Path\nfrom robustfim import SkipCheck, hookimpl\n\n"
        "class Leak:\n"
        "    def __init__(self, path: Path | None = None, token: str = '', skip: bool = False):\n"
        "        self.skip = skip\n\n"
        "    def prepare(self, context):\n"
        "        if self.skip:\n"
        "            raise SkipCheck(f'no words in {Path.home()}/words.txt with ' + os.environ['MY_API_KEY'])\n\n"
        "    def propose(self, example, random):\n"
        "        raise OSError(f'{Path.home()}/words.txt: denied for ' + os.environ['HF_TOKEN'])\n\n"
        "@hookimpl\ndef robustfim_offers():\n    return {'perturbations': {'leak': Leak}}\n",
    )
    robustfim.write(
        "leak.yaml",
        "suite: leak\nplugins: [toy.py, leak.py]\nmodel: wordsum\ndata: films\nchecks:\n"
        f"  broken: {{perturb: {{use: leak, path: {home}/words.txt, token: {secrets['GITHUB_TOKEN']}}}}}\n"
        "  skipped: {perturb: {use: leak, skip: true}}\n"
        "  both: {perturb: {use: rename, words: 2}, limit: 0}\n"
        f"reports: [{', '.join(REPORTS)}, json]\n",
    )
    shown = robustfim(
        f"run {robustfim.folder}/leak.yaml --model log={home}/model.log --data mistake={secrets['HF_TOKEN']}"
    )
    assert shown.code == 1, shown
    files = [path for path in (robustfim.folder / "reports").rglob("*") if path.is_file()]
    assert len(files) == len(REPORTS) + 3
    places = (str(robustfim.folder), str(home), str(Path(__file__).parents[3]))
    for file in files:
        text = file.read_text("utf-8", "replace")
        plain = json.dumps(json.loads(text), ensure_ascii=False) if text.startswith(("{", "[")) else text
        for private in (*secrets.values(), *places, "poisoned"):
            assert private not in plain, (file.name, private)
    assert "words.txt" in (robustfim.folder / "reports" / "leak" / "junit.xml").read_text(encoding="utf-8")
