"""Every command looks at what it needs before it reads the data or asks the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.robustfim.command_line import CommandLine, refused

PLUGIN = """\
from pathlib import Path

from robustfim.contract import ScoreContract
from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.hookspecs import hookimpl

LOG = Path("calls.txt")


def note(word):
    with LOG.open("a") as file:
        file.write(word + " ")


class Plain:
    labels = ("bad", "good")
    fingerprint = "plain"

    def predict(self, examples):
        note("asked")
        return [[0.4, 0.6] if len(each.text) % 2 else [0.6, 0.4] for each in examples]


class Counted:
    def __init__(self, gold: bool = True):
        self.gold = gold

    def load(self):
        note("read")
        for place in range(40):
            label = ("bad", "good")[place % 2] if self.gold else None
            yield Example({"text": f"film number {place}" + "!" * (place % 3)}, label)


class Late:
    contract = ScoreContract(hardest="highest")

    def prepare(self, context):
        raise ModelError("the model has no window")

    def score(self, examples, context):
        note("scored")


class Steep:
    contract = ScoreContract(hardest="highest", gradients=1)

    def score(self, examples, context):
        return [point.lambda_max for point in context.geometry.at(examples)]


@hookimpl
def robustfim_offers():
    return {"models": {"plain": Plain}, "data": {"counted": Counted}, "scorers": {"late": Late, "steep": Steep}}
"""
SUITE = """\
suite: s
plugins: [counting.py]
model: plain
data: {use: counted}
select: {difficult: 0, control: 20}
checks:
  typos: {perturb: {use: typos, candidates: 2}, limit: 0.5}
"""


@pytest.fixture
def line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    line = CommandLine(tmp_path, capsys)
    line.write("counting.py", PLUGIN)
    line.write("plain.yaml", SUITE)
    for name, select in {
        "arms": "{by: fisher, difficult: 5, control: 5}",
        "strata": "{by: fisher, examples: 60}",
        "best": "{by: best, difficult: 5, control: 5}\nscores: [fisher, boundary]",
    }.items():
        line.write(f"{name}.yaml", SUITE.replace("{difficult: 0, control: 20}", select))
    return line


OUTPUTS = """\
mine plain.yaml --html blocked/x.html
mine plain.yaml --out blocked/rules.yaml
plan plain.yaml --html blocked/x.html
scan -p counting.py --model plain --data use=counted --write blocked/x.yaml
scan -p counting.py --model plain --data use=counted --reports blocked/x
augment -p counting.py --data use=counted --perturb typos --out blocked/x.csv
finetune base -p counting.py --data use=counted --dev use=counted --out blocked/m
train cnn --data plain.yaml --dev plain.yaml --out blocked/m
cues table counted -p counting.py --html blocked/x.html
cues split counted -p counting.py --out blocked/x.jsonl
perturb typos -p counting.py --data use=counted --html blocked/x.html
perturb typos -p counting.py --data use=counted --csv blocked/x.csv
study cues -p counting.py --data use=counted --keep blocked/x
study cues -p counting.py --data use=counted --reports blocked/x
study sears -p counting.py --train use=counted --dev use=counted --trainer reference/fasttext --keep blocked/x
study contrast plain.yaml --pair id --score margin --reports blocked/x
study accuracy plain.yaml --by margin --reports blocked/x
study scorers plain.yaml --reports blocked/x
run plain.yaml --reports blocked/x
run plain.yaml --html blocked/x.html
run plain.yaml --junit-xml blocked/x.xml
lock plain.yaml --to blocked/x.json
score -p counting.py --model plain --data use=counted --by margin --out blocked/x.csv
explore plain.yaml --review blocked/x.json
export results.json --failing --out blocked/x
export results.json --failing --out blocked/x.yaml
review results.json --file blocked/x.json
compare results.json results.json --json blocked/x.json
compare results.json results.json --html blocked/x.html
""".splitlines()


def calls(line: CommandLine) -> str:
    path = line.folder / "calls.txt"
    return path.read_text(encoding="utf-8") if path.exists() else ""


NO_ARM = "difficult arm cannot be selected by 'fisher': Plain has no gradients"
NO_SCORE = "the score 'fisher': Plain has no gradients"


@pytest.mark.parametrize(
    ("command", "reason", "code"),
    [
        ("run arms.yaml", NO_ARM, 4),
        ("run strata.yaml", "strata cannot be made by 'fisher': Plain has no gradients", 4),
        ("run best.yaml", NO_ARM, 4),
        ("run arms.yaml -p no:fisher -o select.by=steep", "no loaded plugin computes gradients", 4),
        ("lock arms.yaml", NO_ARM, 4),
        ("score -p counting.py --model plain --data use=counted --by fisher", NO_SCORE, 4),
        ("study resilience plain.yaml", NO_SCORE, 1),
        ("study accuracy plain.yaml", NO_SCORE, 1),
        ("study contrast plain.yaml --pair id", NO_SCORE, 1),
        ("study agreement plain.yaml --against plain", NO_SCORE, 1),
        (
            "finetune missing -p counting.py --data use=counted --dev use=counted --out m --offline",
            "no folder missing",
            4,
        ),
    ],
)
def test_nothing_is_read_before_a_refusal(line: CommandLine, command: str, reason: str, code: int) -> None:
    shown = line(command)
    assert calls(line) == "", shown
    refused(shown, reason, code=code)


@pytest.mark.parametrize("command", OUTPUTS)
def test_an_output_that_cannot_be_written_is_refused_first(line: CommandLine, command: str) -> None:
    line.write("blocked", "a file, no folder")
    shown = line(command)
    assert calls(line) == "", shown
    refused(shown, "blocked/", "cannot be")


def test_a_feared_rate_of_no_check_is_refused_before_the_pilot(line: CommandLine) -> None:
    shown = line("plan plain.yaml --rate typo=0.1")
    assert calls(line) == "", shown
    refused(shown, "--rate: the suite has no check 'typo'. Did you mean 'typos'?")


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("study accuracy plain.yaml --by margin --data gold=false", "needs gold labels"),
        (
            "run plain.yaml --data gold=false -o 'checks.typos.expect={use: invariant, counts: broken}'",
            "'counts: broken' needs gold labels, and no example has one",
        ),
        ("study contrast plain.yaml --pair missing --score margin", "no column 'missing'"),
        ("score -p counting.py --model plain --data use=counted --by late", "'late': the model has no window"),
    ],
)
def test_no_model_is_asked_before_the_data_are_refused(line: CommandLine, command: str, reason: str) -> None:
    shown = line(command)
    assert set(calls(line).split()) == {"read"}, shown
    refused(shown, reason)


@pytest.mark.parametrize(
    "command", ["run plain.yaml -o select.by=late -o select.difficult=5", "study accuracy plain.yaml --by late"]
)
def test_a_score_that_refuses_when_it_is_prepared_ends_before_the_checks(line: CommandLine, command: str) -> None:
    shown = line(command)
    assert calls(line).split() == ["read", "asked"], shown  # the examples as they are
    refused(shown, "'late'", "the model has no window", code=shown.code)


def test_a_suite_whose_needs_are_met_is_read_and_asked(line: CommandLine) -> None:
    shown = line("run plain.yaml")
    assert {"read", "asked"} <= set(calls(line).split()), shown
