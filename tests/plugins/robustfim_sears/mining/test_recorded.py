"""The causes of a run that replace words are rules in the format of mined ones, and repeat what the run found."""

from __future__ import annotations

import pytest
import yaml

from robustfim.record import CauseRecord, Record
from robustfim.statistics import Rate
from robustfim_sears.mining.recorded import recorded_rules
from robustfim_sears.rule.file import read_rules
from tests.robustfim.command_line import CommandLine
from tests.robustfim.conftest import robustfim
from tests.robustfim.record.test_format import record

__all__ = ["robustfim"]

PLUGIN = """\
import re
from robustfim import Example, hookimpl
from robustfim.roles import TaggedToken

WORDS = ["day", "night", "man", "woman", "house", "road", "war", "love"]

class Texts:
    def load(self):
        films = [Example({"text": f"a film about {one} and {two}"}, "positive") for one in WORDS for two in WORDS]
        return films + [Example({"text": f"the cast is {one} or {two}"}, "positive") for one in WORDS for two in WORDS]

class Prefers:
    labels, fingerprint = ("negative", "positive"), "prefers-1"
    def predict(self, examples):
        return [[0.9, 0.1] if "movie" in each.text else [0.2, 0.8] for each in examples]

class Tags:
    def tag(self, texts):
        return [[TaggedToken(w[0], w.start(), w.end()) for w in re.finditer(r"\\w+", text)] for text in texts]

@hookimpl
def robustfim_offers():
    return {"models": {"prefers": Prefers}, "data": {"texts": Texts}, "services": {"tagger": Tags}}
"""
SUITE = """\
suite: films
plugins: [toy.py, prefers.py]
model: prefers
data: texts
checks:
  words: {perturb: {use: rename, table: {film: movie, cast: actors}}, limit: 0.1}
  rules: {perturb: {use: rules, path: rules.yaml}, limit: 0.1}
"""


def test_the_command_that_a_run_prints_writes_rules_that_repeat_its_cause(robustfim: CommandLine) -> None:
    robustfim.write("prefers.py", PLUGIN)
    robustfim.write("films.yaml", SUITE)
    robustfim.write("rules.yaml", "- cast -> crew\n")
    shown = robustfim("run films.yaml::words").unbroken
    command = "mine reports/films.partial/results.json --out rules.yaml"
    assert f"robustfim {command}" in shown
    assert "exists already" in robustfim(command).err
    mined = robustfim(f"{command} --force")
    (cause,) = Record.load(robustfim.folder / "reports" / "films.partial").causes
    assert (mined.code, mined.out.splitlines()) == (0, [cause.sentence, "wrote rules.yaml"])
    assert cause.pair == ("film", "movie")
    (rule,) = yaml.safe_load(robustfim.read("rules.yaml"))["rules"]
    assert (rule["rule"], rule["flips"], rule["support"]) == ("film → movie", cause.inside.count, cause.inside.tested)
    assert [example["after"] for example in rule["examples"]] == [
        example["before"].replace("film", "movie") for example in rule["examples"]
    ]
    assert [read_rule.text for read_rule in read_rules(robustfim.folder / "rules.yaml")] == ["film → movie"]
    robustfim("run films.yaml::rules")
    (check,) = Record.load(robustfim.folder / "reports" / "films.partial").checks
    assert (check.failing, check.tested) == (64, 64)


@pytest.mark.parametrize(
    ("edit", "where", "rule"),
    [
        ('"film" -> "movie"', "", "film → movie"),
        ('"film" -> "movie"', 'after "the"', "the film → the movie"),
        ('"a lot" -> "much"', 'before "of"', "a lot of → much of"),
        ('"film" -> "movie"', "where the answer was positive", "film → movie"),
        ('"film" -> …', "", None),
        ("`’` for `'`", 'in "n\'t"', None),
        ('+ "Sorry for any typos."', "", None),
        ('"a -> b" -> "c"', "", None),
    ],
)
def test_only_causes_that_replace_words_are_rules(edit: str, where: str, rule: str | None) -> None:
    cause = CauseRecord(check="s::a", edit=edit, where=where, inside=Rate(6, 28), elsewhere=Rate(0, 470), p_value=0.001)
    found = [entry["rule"] for _, entry in recorded_rules(record(causes=[cause]))]
    assert found == [rule] * (rule is not None)
