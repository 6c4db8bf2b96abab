from __future__ import annotations

import os
import sys
from hashlib import sha256
from pathlib import Path

import pytest
import yaml

from robustfim_sears.rule.file import read_rules
from tests.robustfim.command_line import CommandLine, refused

PLUGIN = '''
import re
from robustfim import Example, hookimpl
from robustfim.contract import ParaphraserContract
from robustfim.roles import Paraphrase, TaggedToken

TEXTS = ["a good film", "the good plot", "it is good", "a good end", "fine film", "a fine end", "bad film", "a bad end"]


class Texts:
    def load(self):
        return [Example({"text": text}, "negative" if "bad" in text else "positive") for text in TEXTS]


class Decent:
    """Says decent for good, and tolerable for fine.

    Args:
        score: The score of each.
        offline: Unused.
    """

    contract = ParaphraserContract(score="decent", tau=0.5)

    def resources(self) -> dict[str, str]:
        return {"words": "decent 1"}

    def __init__(self, score: float = 0.9, offline: bool = False):
        self._score, self.offline = score, offline

    def made(self, text):
        return [text.replace(a, b, 1) for a, b in (("good", "decent"), ("fine", "tolerable")) if a in text]

    def paraphrase(self, texts, *, seed):
        return [[Paraphrase(each, self._score) for each in self.made(text)] for text in texts]

    def score(self, texts, candidates):
        return [self._score if made in self.made(text) else 0.0 for text, made in zip(texts, candidates)]


class Tags:
    def tag(self, texts):
        return [[TaggedToken(w[0], w.start(), w.end()) for w in re.finditer(r"\\w+", text)] for text in texts]


class Good:
    labels, fingerprint = ("negative", "positive"), "good-1"

    def predict(self, examples):
        return [[0.1, 0.9] if re.search("good|fine", each.text) else [0.8, 0.2] for each in examples]


@hookimpl
def robustfim_offers():
    return {
        "models": {"good": Good},
        "data": {"texts": Texts},
        "paraphrasers": {"decent": Decent},
        "services": {"tagger": Tags},
    }
'''
IDENTITY = f"{sha256(PLUGIN.encode()).hexdigest()[:8]}, decent 1"
"""The plugin file's hash, and the paraphraser's own resource."""
SUITE = """\
suite: mined
seed: 5
plugins: [decent.py]
model: good
data: texts
checks: {own: {perturb: {use: rules, path: rules.yaml}, limit: 0}}
"""


@pytest.fixture
def robustfim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    line = CommandLine(tmp_path, capsys)
    line.write("decent.py", PLUGIN)
    line.write("mined.yaml", SUITE)
    return line


def test_a_suite_with_several_models_is_refused_until_one_is_named(robustfim: CommandLine) -> None:
    robustfim.write("two.yaml", SUITE.replace("model: good", "models: [good, {use: good}]"))
    shown = robustfim("mine two.yaml --paraphraser decent --no-store")
    assert shown.code == 4
    assert "two.yaml names several models, good, good, and one is asked here: add --model NAME." in shown.err
    assert robustfim("mine two.yaml --paraphraser decent --no-store --model good").code == 0


def test_rules_are_printed_and_written_and_run_by_the_suite(robustfim: CommandLine) -> None:
    shown = robustfim("mine mined.yaml --paraphraser decent --no-store")
    assert shown.code == 0, shown
    assert "8 texts; 6 paraphrases, 2 texts without; left out: 0 the same text, 0 below τ = 0.5" in shown.out
    assert (
        "1. good → decent\n"
        "   no text tells that did not choose it\n"
        "   chosen for 4 flips of 4 texts; 4 of 4 scored mean the same\n"
        "   positive 0.90 → negative 0.80\n"
    ) in shown.out
    assert "[-good-]{+decent+}" in shown.out
    assert "together: 6 of 8 texts flip under at least one rule\nwrote rules.yaml\n" in shown.out
    assert [rule.text for rule in read_rules(Path("rules.yaml"))] == ["good → decent", "fine → tolerable"]
    provenance = yaml.safe_load(Path("rules.yaml").read_text(encoding="utf-8"))["mined"]
    assert provenance["model"] == {"use": "good", "fingerprint": "good-1"}
    assert provenance["paraphraser"] == {"use": "decent", "identity": IDENTITY}
    assert (provenance["suite"], provenance["seed"], provenance["score"]) == ("mined", 5, "decent")
    assert provenance["data"]["sampled"] == 8
    run = robustfim("run mined.yaml --no-store")
    assert run.code == 1
    check = robustfim.record("mined").checks[0]
    assert (check.tested, check.failing) == (6, 6)
    origins = {edit.origin for failure in robustfim.record("mined").failures for edit in failure.edits}
    assert origins == {"good → decent", "fine → tolerable"}


def test_the_same_command_gives_the_same_file_and_sends_nothing_again(robustfim: CommandLine) -> None:
    robustfim("mine mined.yaml --paraphraser decent --out one/rules.yaml")
    shown = robustfim("mine mined.yaml --paraphraser decent --out two/rules.yaml --max-calls 1")
    assert shown.code == 0, shown
    assert Path("one/rules.yaml").read_bytes() == Path("two/rules.yaml").read_bytes()


def test_options_reach_what_they_are_for(robustfim: CommandLine) -> None:
    words = (
        "--paraphraser decent --paraphraser score=0.8 --rules 1 --tau 0.7 --delta 0.2 --seed 9 --offline --examples 7"
    )
    shown = robustfim(f"mine mined.yaml {words} --field text --no-store")
    assert shown.code == 0, shown
    content = yaml.safe_load(Path("rules.yaml").read_text(encoding="utf-8"))
    assert len(content["rules"]) == 1
    assert (content["mined"]["tau"], content["mined"]["delta"], content["mined"]["seed"]) == (0.7, 0.2, 9)
    assert content["mined"]["paraphraser"] == {"use": "decent", "score": 0.8, "offline": True, "identity": IDENTITY}
    assert content["mined"]["data"]["sampled"] == 7


def test_without_a_rule_nothing_is_written_and_the_reason_is_told(robustfim: CommandLine) -> None:
    shown = robustfim("mine mined.yaml --paraphraser decent --min-flips 5 --no-store")
    assert shown.code == 1
    assert "No rule flips enough texts. Try more examples, or a lower --min-flips." in shown.out
    shown = robustfim("mine mined.yaml --paraphraser decent --tau 0.95 --no-store")
    assert "No rule: no paraphrase changes the label." in shown.out
    assert not Path("rules.yaml").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--paraphraser decnet", "unknown paraphraser 'decnet'. Did you mean 'decent'?"),
        ("--paraphraser decent --paraphraser scroe=1", "scroe=1: unknown option 'scroe'. Did you mean 'score'?"),
        ("--paraphraser decent --paraphraser score=high", "score=high: option 'score': input should be"),
        ("--paraphraser decent --field question", "there is no field 'question'; the examples have text."),
        ("--paraphraser decent --review", "--review asks on the terminal, which this is not."),
        ("--paraphraser decent --model use=god", "unknown model 'god'. Did you mean 'good'?"),
        ("--paraphraser decent -o seed=soon", "the seed must be a whole number, not 'soon'."),
        (
            "--paraphraser decent -o data=null",
            "mining needs a model and data, and the suite has no 'data'. Name it with --data use=",
        ),
        ("--tau 2", "2.0 is not in the range"),
        ("--paraphraser decent --max-calls 3 --no-store", "--max-calls 3 is used up"),
    ],
)
def test_a_mistake_is_told_with_the_way_out(robustfim: CommandLine, words: str, message: str) -> None:
    shown = robustfim(f"mine mined.yaml {words}")
    assert shown.code != 0
    assert message in shown.err
    assert "Traceback" not in shown.err
    assert not Path("rules.yaml").exists()


def test_a_file_that_is_there_is_not_overwritten_unless_that_is_asked_for(robustfim: CommandLine) -> None:
    robustfim.write("rules.yaml", "- my -> own\n")
    refused(robustfim("mine mined.yaml --paraphraser decent"), "rules.yaml exists already", "--force")
    assert Path("rules.yaml").read_text() == "- my -> own\n"
    assert robustfim("mine mined.yaml --paraphraser decent --force --no-store").code == 0
    assert len(read_rules(Path("rules.yaml"))) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(("answers", "kept", "code"), [(b"n\ny\n", ["fine → tolerable"], 0), (b"q\n", [], 1)])
def test_a_review_asks_on_the_terminal(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch, answers: bytes, kept: list[str], code: int
) -> None:
    keyboard, terminal = os.openpty()
    os.write(keyboard, answers)
    with os.fdopen(terminal, encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        shown = robustfim("mine mined.yaml --paraphraser decent --no-store --review --rules 1")
    os.close(keyboard)
    assert shown.code == code, shown
    assert "accept? [y/n/e/b/q]" in shown.out
    assert "good → decent" in shown.out
    assert f"{len(kept)} accepted" in shown.out
    assert Path("rules.yaml").exists() == bool(kept)
    if kept:
        assert [rule.text for rule in read_rules(Path("rules.yaml"))] == kept


def test_what_was_mined_is_shown_as_a_page(robustfim: CommandLine) -> None:
    shown = robustfim("mine mined.yaml --paraphraser decent --no-store --html all/rules.html")
    assert shown.code == 0, shown
    assert [line for line in shown.out.splitlines() if line.startswith("wrote")] == [
        f"wrote {name}" for name in ("all/rules.html", "rules.yaml")
    ]
    page = Path("all/rules.html").read_text(encoding="utf-8")
    assert "suite mined · model good · data texts · seed 5" in page
    assert "6 of 8 texts flip under at least one rule" in page
    robustfim.write("file", "")
    refused(
        robustfim("mine mined.yaml --paraphraser decent --no-store --force --html file/mined.html"), "file/mined.html"
    )
