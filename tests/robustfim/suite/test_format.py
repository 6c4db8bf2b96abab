# ruff: noqa: E501  # the tables below have one case a line
from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import Mistakes, SuiteError, UsageError
from robustfim.suite.file import SuiteFile, read_suite_file
from robustfim.suite.format import Suite, read_suite

Read = Callable[[str], Suite]

HEAD = "suite: toy\nmodel: m\ndata: d\n"
"""Three lines: what follows begins on line 4."""


def refused(suite: Read, text: str) -> SuiteError:
    with pytest.raises(SuiteError) as caught:
        suite(text)
    return caught.value


def mistakes(suite: Read, text: str) -> list[SuiteError]:
    error = refused(suite, text)
    assert isinstance(error, Mistakes)
    return [inner for inner in error.errors if isinstance(inner, SuiteError)]


# ---- what is understood -------------------------------------------------------------------------------


def test_the_smallest_suite_has_the_documented_defaults(suite: Read) -> None:
    read = suite(HEAD + "checks: {swap: {perturb: synonyms}}")
    assert (read.seed, read.plugins, read.scores, read.select) == (0, [], [], None)
    assert [report.use for report in read.reports] == ["json"]
    check = read.checks["swap"]
    assert check.perturb.use == "synonyms"
    assert (check.perturb.words, check.perturb.candidates, check.perturb.order.use) == (1, 8, "random")
    assert check.perturb.fields is None
    assert (check.constrain, check.expect.use, check.limit, check.marks) == ([], "invariant", None, [])
    assert (check.xfail, check.skip) == (None, None)


def test_a_name_stands_for_use_and_other_keys_are_options(suite: Read) -> None:
    read = suite(
        "suite: toy\nmodel: {use: python, call: 'pkg:fn'}\ndata: {use: csv, path: a.csv, text: review}\n"
        "scores: [fisher, {use: margin, top: 2}]\nchecks:\n  a:\n    perturb: {use: typos, words: 2, kinds: [swap]}\n"
        "    expect: {use: directional, tolerance: 0.2}\nreports: [html, {use: json, path: r.json}]"
    )
    assert read.model.options == {"call": "pkg:fn"}
    assert read.data is not None
    assert read.data.options == {"path": "a.csv", "text": "review"}
    assert [(score.use, score.options) for score in read.scores] == [("fisher", {}), ("margin", {"top": 2})]
    assert read.checks["a"].perturb.options == {"kinds": ["swap"]}
    assert read.checks["a"].expect.options == {"tolerance": 0.2}
    assert [report.use for report in read.reports] == ["html", "json"]


@pytest.mark.parametrize(
    ("written", "use", "options"),
    [
        ("same_length", "same_length", {}),
        ("{max_changed: 0.2}", "max_changed", {"limit": 0.2}),
        ("{max_changed: {share: 0.2}}", "max_changed", {"share": 0.2}),
        ("{use: max_changed}", "max_changed", {}),
        ("{use: max_changed, limit: 0.2}", "max_changed", {"limit": 0.2}),
    ],
)
def test_a_constraint_may_be_a_name_or_a_name_with_its_number(
    suite: Read, written: str, use: str, options: dict[str, Any]
) -> None:
    (constraint,) = suite(HEAD + f"checks: {{a: {{perturb: x, constrain: [{written}]}}}}").checks["a"].constrain
    assert (constraint.use, constraint.options) == (use, options)


@pytest.mark.parametrize(("words", "kind"), [("1", int), ("3", int), ("0.1", float), ("1.0", float), ("0.001", float)])
def test_words_is_a_count_or_a_share(suite: Read, words: str, kind: type) -> None:
    read = suite(HEAD + f"checks: {{a: {{perturb: {{use: x, words: {words}}}}}}}")
    assert type(read.checks["a"].perturb.words) is kind


@pytest.mark.parametrize(
    ("limit", "expected"),
    [("0", 0.0), ("1", 1.0), ("0.25", 0.25), ("{difficult: 0.3, control: 0}", {"difficult": 0.3, "control": 0.0})],
)
def test_a_limit_is_a_rate_or_one_for_each_arm(suite: Read, limit: str, expected: object) -> None:
    read = suite(HEAD + f"select: {{by: fisher}}\nchecks: {{a: {{perturb: x, limit: {limit}}}}}").checks["a"].limit
    assert read == expected
    assert type(read) is type(expected)


def test_names_may_hold_dots_and_dashes(suite: Read) -> None:
    read = suite("suite: a-b.c_2\nmodel: m\ndata: d\nchecks: {2nd-check.v1: {perturb: x}}")
    assert list(read.checks) == ["2nd-check.v1"]


def test_a_suite_cannot_be_changed_after_it_was_read(suite: Read) -> None:
    read = suite(HEAD + "checks: {swap: {perturb: synonyms}}")
    with pytest.raises(ValueError, match="frozen"):
        read.seed = 3


# ---- what is refused, with its line and a hint --------------------------------------------------------

CHECK = HEAD + "checks:\n  floaty:\n    perturb: x\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        # unknown keys, at each level; the check's name begins like a type's, which must not confuse the place
        (CHECK + "modell: x", 7, "unknown key 'modell'. Did you mean 'model'? Known: suite, seed, cluster, of, plugins, model,"),
        (CHECK + "select: {bye: fisher}", 7, "unknown key 'bye' in 'select'. Did you mean 'by'? Known: by, pilot, difficult, easiest, control, testable, examples."),
        (CHECK + "    limitt: 0.2", 7, "unknown key 'limitt' in 'checks.floaty'. Did you mean 'limit'? Known: perturb, constrain,"),
        ("suite: toy\nmodle: m\ndata: d\nchecks: {a: {perturb: x}}", 2, "unknown key 'modle'. Did you mean 'model'?"),
        # what is missing
        ("suite: toy\ndata: d\nchecks: {a: {perturb: x}}", 1, "the key 'model' is missing."),
        ("# nothing\nmodel: m\ndata: d\nchecks: {a: {perturb: x}}", 2, "the key 'suite' is missing."),
        ("suite: toy\nmodel: m\ndata: d", 1, "the key 'checks' is missing."),
        ("suite: toy\nmodel: {path: x}\ndata: d\nchecks: {a: {perturb: x}}", 2, "the key 'use' is missing in 'model'."),
        (HEAD + "checks:\n  a:\n    limit: 0.1", 5, "the key 'perturb' is missing in 'checks.a'."),
        (HEAD + "checks:\n  a:\n    perturb: {words: 2}", 6, "the key 'use' is missing in 'checks.a.perturb'."),
        (HEAD + "scores:\n  - fisher\n  - {top: 1}\nchecks: {a: {perturb: x}}", 6, "the key 'use' is missing in 'scores.1'."),
        (HEAD + "checks: {}", 4, "checks is empty: nothing would be tested."),
        # kinds
        (HEAD + "checks: [a]", 4, "checks must be a mapping of keys ('key: value', one a line), not ['a']."),
        (HEAD + "checks:\n  a: synonyms", 5, "checks.a must be a mapping of keys ('key: value', one a line), not 'synonyms'."),
        (HEAD + "checks:\n  a:", 5, "checks.a must be a mapping of keys ('key: value', one a line), not None."),
        ("suite: toy\nmodel: 3\ndata: d\nchecks: {a: {perturb: x}}", 2, "model must be a mapping of keys"),
        (CHECK + "scores: fisher", 7, "scores must be a list ('[first, second]'), not 'fisher'."),
        (CHECK + "plugins: shout.py", 7, "plugins must be a list ('[first, second]'), not 'shout.py'."),
        (CHECK + "plugins: [3]", 7, "plugins.0 must be a text, not 3; put it in quotes if it is one."),
        (CHECK + "select: 100", 7, "select must be a mapping of keys ('key: value', one a line), not 100."),
        (CHECK + "    constrain: same_length", 7, "checks.floaty.constrain must be a list ('[first, second]'), not 'same_length'."),
        (CHECK + "    marks: [3]", 7, "checks.floaty.marks.0 must be a text, not 3; put it in quotes if it is one."),
        (CHECK + "    xfail: true", 7, "checks.floaty.xfail: True is no reason; say in words why the check is known to fail."),
        (CHECK + "    skip: 12", 7, "checks.floaty.skip must be a text, not 12; put it in quotes if it is one."),
        ("suite: 2024\nmodel: m\ndata: d\nchecks: {a: {perturb: x}}", 1, "suite must be a text, not 2024; put it in quotes if it is one."),
        ("suite: 2024-01-31\nmodel: m\ndata: d\nchecks: {a: {perturb: x}}", 1, "suite must be a text, not datetime.date(2024, 1, 31); put it in quotes if it is one."),
        (CHECK + "seed: x", 7, "seed: input should be a valid integer, not 'x'."),
        (CHECK + "seed: 1.5", 7, "seed: input should be a valid integer, not 1.5."),
        (CHECK + "seed: true", 7, "seed: input should be a valid integer, not True."),
        (CHECK + "select: {difficult: yes}", 7, "select.difficult: input should be a valid integer, not True."),
        (CHECK + "select: {control: -1}", 7, "select.control: input should be greater than or equal to 0, not -1."),
        # numbers
        (HEAD + "checks:\n  a:\n    perturb: {use: x, words: 0}", 6, "checks.a.perturb.words: 0 is neither a count of words, 1 or more (2), nor a share of them, up to 1.0 (0.1), nor"),
        (HEAD + "checks:\n  a:\n    perturb: {use: x, words: -2}", 6, "checks.a.perturb.words: -2 is neither a count"),
        (HEAD + "checks:\n  a:\n    perturb: {use: x, words: 1.5}", 6, "checks.a.perturb.words: 1.5 is neither a count"),
        (HEAD + "checks:\n  a:\n    perturb: {use: x, words: 0.0}", 6, "checks.a.perturb.words: 0.0 is neither a count"),
        (HEAD + "checks:\n  a:\n    perturb: {use: x, words: .nan}", 6, "checks.a.perturb.words: nan is neither a count"),
        (HEAD + "checks:\n  a:\n    perturb: {use: x, words: true}", 6, "checks.a.perturb.words: True is neither a count of words, 1 or more (2), nor a share of them, up to 1.0 (0.1), nor 'important', {important"),
        (HEAD + "checks:\n  a:\n    perturb: {use: x, words: x}", 6, "checks.a.perturb.words: 'x' is neither a count of words, 1 or more (2), nor a share of them, up to 1.0 (0.1), nor 'important', {important"),
        (HEAD + "checks:\n  a:\n    perturb: {use: x, candidates: 0}", 6, "checks.a.perturb.candidates: input should be greater than or equal to 1, not 0."),
        (HEAD + "checks:\n  a:\n    perturb: {use: x, candidates: true}", 6, "checks.a.perturb.candidates: input should be a valid integer, not True."),
        (HEAD + "checks:\n  a:\n    perturb: {use: x, candidates: 1000000}", 6, "checks.a.perturb.candidates: input should be less than or equal to 10000, not 1000000."),
        (HEAD + "checks:\n  a:\n    perturb: x\n    timeout: 1.0e+40", 7, "checks.a.timeout: input should be less than or equal to 1000000000, not 1e+40."),
        (HEAD + "checks:\n  a:\n    perturb: {use: x, fields: text}", 6, "checks.a.perturb.fields must be a list ('[first, second]'), not 'text'."),
        (HEAD + "checks:\n  a:\n    perturb: {use: x, order: 3}", 6, "checks.a.perturb.order must be a mapping of keys"),
        (HEAD + "checks:\n  a:\n    perturb: {use: ''}", 6, "checks.a.perturb.use: string should have at least 1 character, not ''."),
        # limits
        (CHECK + "    limit: 1.1", 7, "checks.floaty.limit: 1.1 is not a rate between 0 and 1: 1.1 % is 0.011."),
        (CHECK + "    limit: -0.1", 7, "checks.floaty.limit: -0.1 is not a rate between 0 and 1."),
        (CHECK + "    limit: .nan", 7, "checks.floaty.limit: nan is not a rate between 0 and 1."),
        (CHECK + "    limit: true", 7, "checks.floaty.limit: True is not a rate between 0 and 1."),
        (CHECK + "    limit: 10%", 7, "checks.floaty.limit: '10%' is not a rate between 0 and 1: 10 % is 0.1."),
        (CHECK + "    limit: [0.1]", 7, "checks.floaty.limit: [0.1] is not a rate between 0 and 1."),
        (CHECK + "    limit: {}", 7, "checks.floaty.limit: limits are for 'difficult', 'control' and 'easiest', for 'missed' and 'false_alarm', or for 'valid', not nothing."),
        (CHECK + "    limit: {hard: 0.1}", 7, "checks.floaty.limit: limits are for 'difficult', 'control' and 'easiest', for 'missed' and 'false_alarm', or for 'valid', not 'hard'."),
        (CHECK + "    limit: {valid: 0.1, control: 0.1}", 7, "checks.floaty.limit: the limit for 'valid' holds for all tested examples"),
        (CHECK + "    limit: {valid: 3}", 7, "checks.floaty.limit: 3 is not a rate between 0 and 1: 3 % is 0.03."),
        (CHECK + "    limit: {difficult: 2}", 7, "checks.floaty.limit: 2 is not a rate between 0 and 1: 2 % is 0.02."),
        (CHECK + "    limit:\n      control: 0.1", 8, "check 'floaty' has a limit for the arm 'control', which 'select' leaves empty."),
        (CHECK + "    limit:\n      difficult: 0.1\nselect: {difficult: 0}", 8, "check 'floaty' has a limit for the arm 'difficult', which 'select' leaves empty."),
        # names
        ("suite: a/b\nmodel: m\ndata: d\nchecks: {a: {perturb: x}}", 1, "suite: 'a/b' cannot name a folder: use letters, digits, '_', '-' and '.'."),
        ("suite: ..\nmodel: m\ndata: d\nchecks: {a: {perturb: x}}", 1, "suite: '..' cannot name a folder"),
        (f"suite: {'9' * 300}x\nmodel: m\ndata: d\nchecks: {{a: {{perturb: x}}}}", 1, f"suite: '{'9' * 38}… has 301 characters; the name of a suite is also the name of a folder and has at most 200."),
        (f"suite: s\nmodel: m\ndata: d\nchecks: {{{'x' * 300}: {{perturb: x, marks: ['-']}}}}", 4, f"checks.{'x' * 39}….marks"),
        (f"suite: s\nmodel: m\ndata: d\nselect: {{control: 0}}\nchecks: {{{'x' * 300}: {{perturb: x, limit: {{control: 0.1}}}}}}", 5,
         f"check '{'x' * 118}… has a limit for the arm 'control'"),
        ("suite: ''\nmodel: m\ndata: d\nchecks: {a: {perturb: x}}", 1, "suite: '' cannot name a folder"),
        (HEAD + "checks:\n  good: {perturb: x}\n  two words: {perturb: x}", 6, "checks.two words: 'two words' cannot name a check: use letters,"),
        (HEAD + "checks:\n  a::b: {perturb: x}", 5, "checks.a::b: 'a::b' cannot name a check"),
        (CHECK + "    marks: [two words]", 7, "checks.floaty.marks: 'two words' is not a word that '-m' could name"),
        # nothing to do, or the same twice
        (CHECK + "select: {difficult: 0, control: 0}", 7, "select: difficult and control are both 0: nothing would be tested."),
        (CHECK + "scores: [fisher, {use: fisher, tokens: all}]", 7, "scores: the list names the score 'fisher' 2 times; name each score once."),
    ],
)  # fmt: skip
def test_a_wrong_suite_is_refused_with_line_and_hint(suite: Read, text: str, line: int, message: str) -> None:
    error = refused(suite, text)
    assert error.message.startswith(message)
    assert error.line == line
    assert re.search(r"suite\.yaml:\d+: ", str(error))


def test_no_message_ends_twice(suite: Read) -> None:
    assert not refused(suite, CHECK + "    limit: 7").message.endswith("..")


def test_an_empty_file_misses_every_key_that_a_suite_needs(suite: Read) -> None:
    missing = [str(mistake).partition(": ")[2] for mistake in mistakes(suite, "")]
    assert missing == ["the key 'suite' is missing.", "the key 'model' is missing."]


def test_all_mistakes_of_a_suite_are_told_at_once_in_the_order_of_its_lines(suite: Read) -> None:
    told = mistakes(
        suite, "suite: toy\nsed: 1\nmodel: m\ndata: d\nselect: {difficlt: 3}\nchecks:\n  a: {perturb: x, limit: 7}\n"
    )
    assert [error.line for error in told] == [2, 5, 7]
    assert [error.message.partition(".")[0] for error in told[:2]] == [
        "unknown key 'sed'",
        "unknown key 'difficlt' in 'select'",
    ]
    assert "7 is not a rate" in told[2].message


def test_an_unknown_key_explains_the_missing_one_beside_it_and_no_other(suite: Read) -> None:
    told = mistakes(suite, "suite: toy\nmodle: m\ndata: d\nchecks:\n  a: {pertrub: x}\n  b: {limit: 0.1}\n")
    assert [(error.line, error.message.partition(".")[0]) for error in told] == [
        (2, "unknown key 'modle'"),
        (5, "unknown key 'pertrub' in 'checks"),
        (6, "the key 'perturb' is missing in 'checks"),
    ]


def test_a_check_without_a_perturbation_that_is_named_nearly_as_another_says_so() -> None:
    file = SuiteFile.of({"suite": "s", "model": "m", "data": "d", "checks": {"typos": {"perturb": "typos"}}})
    file.override(("checks", "typo", "limit"), 0.2, "-o checks.typo.limit=0.2")
    with pytest.raises(UsageError, match=r"'perturb' is missing in 'checks.typo'. Did you mean 'typos'\?"):
        read_suite(file)


def test_a_wrong_override_is_told_as_the_option(suite_file: Callable[[str], SuiteFile]) -> None:
    file = suite_file(CHECK)
    file.override(("checks", "floaty", "limit"), 7, "-o checks.floaty.limit=7")
    with pytest.raises(UsageError) as caught:
        read_suite(file)
    expected = "-o checks.floaty.limit=7: checks.floaty.limit: 7 is not a rate between 0 and 1: 7 % is 0.07."
    assert str(caught.value) == expected
    assert not isinstance(caught.value, SuiteError)


def test_an_override_of_a_misspelled_key_is_told_as_the_option(suite_file: Callable[[str], SuiteFile]) -> None:
    file = suite_file(CHECK)
    file.override(("checks", "floaty", "limitt"), 0.2, "-o checks.floaty.limitt=0.2")
    with pytest.raises(UsageError, match=r"^-o checks\.floaty\.limitt=0\.2: unknown key 'limitt' in 'checks\.floaty'"):
        read_suite(file)


def test_the_shipped_suites_are_valid() -> None:
    paths = sorted((Path(__file__).parents[3] / "suites").glob("*.yaml"))
    assert paths
    for path in paths:
        suite = read_suite(read_suite_file(path))
        assert suite.checks or suite.source
