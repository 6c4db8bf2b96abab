"""From names to checks, and from rows to usable examples; every mistake on the way is told with its line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import robustfim
from robustfim.errors import NothingCollected, UsageError
from robustfim.run_options import RunOptions
from robustfim.session.open import open_session
from tests.robustfim.command_line import CommandLine, refused

SUITE = """\
suite: toy
plugins: [toy.py]
model: {use: wordsum, batch_size: 8}
data: films
scores: [long]
select: {by: long}
checks:
  rename:
    perturb: {use: rename, table: {film: movie}}
    constrain: []
    expect: invariant
reports: [json]
"""


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (
            "use: wordsum",
            "use: wordsun",
            3,
            "unknown model 'wordsun'. Did you mean 'wordsum'?",
        ),
        ("data: films", "data: film", 4, "unknown data source 'film'. Did you mean 'films'?"),
        ("scores: [long]", "scores: [lang]", 5, "unknown score 'lang'. Did you mean 'long'?"),
        ("by: long", "by: lnog", 6, "unknown score 'lnog'. Did you mean 'long'?"),
        ("perturb: {use: rename", "perturb: {use: renam", 9, "unknown perturbation 'renam'. Did you mean 'rename'?"),
        ("constrain: []", "constrain: [same_part]", 10, "unknown constraint 'same_part'."),
        ("expect: invariant", "expect: invariable", 11, "unknown expectation 'invariable'. Did you mean 'invariant'?"),
        ("reports: [json]", "reports: [jsno]", 12, "unknown report 'jsno'. Did you mean 'json'?"),
        (
            "table: {film",
            "tabel: {film",
            9,
            "unknown option 'tabel'. Did you mean 'table'? Known: table, fields, words, candidates, order, search.",
        ),
        (
            "film: movie}",
            "film: [3]}",
            9,
            "option 'table.film' must be a text, not [3]; put it in quotes",
        ),
        ("batch_size: 8", "batch_size: big", 3, "option 'batch_size': input should be a valid integer"),
        ("use: rename,", "use: rename, order: best,", 9, "unknown order 'best'."),
        (
            "use: rename, table: {film: movie}",
            "use: broken, words: 2, how: raises",
            9,
            "'broken' makes whole candidates",
        ),
        (
            "expect: invariant",
            "fails: at_most",
            11,
            "the option 'limit' is missing. Write 'limit: …' beside 'at_most', or -o checks",
        ),
        ("expect: invariant", "fails: {at_least: 1}", 11, "unknown reducer 'at_least'"),
        ("expect: invariant", "fails: {at_most: -1}", 11, "at_most must be 0 or more, not -1"),
        ("expect: invariant", "fails: {at_most: 8}", 11, "with 'at_most' no example can fail: at most 8 of each"),
        (
            "expect: invariant",
            "fails: all\n    limit: {valid: 0.1}",
            11,
            "a limit for 'valid' does not support 'fails: all'",
        ),
        (
            "expect: invariant",
            "fails: {at_most: 1}\n    limit: {valid: 0.1}",
            11,
            "a limit for 'valid' does not support 'fails: at_most'",
        ),
        (
            "expect: invariant",
            "fails: mean\n    limit: {valid: 0.1}",
            11,
            "a limit for 'valid' does not support 'fails: mean'",
        ),
        (
            "expect: invariant",
            "fails: mean\n    limit: 0.1",
            12,
            "'fails: mean' does not support 'select' with arms or strata",
        ),
        (
            "expect: invariant",
            "fails: mean\n    limit: {control: 0.1}\n    budget: 9",
            13,
            "'fails: mean' does not support 'budget'",
        ),
        ("expect: invariant", "fails: mean\n    of: file", 12, "'fails: mean' does not support 'of: file'"),
        (
            "expect: invariant\n",
            "fails: mean\nslices: {long: {words: [9, null], limit: 0.1}}\n",
            12,
            "'fails: mean' does not support a limit of a slice: the share of failing examples",
        ),
        ("use: rename,", "use: rename, search: gready,", 9, "unknown search 'gready'. Did you mean 'greedy'?"),
        ("use: rename,", "use: rename, search: {use: greedy, beam: 4},", 9, "unknown option 'beam'"),
        (
            "use: rename,",
            "use: rename, search: {use: beam, queries: 0},",
            9,
            "option 'queries': input should be greater than or equal to 1",
        ),
        (
            "use: rename,",
            "use: rename, search: greedy, candidates: 9,",
            9,
            "a search ends with the first text that fails: 'candidates' does",
        ),
        (
            "use: rename, table: {film: movie}",
            "use: broken, search: greedy, how: raises",
            9,
            "a search combines single edits, and 'broken' makes whole candidates",
        ),
        ("plugins: [toy.py]", "plugins: [tyo.py]", 0, "no plugin file tyo.py."),
    ],
)
def test_a_wrong_name_or_option_is_told_with_its_line_and_the_nearest(
    robustfim: CommandLine, old: str, new: str, line: int, message: str
) -> None:
    robustfim.write("suite.yaml", SUITE.replace(old, new))
    shown = robustfim("run suite.yaml")
    refused(shown, f"ERROR: suite.yaml:{line}: {message}" if line else f"ERROR: {message}")
    assert shown.out == "", "nothing was begun"


def test_nothing_is_read_or_loaded_while_checks_are_collected(robustfim: CommandLine) -> None:
    assert robustfim("run toy.yaml --co --model use=unloadable --data mistake=raises").code == 0


def test_checks_have_the_ids_and_lines_of_the_suite(robustfim: CommandLine) -> None:
    checks = open_session(Path("toy.yaml")).collection.checks
    assert [(check.id, check.line) for check in checks] == [
        ("toy.yaml::rename", 6), ("toy.yaml::both", 7), ("toy.yaml::calm", 11),
    ]  # fmt: skip
    assert {check.perturbation.owner for check in checks} == {"toy"}


# ---- examples -----------------------------------------------------------------------------------------


def rows(*pairs: tuple[str, str | None]) -> str:
    inside = ", ".join(f'["{text}", {label or "null"}]' for text, label in pairs)
    return f"{{use: films, rows: [{inside}]}}"


def test_empty_and_repeated_texts_are_left_out_and_counted(robustfim: CommandLine) -> None:
    data = rows(("a film", "positive"), ("", "positive"), (" \\t ", None), ("a film", "positive"), ("a cast", None))
    shown = robustfim(f"run {robustfim.suite('{x: {perturb: rename}}', data=data)}")
    record = robustfim.record("other")
    assert [(example.fields["text"], example.label) for example in record.examples] == [
        ("a film", "positive"),
        ("a cast", None),
    ]
    assert record.data.skipped == {"empty text": 2, "repeated text": 1}
    assert (record.data.examples, record.data.labelled) == (2, 1)
    assert "collected 2 examples (left out: 2 empty text, 1 repeated text) and 1 check" in shown.out


def test_labels_are_matched_without_regard_to_case(robustfim: CommandLine) -> None:
    data = rows(("a great film", "POSITIVE"), ("an awful film", "Negative"))
    robustfim(f"run {robustfim.suite('{x: {perturb: rename}}', data=data)}")
    record = robustfim.record("other")
    assert [example.label for example in record.examples] == ["positive", "negative"]
    assert record.model.accuracy.rate == 1.0


def test_labels_that_differ_by_case_alone_are_matched_exactly(robustfim: CommandLine) -> None:
    data = rows(("a great film", "Up"), ("an awful film", "up"))
    model = "{use: wordsum, labels: [up, Up]}"
    robustfim(f"run {robustfim.suite('{x: {perturb: rename}}', data=data, model=model)}")
    assert [example.label for example in robustfim.record("other").examples] == ["Up", "up"]


def test_labels_of_another_set_are_refused_with_both_sets(robustfim: CommandLine) -> None:
    data = rows(("a film", "good"), ("one film", "good"), ("the film", "bad"))
    refused(
        robustfim(f"run {robustfim.suite('{x: {perturb: rename}}', data=data)} -q"),
        "data 'films' has labels that the model does not know: 'good' (2 rows), 'bad' (1 row).",
        "The model's labels are 'negative', 'positive'.",
        "say which is which: --model 'labels=[\"bad\", \"good\"]', or under 'model' of a suite labels: ",
    )
    model = "{use: wordsum, decide: {each: {positive: 0.5, negative: 0.5}}}"
    data = rows(("a film", "positive|negative"))
    refused(
        robustfim(f"run {robustfim.suite('{x: {perturb: rename}}', data=data, model=model)} -q"),
        "does not know: 'positive|negative' (1 row)",
        "Gold labels that are several are columns of 0 and 1, 'label: [NAME, NAME]', or lists in JSON Lines.",
    )


@pytest.mark.parametrize(
    "expect",
    [
        {"use": "directional", "label": "posityve"},
        {"use": "directional", "label": "negative", "against": "posityve"},
        {"use": "changes", "to": "posityve"},
        {"use": "equals", "label": ["negative", "posityve"]},
        {"use": "invariant", "where": {"original": "posityve"}},
        {"use": "all", "of": ["invariant", {"use": "equals", "label": "posityve", "where": {"original": "negative"}}]},
    ],
)
def test_a_label_of_an_expectation_that_the_model_lacks_is_refused_before_the_first_prediction(
    expect: dict[str, Any],
) -> None:
    asked: list[str] = []

    def model(texts: Sequence[str]) -> list[str]:
        asked.extend(texts)
        return ["positive"] * len(texts)

    checks = {"x": {"perturb": "typos", "expect": expect}}
    named: dict[str, Any] = {"model": model, "labels": ["negative", "positive"], "data": ["a fine film"]}
    with pytest.raises(UsageError) as raised:
        robustfim.run(checks=checks, **named)
    message = "the model has no label 'posityve'. Did you mean 'positive'? It has: negative, positive."
    assert str(raised.value).endswith(message)
    assert not asked
    robustfim.run(checks=json.loads(json.dumps(checks).replace("posityve", "positive")), **named)
    assert asked


@pytest.mark.parametrize(
    ("mistake", "code", "message"),
    [
        ("raises", 1, "data source 'films' (Films) raised LookupError: the shelf is empty"),
        ("returns texts", 1, "data source 'films' (Films) returned 'a great film', which is not an Example."),
        ("refuses", 4, "there is no shelf."),
    ],
)
def test_a_data_source_that_fails_is_told_apart_from_data_that_are_wrong(
    robustfim: CommandLine, mistake: str, code: int, message: str
) -> None:
    shown = robustfim(f"run toy.yaml --data 'mistake={mistake}'")
    assert shown.code == code
    assert message in shown.out + shown.err
    assert "Traceback" not in shown.err
    if code == 1:
        assert set(robustfim.outcomes().values()) == {"error"}


@pytest.mark.parametrize("data", ["rows=[]", "rows=[['', null]]"])
def test_data_without_a_usable_example_leave_nothing_to_run(robustfim: CommandLine, data: str) -> None:
    refused(robustfim(f'run toy.yaml -q --data "{data}"'), "data 'films' has no usable example: ", code=5)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ("[a, a]", "the model's labels must differ from one another, unlike ['a', 'a']."),
        ("[a]", "the model's labels must be at least two texts"),
    ],
)
def test_labels_that_no_model_can_have_are_the_models_error(robustfim: CommandLine, labels: str, message: str) -> None:
    shown = robustfim(f"run toy.yaml --model labels={labels.replace(' ', '')}")
    assert shown.code == 1
    assert message in shown.out


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("gone.csv", None, "no file gone.csv."),
        ("zero.csv", b"", "zero.csv is empty"),
        ("head.csv", b"text,label\n", "head.csv: there are columns (text, label) but no rows."),
        ("latin.csv", b"text,label\ncaf\xe9,positive\n", "latin.csv:2: byte 0xe9"),
        ("other.csv", b"review,label\nx,positive\n", "other.csv: no column 'text'"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_line_on_standard_error(
    robustfim: CommandLine, name: str, content: bytes | None, message: str
) -> None:
    if content is not None:
        Path(name).write_bytes(content)
    refused(robustfim(f"run toy.yaml -q --data use=csv --data path={name}"), message)


# ---- the choice of checks -----------------------------------------------------------------------------


def test_a_check_that_is_not_there_is_refused_with_the_nearest_and_all(robustfim: CommandLine) -> None:
    with pytest.raises(UsageError, match=r"no check 'calmm'\. Did you mean 'calm'\? It has: rename, both, calm\."):
        open_session(Path("toy.yaml"), options=RunOptions(only=("calmm",)))


def test_an_expression_that_fits_nothing_says_what_there_is(robustfim: CommandLine) -> None:
    with pytest.raises(
        NothingCollected,
        match=r"the selection leaves no check of toy\.yaml to run; the suite has the checks rename, both, calm\.",
    ):
        open_session(Path("toy.yaml"), options=RunOptions(marks="nothing"))


def test_a_classifier_takes_any_of_several_gold_labels(robustfim: CommandLine) -> None:
    robustfim.write("several.py", SEVERAL)
    suite = robustfim.suite("{x: {perturb: rename}}", data="several")
    text = robustfim.read(suite).replace("[toy.py]", "[toy.py, several.py]")
    robustfim.write(suite, text)
    robustfim(f"run {suite}")
    (first,) = robustfim.record("other").examples
    assert (first.label, first.prediction, first.correct) == ("negative", "positive", True)
    robustfim.write("several.py", SEVERAL.replace("POSITIVE", "splendid"))
    refused(robustfim(f"run {suite} -q"), "has labels that the model does not know: 'splendid' (1 row).")


SEVERAL = """\
from robustfim import Example, hookimpl


class Several:
    def load(self):
        yield Example({"text": "a great film"}, "Negative", accepted=("POSITIVE",))


@hookimpl
def robustfim_offers():
    return {"data": {"several": Several}}
"""


def test_data_without_an_end_is_refused_at_a_bound_that_the_suite_sets(robustfim: CommandLine) -> None:
    endless = """
from robustfim import Example, hookimpl

class Endless:
    def load(self):
        number = 0
        while True:
            number += 1
            yield Example({"text": f"a good film {number}"}, "positive")

@hookimpl
def robustfim_offers():
    return {"data": {"endless": Endless}}
"""
    robustfim.write("endless.py", endless)
    name = robustfim.suite("{x: {perturb: rename}}", data="endless", rest="most: 500")
    shown = robustfim(f"run {name} -p endless.py")
    assert shown.code == 4
    assert (
        "data 'endless' has more than 500 rows, or has no end. If you want all rows, raise the limit in the suite"
        in shown.err
    )


TWICE = rows(("a film", "positive"), ("a cast", "negative"), ("a film", "negative"), ("a film", "positive"))


@pytest.mark.parametrize(
    ("way", "kept", "skipped"),
    [
        ("first", ["positive", "negative"], {"repeated text with another label": 1, "repeated text": 1}),
        (
            "drop",
            ["negative"],
            {"repeated text with another label": 1, "repeated text": 1, "text with two labels": 1},
        ),
    ],
)
def test_a_text_with_two_gold_labels_keeps_the_first_or_none_and_is_counted(
    robustfim: CommandLine, way: str, kept: list[str], skipped: dict[str, int]
) -> None:
    name = robustfim.suite("{x: {perturb: rename}}", data=TWICE, rest=f"on_conflict: {way}")
    assert "1 repeated text with another label" in robustfim(f"run {name}").out
    record = robustfim.record("other")
    assert [example.label for example in record.examples] == kept
    assert record.data.skipped == skipped


def test_a_suite_may_refuse_data_in_which_a_text_has_two_gold_labels(robustfim: CommandLine) -> None:
    shown = robustfim(f"run {robustfim.suite('{x: {perturb: rename}}', data=TWICE, rest='on_conflict: refuse')}")
    assert shown.code == 4
    assert "has 1 text with two gold labels, such as 'a film' ('positive' and 'negative')" in shown.err


def test_the_doctor_tells_of_a_text_with_two_gold_labels(robustfim: CommandLine) -> None:
    shown = robustfim(f"doctor {robustfim.suite('{x: {perturb: rename}}', data=TWICE)}")
    assert "1 text stands with two gold labels, such as 'a film' ('positive' and 'negative')" in shown.unbroken
