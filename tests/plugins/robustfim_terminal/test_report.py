"""What a terminal shows while a run goes on."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from robustfim.run_options import RunOptions
from robustfim.session.open import open_session
from robustfim.terminal.series import run_session
from tests.present import present
from tests.robustfim.command_line import CommandLine
from tests.robustfim.terminal.test_console import Screen


def on_a_screen(suite: str, width: int = 80, verbosity: int = 0) -> str:
    """Everything a terminal of such a width was sent during a run."""
    console = Console(file=Screen(), width=width, force_terminal=True, color_system=None, highlight=False)
    session = open_session(Path(suite), options=RunOptions(verbosity=verbosity))
    run_session(session, console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def lasting(text: str) -> list[str]:
    """The lines that stay: without cursor movements, and without the progress bar that they take away."""
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "\r", text).replace("\n", "\n\r").split("\n")
    return [line.rstrip("\r").rpartition("\r")[2] for line in lines]


@pytest.mark.parametrize("width", [60, 80, 160])
def test_no_line_is_wider_than_the_screen(robustfim: CommandLine, width: int) -> None:
    suite = robustfim.suite(
        "{a-check-with-quite-a-long-name: {perturb: rename, limit: 0}, b: {perturb: {use: broken, how: raises}}}",
        rest="select: {by: long, difficult: 4, control: 4}",
    )
    command = re.compile(r"^    robustfim run ")
    for line in lasting(on_a_screen(suite, width)):
        assert len(line) <= width or command.match(line), line


def test_a_head_that_has_no_room_puts_the_change_below(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{x: {perturb: rename, limit: 0}}", rest="select: {by: long, difficult: 8, control: 0}")
    wide, narrow = lasting(on_a_screen(suite, 100)), lasting(on_a_screen(suite, 50))
    (head,) = [line for line in wide if line.endswith("(difficult, gold positive)  positive 0.62 → negative 0.62")]
    at = narrow.index(head.partition("  ")[0])
    assert narrow[at + 1] == "    positive 0.62 → negative 0.62"
    assert narrow[at + 2] == "    a [-good-]{+solid+} film with a dull end"


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("name", ["both", "a_name_of_some_length"])
def test_no_rate_limit_or_caveat_of_a_check_is_cut(robustfim: CommandLine, width: int, name: str) -> None:
    suite = robustfim.suite(f"{{{name}: {{perturb: {{use: rename, words: 2}}, limit: 0}}}}")
    lines = lasting(on_a_screen(suite, width))
    (at,) = [index for index, line in enumerate(lines) if line.startswith(f"{name}  FAILED ")]
    words = " ".join(" ".join(lines[at : at + 3]).replace("[100%]", "").split())
    assert words.startswith(f"{name} FAILED 40 % [11.8, 76.9] of 5")
    assert "limit 0 % of the tested texts alone" in words
    assert "…" not in lines[at]


def test_a_check_is_open_while_a_run_goes_on_and_has_its_outcome_in_the_end(robustfim: CommandLine) -> None:
    lines = robustfim("run toy.yaml").out.splitlines()
    assert [line.split()[1] for line in lines if line.endswith("%]")] == ["INCONCLUSIVE", "FAILED", "PASSED"]
    assert "INCONCLUSIVE toy.yaml::rename" in "\n".join(lines)
    assert "OPEN" not in "\n".join(lines[lines.index("") + 4 :])


def test_verbose_accounts_for_the_candidates_of_each_check(robustfim: CommandLine) -> None:
    lines = robustfim("run toy.yaml -v").out.splitlines()
    (at,) = [index for index, line in enumerate(lines) if line.startswith("rename  INCONCLUSIVE ")]
    counts = robustfim.record().checks[0].candidates
    assert lines[at + 1] == (
        f"    {counts.proposed} candidates of {counts.edits} edits; {counts.tested} tested, {counts.failed} failed"
    )


def test_what_the_model_could_not_read_is_told_at_the_end(robustfim: CommandLine) -> None:
    shown = robustfim("run toy.yaml --model nan_on=awful").out
    assert "left out: 2 examples, since the model gave no finite numbers" in shown
    robustfim.write("toy.py", Path("toy.py").read_text(encoding="utf-8").replace(
        "    def _row(", "    def window(self, examples):\n"
        "        return [[('text', 0, 20)] if len(e.text) > 20 else None for e in examples]\n\n"
        "    def _row(", 1,
    ))  # fmt: skip
    shown = robustfim("run toy.yaml").out
    window = present(robustfim.record().data.window)
    assert window.partly == 4
    assert "of 4 examples the model reads a part only" in shown


def test_the_header_says_what_runs(robustfim: CommandLine) -> None:
    head = robustfim("run toy.yaml --seed 9 --model batch_size=4").out.splitlines()
    assert re.fullmatch(r"robustfim \d+\.\d+\.\d+, seed 9", head[1])
    assert head[2] == "suite: toy.yaml"
    assert head[3] == "model: wordsum (batch_size=4); data: films"
    plugins = head[4 : head.index("collected 8 examples and 3 checks")]
    assert re.fullmatch(r"plugins: .*\btoy\b.*", " ".join(plugins))
    assert max(map(len, plugins)) <= 100
    assert head[4 + len(plugins) + 1] == "accuracy: 100 % [67.6, 100.0] on unperturbed examples"


@pytest.mark.parametrize(("score", "way"), [("margin", "up"), ("entropy", "down")])
def test_the_end_of_the_difficult_arm_is_its_highest_margin_and_its_lowest_entropy(
    robustfim: CommandLine, score: str, way: str
) -> None:
    suite = f"""\
suite: arms
model: reference/fasttext
data: {{use: reviews, limit: 40}}
select: {{by: {score}, difficult: 5, control: 5}}
checks: {{typos: {{perturb: typos}}}}
"""
    Path("arms.yaml").write_text(suite, encoding="utf-8")
    shown = robustfim("run arms.yaml").out
    record = robustfim.record("arms")
    end, others = (
        record.selection.threshold,
        [example.scores[score] for example in record.examples if example.arm == "difficult"],
    )
    assert end == (max if way == "up" else min)(each for each in others if each is not None)
    right = sum(bool(example.correct) for example in record.examples if example.arm == "difficult")
    assert f"5 difficult by {score} ({way} to {end:.3g}), {right} of them right, 5 control" in shown


def test_quiet_shows_a_letter_a_check_and_the_end(robustfim: CommandLine) -> None:
    lines = robustfim("run toy.yaml -q").out.splitlines()
    assert lines[0] == "IFP"
    assert "short test summary info" in lines[1]
    assert [line.partition(" - ")[0] for line in lines[2:-1] if not line.startswith("    ")] == [
        "INCONCLUSIVE toy.yaml::rename",
        "FAILED toy.yaml::both",
        "PASSED toy.yaml::calm",
    ]
    assert lines[-1].strip("= ").startswith("1 failed, 1 inconclusive, 1 passed (1 not seen by the model) in")


def test_a_slice_without_a_tested_example_has_no_rate(robustfim: CommandLine) -> None:
    suite = robustfim.suite("{r: {perturb: rename, limit: 0.9}}", rest="slices: {z: {contains: [zebra], limit: 0.5}}")
    lines = lasting(on_a_screen(suite, width=160))
    assert any(re.match(r"r  INCONCLUSIVE .*limit 90 %, slice z 50 %  slice z –", line) for line in lines), lines
