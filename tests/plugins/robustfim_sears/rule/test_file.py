from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from robustfim.candidate import Candidate, Edit
from robustfim.errors import UsageError
from robustfim.statistics import Rate, wilson
from robustfim_sears.mining.equivalence import Share
from robustfim_sears.mining.mined import Flip, MinedRule
from robustfim_sears.rule.file import read_rules, write_rules
from tests.plugins.robustfim_sears.small import rule
from tests.robustfim.toys import example, prediction


def mined(text: str, before: str, edit: Edit) -> MinedRule:
    flip = Flip(0, Candidate(example(before), (edit,)), 0.9, prediction("good"), prediction("bad"))
    return MinedRule(rule(text), 12, (flip,) * 3, Share(11, 12), rate=Rate(2, 9))


RULES = [
    mined("what NOUN → which NOUN", "What film?", Edit("text", 0, 4, "What", "Which")),
    mined("? → ??", "naïve 🙂 \ud83d: 'x' # \u0085?", Edit("text", 18, 19, "?", "??")),
]


def test_what_is_written_is_read_again_and_says_where_it_comes_from(tmp_path: Path) -> None:
    path = write_rules(
        tmp_path / "new" / "mine.yaml",
        [mined_rule.entry for mined_rule in RULES],
        {"seed": 3, "model": {"fingerprint": "abc"}},
    )
    assert read_rules(path) == tuple(mined_rule.rule for mined_rule in RULES)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# Rules that change a text")
    assert "path: mine.yaml}" in text
    content = yaml.safe_load(text)
    assert (content["version"], content["mined"]) == (1, {"seed": 3, "model": {"fingerprint": "abc"}})
    low, high = wilson(2, 9) or (0, 0)
    assert content["rules"][0] == {
        "rule": "what NOUN → which NOUN",
        "flips": 2,
        "support": 9,
        "rate": 0.2222,
        "interval": [round(low, 4), round(high, 4)],
        "chosen by": [3, 12],
        "equivalent": [11, 12],
        "examples": [{"before": "What film?", "after": "Which film?", "labels": "positive → negative"}] * 2,
    }
    assert content["rules"][1]["examples"][0]["before"] == "naïve 🙂 \ud83d: 'x' # \u0085?"


def test_a_file_that_was_edited_by_hand_is_read(tmp_path: Path) -> None:
    path = write_rules(tmp_path / "rules.yaml", [mined_rule.entry for mined_rule in RULES], {})
    text = path.read_text(encoding="utf-8").replace(
        "rules:\n", "rules:\n- movie -> film\n- {rule: a -> b, note: mine}\n"
    )
    path.write_text(text, encoding="utf-8")
    assert [read_rule.text for read_rule in read_rules(path)[:3]] == ["movie → film", "a → b", "what NOUN → which NOUN"]


def test_a_file_holds_texts_and_notes(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text("- movie -> film\n- {rule: film -> movie, note: the other way}\n", encoding="utf-8")
    assert [read_rule.text for read_rule in read_rules(path)] == ["movie → film", "film → movie"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("- movie -> film\n- movie\n", r"rules\.yaml:2: 'movie' is not a rule. The form is"),
        ("- movie -> film\n-\n  - a\n", r"rules\.yaml:3: a list is not a rule"),
        ("- note: x\n", r"rules\.yaml:1: the key 'rule' is missing"),
        ("- a -> b\n- {rul: a -> b}\n", r"^[^ ]*rules\.yaml:2: unknown key 'rul'. Did you mean 'rule'"),
        ("movie: film\n", r"rules\.yaml:1: unknown key 'movie'. Did you mean 'mined'\? Known: version, mined, rules"),
        ("rules: [a -> b]\n", "has 'version: 1', or is a list"),
        ("version: one\nrules: [a -> b]\n", "has 'version: 1', or is a list"),
        ("version: 2\nrules: [a -> b]\n", "has version 2; this robustfim reads up to 1: upgrade it"),
        ("version: 1\n", "not a list of rules"),
        (
            "version: 1\nrules:\n- what NUON -> x\n",
            r"rules\.yaml:3: .*unknown part of speech 'NUON'",
        ),
        ("", "not a list of rules"),
        ("[]", "not a list of rules"),
        ("- movie -> film\n- [", r"rules\.yaml:2: no YAML: "),
        ("- a -> b\n- 'x -> y\n", r"rules\.yaml:\d: no YAML: "),
        ("- !!python/object/apply:os.system [ls]\n", r"rules\.yaml:1: a list is not a rule"),
    ],
)
def test_a_file_that_is_no_list_of_rules_is_refused_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        read_rules(path)


def test_a_file_that_is_no_text_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_bytes(b"- movie -> film\n- caf\xe9 -> bar\n")
    with pytest.raises(UsageError, match=r"rules\.yaml:2: not UTF-8"):
        read_rules(tmp_path / "rules.yaml")


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(UsageError, match=r"taken/rules\.yaml cannot be written"):
        write_rules(tmp_path / "taken" / "rules.yaml", [mined_rule.entry for mined_rule in RULES], {})
