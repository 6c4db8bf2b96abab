from __future__ import annotations

import datetime
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from robustfim.errors import SuiteError, UsageError
from robustfim.suite.file import Location, SuiteFile, as_plain, parse_override, read_suite_file, written

Write = Callable[[str], SuiteFile]

SUITE = """\
# a comment
suite: toy
model:
  use: python
  call: pkg.mod:fn
scores: [fisher, entropy]
checks:
  swap:
    perturb: synonyms
    constrain:
      - same_part_of_speech
      - max: 0.2
    limit: 0.1
"""


def refused(write: Write, text: str) -> SuiteError:
    with pytest.raises(SuiteError) as caught:
        write(text)
    return caught.value


# ---- reading ------------------------------------------------------------------------------------------


def test_every_key_and_item_has_its_line(suite_file: Write) -> None:
    file = suite_file(SUITE)
    expected: dict[Location, int] = {
        (): 2,
        ("suite",): 2,
        ("model",): 3,
        ("model", "call"): 5,
        ("scores", 1): 6,
        ("checks", "swap"): 8,
        ("checks", "swap", "constrain", 0): 11,
        ("checks", "swap", "constrain", 1): 12,
        ("checks", "swap", "constrain", 1, "max"): 12,
        ("checks", "swap", "limit"): 13,
    }
    assert {location: file.line(location) for location in expected} == expected


def test_a_place_that_is_not_written_has_the_line_of_what_is_around_it(suite_file: Write) -> None:
    file = suite_file(SUITE)
    assert file.line(("checks", "swap", "expect", "use")) == 8
    assert file.line(("data",)) == 2


def test_plain_values_are_read_as_yaml_1_1_reads_them(suite_file: Write) -> None:
    file = suite_file("a: 1\nb: 0.5\nc: yes\nd: '1'\ne: null\nf: 2024-01-31\ng: [1, x]\nh: 1_000\ni: .inf\n")
    assert file.data == {
        "a": 1, "b": 0.5, "c": True, "d": "1", "e": None, "f": datetime.date(2024, 1, 31),
        "g": [1, "x"], "h": 1000, "i": float("inf"),
    }  # fmt: skip


def test_an_empty_file_is_an_empty_mapping(suite_file: Write) -> None:
    assert suite_file("# nothing but a comment\n").data == {}


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_bytes("\ufeffsuite: toy\r\nseed: 3\r\n".encode())
    file = read_suite_file(path)
    assert file.data == {"suite": "toy", "seed": 3}
    assert file.line(("seed",)) == 2


def test_an_anchor_can_be_used_again(suite_file: Write) -> None:
    file = suite_file("a: &base {use: typos, words: 2}\nb: *base\n")
    assert file.data["b"] == {"use": "typos", "words": 2}
    file.data["b"]["words"] = 3
    assert file.data["a"]["words"] == 2


def test_a_merge_fills_in_what_a_mapping_does_not_say(suite_file: Write) -> None:
    file = suite_file(
        "one: &one {a: 1, b: 1}\ntwo: &two {b: 2, c: 2}\nboth:\n  c: 3\n  <<: [*one, *two]\nsingle: {<<: *two}\n"
    )
    assert file.data["both"] == {"a": 1, "b": 1, "c": 3}
    assert file.data["single"] == {"b": 2, "c": 2}
    assert file.line(("both", "c")) == 4
    assert file.line(("both", "a")) == 1


# ---- refusing -----------------------------------------------------------------------------------------


def no_month() -> str:
    """What this Python says of a thirteenth month."""
    with pytest.raises(ValueError, match="month must be in") as told:
        datetime.date(2024, 99, 99)
    return str(told.value)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "the key 'a' stands twice."),
        ("a:\n  x: 1\n  'x': 2\n", 3, "the key 'x' stands twice."),
        ("a: 1\nnull: b\n", 2, "the key 'null' is not a text; put it in quotes."),
        ("a: 1\n? [b, c]\n: d\n", 2, "a list or a mapping cannot be a key."),
        ("a:\n\tb: 1\n", 2, "is not valid YAML: found character '\\t' that cannot start any token."),
        ("a: [1, 2\nb: 3\n", 2, "is not valid YAML: expected ',' or ']', but got ':'."),
        ("a: {{ b }}\n", 1, "a list or a mapping cannot be a key."),
        ("a: 1\n b: 2\n", 2, "is not valid YAML: mapping values are not allowed here."),
        ("a: *b\n", 1, "is not valid YAML: found undefined alias 'b'."),
        (
            "a: 1\n---\nb: 2\n",
            2,
            "is not valid YAML: expected a single document in the stream, but found another document.",
        ),
        ("a: 1\nb: x\x01y\n", 2, "holds the control character U+0001."),
        ("- a\n- b\n", 1, "a suite is a mapping of keys, not a list."),
        ("only words\n", 1, "a suite is a mapping of keys, not a text."),
        ("3\n", 1, "a suite is a mapping of keys, not a number."),
        ("a: 1\nb: 2024-99-99\n", 2, f"'2024-99-99' cannot be read: {no_month()}; put it in quotes."),
        ("a: {<<: 3}\n", 1, "'<<' takes a mapping, or a list of mappings."),
        ("a: {<<: [{b: 1}, [2]]}\n", 1, "'<<' takes a mapping, or a list of mappings."),
    ],
)  # fmt: skip
def test_a_malformed_file_is_refused_with_its_line(suite_file: Write, text: str, line: int, message: str) -> None:
    error = refused(suite_file, text)
    assert (error.line, error.message) == (line, message)
    assert str(error).endswith(f"suite.yaml:{line}: {message}")


@pytest.mark.parametrize(
    "value",
    [
        "!!python/object/apply:os.abort []",
        "!!python/object:robustfim.example.Example {fields: {}}",
        "!!python/name:os.abort ''",
        "!!python/tuple [1, 2]",
        "!!set {a, b}",
        "!!binary aGk=",
        "!shell ls",
        "!!int abc",
    ],
)
def test_a_tag_is_refused_and_nothing_is_constructed(suite_file: Write, value: str) -> None:
    error = refused(suite_file, f"suite: toy\nmodel: {value}\n")
    assert error.line == 2
    assert re.search("the tag '.*' is not allowed|cannot be read", error.message)


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [*a]\n",
        "a: &a {b: *a}\n",
        "a: &a {<<: *a}\n",
        "a: " + "[" * 60 + "]" * 60 + "\n",
        "a: " + "[" * 5000 + "]" * 5000 + "\n",
    ],
)
def test_a_file_without_a_bottom_is_refused(suite_file: Write, text: str) -> None:
    assert "too large or too deeply nested" in refused(suite_file, text).message


@pytest.mark.parametrize("join", ["[{}]", "{{<<: [{}]}}"])
def test_a_bomb_of_aliases_is_refused_at_once(suite_file: Write, join: str) -> None:
    lines = ["a0: &a0 {x: 1}"]
    for level in range(1, 30):
        lines.append(f"a{level}: &a{level} " + join.format(", ".join([f"*a{level - 1}"] * 9)))
    assert "too large or too deeply nested" in refused(suite_file, "\n".join(lines)).message


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=r"missing\.yaml: no such suite file\."):
        read_suite_file(tmp_path / "missing.yaml")


def test_the_record_of_a_run_is_no_suite(suite_file: Write) -> None:
    assert (
        "is the record of a run, not a suite; 'robustfim report'"
        in refused(suite_file, '{"schema": 1, "suite": "toy", "summary": {}}').message
    )


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="is a folder; name a suite file in it"):
        read_suite_file(tmp_path)


def test_a_path_through_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(SuiteError, match=r"cannot be read: Not a directory\."):
        read_suite_file(tmp_path / "file" / "suite.yaml")


@pytest.mark.parametrize(("raw", "place"), [(b"suite: caf\xe9\n", 10), ("suite: toy".encode("utf-16"), 0)])
def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path, raw: bytes, place: int) -> None:
    path = tmp_path / "suite.yaml"
    path.write_bytes(raw)
    with pytest.raises(SuiteError, match=f"is not UTF-8 text: byte {place} cannot be read"):
        read_suite_file(path)


# ---- overriding ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "location", "value"),
    [
        ("checks.swap.limit=0.2", ("checks", "swap", "limit"), 0.2),
        ("scores.1=margin", ("scores", 1), "margin"),
        ("model.path=a=b", ("model", "path"), "a=b"),
        (" seed = 3", ("seed",), 3),
        ("scores=[a, b]", ("scores",), ["a", "b"]),
        ("model.labels={neg: negative}", ("model", "labels"), {"neg": "negative"}),
        ("select=", ("select",), None),
        ("a.²=1", ("a", "²"), 1),
    ],
)
def test_an_override_is_a_dotted_key_and_a_yaml_value(text: str, location: Location, value: Any) -> None:
    assert parse_override(text, "-o") == (location, value)


@pytest.mark.parametrize("text", ["seed", "=3", "  =3", ""])
def test_an_override_without_a_key_or_value_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match=re.escape(f"--model {text!r}: write it as KEY=VALUE, for example --model")):
        parse_override(text, "--model")


def test_two_overrides_in_one_are_taken_apart_in_the_message() -> None:
    apart = "each KEY=VALUE is an option of its own: --model use=python --model call=mine:predict."
    with pytest.raises(UsageError, match=re.escape(apart)):
        parse_override("use=python,call=mine:predict", "--model")


@pytest.mark.parametrize("text", ["a=[1", "a={", "a=!!python/name:os.abort ''", "a=2024-99-99", "a='"])
def test_an_override_whose_value_is_no_yaml_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="the value is not valid YAML; put it in quotes"):
        parse_override(text, "-o")


@pytest.mark.parametrize(
    ("location", "value", "read"),
    [
        (("checks", "swap", "limit"), 0.2, lambda data: data["checks"]["swap"]["limit"]),
        (("checks", "swap", "expect"), "changes", lambda data: data["checks"]["swap"]["expect"]),
        (("scores", 0), "margin", lambda data: data["scores"][0]),
        (("select", "control"), 5, lambda data: data["select"]["control"]),
        (("checks", "swap", "constrain", 1, "max"), 1, lambda data: data["checks"]["swap"]["constrain"][1]["max"]),
        (("model",), {}, lambda data: data["model"]),
    ],
)  # fmt: skip
def test_an_override_replaces_one_value(
    suite_file: Write, location: Location, value: Any, read: Callable[[Any], Any]
) -> None:
    file = suite_file(SUITE)
    file.override(location, value, "-o it")
    assert read(file.data) == value
    assert file.data["suite"] == "toy"


def test_an_override_expands_a_shorthand(suite_file: Write) -> None:
    file = suite_file(SUITE)
    file.override(("checks", "swap", "perturb", "words"), 2, "-o it")
    file.override(("scores", 0, "tokens"), "all", "-o it")
    assert file.data["checks"]["swap"]["perturb"] == {"use": "synonyms", "words": 2}
    assert file.data["scores"] == [{"use": "fisher", "tokens": "all"}, "entropy"]


def test_an_override_fills_an_empty_key(suite_file: Write) -> None:
    file = suite_file("suite: toy\nselect:\n")
    file.override(("select", "control"), 5, "-o it")
    assert file.data["select"] == {"control": 5}


@pytest.mark.parametrize(
    "location", [("scores", 2), ("scores", "x"), ("checks", "swap", "limit", "x"), ("scores", 9, "x")]
)
def test_an_override_of_a_place_that_cannot_be_is_refused(suite_file: Write, location: Location) -> None:
    with pytest.raises(UsageError, match=re.escape(f"-o it: there is no {'.'.join(map(str, location))!r} in ")):
        suite_file(SUITE).override(location, 1, "-o it")


def test_an_error_points_at_the_option_where_one_was_overridden(suite_file: Write) -> None:
    file = suite_file(SUITE)
    file.override(("checks", "swap", "limit"), 7, "-o checks.swap.limit=7")
    assert str(file.error("wrong", ("checks", "swap", "limit"))) == "-o checks.swap.limit=7: wrong"
    assert str(file.error("wrong", ("checks", "swap", "limit", "difficult"))) == "-o checks.swap.limit=7: wrong"
    assert str(file.error("wrong", ("checks", "swap", "perturb"))) == f"{file.path}:9: wrong"


def test_a_check_named_by_a_number_can_be_overridden(suite_file: Write) -> None:
    file = suite_file("checks:\n  '1': {limit: 0.1}\n")
    location, value = parse_override("checks.1.limit=7", "-o")
    file.override(location, value, "-o checks.1.limit=7")
    assert file.data == {"checks": {"1": {"limit": 7}}}
    assert str(file.error("wrong", ("checks", "1", "limit"))) == "-o checks.1.limit=7: wrong"


def test_paths_start_from_the_suites_folder_or_for_an_option_from_the_current_one(suite_file: Write) -> None:
    file = suite_file(SUITE)
    file.override(("data", "path"), "x.csv", "--data path=x.csv")
    assert file.base(("model", "path")) == file.path.parent == file.folder
    assert file.base(("data", "path")) == Path.cwd()


@pytest.mark.parametrize("value", ["!!bool x", "!!timestamp x", "!!int x", "!!float x", "9" * 5000])
def test_a_value_that_is_not_of_its_kind_is_refused_with_its_line(suite_file: Write, value: str) -> None:
    with pytest.raises(SuiteError) as refusal:
        suite_file(f"a: 1\nsuite: {value}\n")
    assert refusal.value.line == 2
    assert "put it in quotes" in refusal.value.message
    assert len(refusal.value.message) < 400


def test_a_file_of_many_megabytes_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text("a: 1\n" + "# a comment\n" * 900_000, encoding="utf-8")
    with pytest.raises(SuiteError, match="too large"):
        read_suite_file(path)


@pytest.mark.parametrize(
    "value", ["!!bool x", "&a [*a]", "[" * 60 + "]" * 60, "!!python/object:os.system x", "2024-99-99"]
)
def test_a_value_of_the_command_line_is_read_as_carefully_as_a_file(value: str) -> None:
    with pytest.raises(UsageError, match="is not valid YAML; put it in quotes"):
        parse_override(f"model.x={value}", "-o")


def test_paths_are_absolute_from_the_start_wherever_a_model_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "suite.yaml").write_text(SUITE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    file = read_suite_file(Path("deep/suite.yaml"))
    file.override(("data", "path"), "x.csv", "--data path=x.csv")
    monkeypatch.chdir("/")
    assert (file.folder, file.base(("data", "path"))) == (tmp_path / "deep", tmp_path)


# ---- small functions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "kept"),
    [
        (("limit", "float"), ("limit",)),
        (("limit", "dict[literal['difficult'],...]", "difficult"), ("limit",)),
        (("arms", "dict[str,float]", "float"), ("arms", "float")),
        (("scores", 0, "Use", "use"), ("scores", 0, "use")),
        (("scores", 4), ("scores",)),
        ((), ()),
    ],
)
def test_names_of_types_are_left_out_of_a_place(place: Location, kept: Location) -> None:
    data = {"limit": 7, "arms": {"float": "x"}, "scores": [{"use": 3}]}
    assert written(place, data) == kept


def test_options_become_plain_json(tmp_path: Path) -> None:
    options = {"path": Path("a/b"), "norms": (0.5, 1), "deep": {"on": True, 3: [None, datetime.date(2024, 1, 31)]}}
    assert as_plain(options) == {
        "path": os.path.join("a", "b"),  # noqa: PTH118  # what a path is written as
        "norms": [0.5, 1],
        "deep": {"on": True, "3": [None, "2024-01-31"]},
    }


def test_an_error_about_a_part_that_an_option_changed_names_the_option(suite_file: Write) -> None:
    file = suite_file("suite: toy\nmodel: {use: m, size: 1}\n")
    file.override(("model", "path"), "x", "--model path=x")
    assert str(file.error("no folder x.", ("model",))) == "--model path=x: no folder x."
    assert "suite.yaml:2: too small." in str(file.error("too small.", ("model", "size")))
    assert str(file.error("wrong.", ())).endswith("wrong.")
    assert "--model" not in str(file.error("wrong.", ()))


def test_a_key_that_yaml_takes_for_a_truth_value_is_the_word(tmp_path: Path) -> None:
    path = tmp_path / "suite.yaml"
    path.write_text("at: {on: x.csv, no: 1, Yes: y}\n", encoding="utf-8")
    assert read_suite_file(path).data == {"at": {"on": "x.csv", "no": 1, "Yes": "y"}}
