"""JSON Lines: what is read, and every way in which a file can be wrong."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustfim import DataError, Example, UsageError
from robustfim_files.jsonl_file import JsonlFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "reviews.jsonl"


def load(path: Path, *lines: Any, **options: Any) -> list[Example]:
    """Load lines; what is not a text is written as JSON."""
    written = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    path.write_text("\n".join(written), encoding="utf-8", newline="")
    return list(JsonlFile(path, **options).load())


def test_text_and_label_are_read_and_the_rest_is_meta(path: Path) -> None:
    rows = [{"text": "good", "label": "yes", "tags": ["a"], "n": 1}, {"text": "bad", "label": None}]
    assert load(path, *rows) == [
        Example({"text": "good"}, "yes", {"tags": ["a"], "n": 1}),
        Example({"text": "bad"}, None, {}),
    ]


texts = st.text().filter(lambda each: each.strip())  # lone surrogates too: JSON can write them


@settings(deadline=None)
@given(
    rows=st.lists(st.tuples(texts, texts), min_size=1), ascii_only=st.booleans(), end=st.sampled_from(["\n", "\r\n"])
)
def test_what_the_standard_library_writes_comes_back(rows: list[tuple[str, str]], ascii_only: bool, end: str) -> None:
    lines = []
    for text, label in rows:
        whole = ascii_only or any("\ud800" <= character <= "\udfff" for character in text + label)
        lines.append(json.dumps({"text": text, "label": label}, ensure_ascii=whole) + end)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.jsonl")
        path.write_bytes("".join(lines).encode())
        loaded = list(JsonlFile(path).load())
    assert loaded == [Example({"text": text}, label.strip()) for text, label in rows]


def test_rows_without_a_text_are_left_out_and_counted(path: Path) -> None:
    rows = [{"text": "good", "label": 1}, {"text": None, "label": 1}, {"label": 1}, {"text": " ", "label": 1}]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    source = JsonlFile(path)
    assert len(list(source.load())) == 1
    assert source.skipped == {"missing text": 2, "empty text": 1}


def test_blank_lines_and_a_byte_order_mark_are_no_rows(path: Path) -> None:
    assert len(load(path, '\ufeff{"text": "good", "label": 1}', "", "  ", '{"text": "bad", "label": 0}', "")) == 2


@pytest.mark.parametrize(
    ("rows", "options"),
    [
        ([{"text": "a"}, {"text": "b", "label": "x"}], {}),
        ([{"label": "x", "id": 1}, {"text": "b", "label": "x"}], {}),
        ([{"text": "a"}, {"text": "c"}, {"text": "Ann", "spans": [[0, 3, "name"]]}], {"spans": "spans"}),
        ([{"title": "a", "label": "x"}, {"body": "b", "title": "c", "label": "x"}], {"text": ["title", "body"]}),
    ],
    ids=["a label", "a text", "spans", "one of two texts"],
)
def test_a_key_of_some_rows_is_a_column(path: Path, rows: list[Any], options: dict[str, Any]) -> None:
    assert load(path, *rows, **options)[-1].label in ("x", "⟦0:3 name⟧")
    with pytest.raises(DataError, match=r"no column 'labels' for 'label'\. .*Columns: "):
        load(path, *rows, **{**options, "spans": None, "label": "labels"})


def test_a_text_that_is_no_text_is_refused_with_its_line(path: Path) -> None:
    with pytest.raises(DataError, match=r"reviews\.jsonl:2: column 'text' holds int \(42\), not text"):
        load(path, {"text": "good", "label": 1}, {"text": 42, "label": 1})


def test_malformed_json_is_refused_with_its_line_and_column(path: Path) -> None:
    with pytest.raises(DataError, match=r"reviews\.jsonl:3: malformed JSON at column 10: Expecting value"):
        load(path, {"text": "good", "label": 1}, "", '{"text": good}')


def test_a_json_array_over_many_lines_is_recognised(path: Path) -> None:
    with pytest.raises(DataError, match=r"reviews\.jsonl:1: malformed JSON.*without an array around them"):
        load(path, "[", '{"text": "good", "label": 1}', "]")


@pytest.mark.parametrize(
    ("line", "said"), [("[1]", r"\[1\]"), ('"x"', "'x'"), ("1.5", "1.5"), ("true", "True"), ("null", "None")]
)
def test_json_that_is_no_object_is_refused(path: Path, line: str, said: str) -> None:
    with pytest.raises(DataError, match=rf"reviews\.jsonl:1: a line holds one JSON object, not {said}"):
        load(path, line)


def test_json_without_a_bottom_is_refused(path: Path) -> None:
    with pytest.raises(DataError, match=r"reviews\.jsonl:1: JSON that cannot be read"):
        load(path, '{"text": ' + "[" * 200_000)


@pytest.mark.parametrize("contents", ["", "\n \n"])
def test_an_empty_file_is_refused(path: Path, contents: str) -> None:
    with pytest.raises(DataError, match=r"reviews\.jsonl is empty; it needs one JSON object a line"):
        load(path, contents)


@pytest.mark.parametrize(
    "span",
    [
        {"start": 0, "end": 3, "label": "person"},
        {"start_position": 0, "end_position": 3, "entity_type": "person", "entity_value": "Ann"},
        {"start_char": 0, "end_char": 3, "type": "person"},
        [0, 3, "person"],
    ],
)
def test_gold_spans_are_read_as_datasets_spell_them(path: Path, span: Any) -> None:
    row = {"full_text": "Ann and Bob", "spans": [{"start": 8, "end": 11, "label": "person"}, span], "template": 1}
    assert load(path, row, {"full_text": "It rains.", "spans": []}, text="full_text", spans="spans") == [
        Example({"full_text": "Ann and Bob"}, "⟦0:3 person⟧ ⟦8:11 person⟧", {"template": 1}),
        Example({"full_text": "It rains."}, "⟦⟧"),
    ]


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([{"start": 0, "end": 30, "label": "person"}], r"jsonl:1: the span 0:30 \(person\) lies outside its text"),
        ([[0, 3, "a"], [2, 5, "b"]], r"jsonl:1: the spans 0:3 \(a\) and 2:5 \(b\) overlap"),
        ([{"start": 0, "label": "person"}], "a span has no end: the span has the keys start, label"),
        ("person", "spans are a list, not 'person'"),
        ([["0", 3, "person"]], r"a span is \(start, end, label, probability\)"),
    ],
)
def test_wrong_gold_spans_are_refused_in_one_line(path: Path, spans: Any, message: str) -> None:
    with pytest.raises(DataError, match=message) as refused:
        load(path, {"text": "Ann and Bob", "spans": spans}, spans="spans")
    assert "\n" not in str(refused.value)


TEXT = "💩👍 note: write to bo@example.org today."
FROM, UNTIL = TEXT.index("bo@"), TEXT.index(" today")


@pytest.mark.parametrize(
    ("before", "behind", "offsets"),
    [
        (0, -1, "inclusive"),
        (2, 2, "utf-16"),
        (2, 1, "utf-16-inclusive"),
        (6, 6, "bytes"),
        (6, 5, "bytes-inclusive"),
        (1, 1, "from-1"),
        (1, 0, "from-1-inclusive"),
    ],
)
@pytest.mark.parametrize("key", ["text", "value", "entity_value", "surface"])
def test_ends_that_count_otherwise_are_refused_with_their_likely_cause(
    path: Path, before: int, behind: int, offsets: str, key: str
) -> None:
    own = {key: "bo@example.org"}
    right = {"text": TEXT, "spans": [{"start": FROM, "end": UNTIL, "label": "mail", **own}]}
    wrong = {"text": TEXT, "spans": [{"start": FROM + before, "end": UNTIL + behind, "label": "mail", **own}]}
    expected = [Example({"text": TEXT}, f"⟦{FROM}:{UNTIL} mail⟧")]
    assert load(path, right, spans="spans") == expected
    with pytest.raises(
        DataError, match=rf"jsonl:2: .*'{key}' is 'bo@example.org'; .*--data offsets={offsets}\."
    ) as refused:
        load(path, right, wrong, spans="spans")
    assert repr(TEXT[FROM + before : UNTIL + behind]) in str(refused.value)
    assert "\n" not in str(refused.value)
    assert load(path, wrong, spans="spans", offsets=offsets) == expected
    with pytest.raises(DataError, match="offsets=characters"):
        load(path, right, spans="spans", offsets=offsets)


@pytest.mark.parametrize(
    ("start", "own", "remedy"),
    [
        (3, "bo@example.org", f"the text has that at {FROM}: correct its ends"),
        (FROM, "Bo@Example.org", "the text has that nowhere: correct it, or leave 'value' out"),
    ],
)
def test_a_span_whose_text_stands_elsewhere_or_nowhere_is_refused(
    path: Path, start: int, own: str, remedy: str
) -> None:
    with pytest.raises(DataError, match=remedy):
        load(path, {"text": TEXT, "spans": [{"start": start, "end": UNTIL, "label": "m", "value": own}]}, spans="spans")


def test_ends_at_the_end_of_a_text_are_not_cut_off(path: Path) -> None:
    row = {"text": "x👍", "spans": [{"start": 1, "end": 3, "label": "face", "text": "👍"}]}
    with pytest.raises(DataError, match="offsets=utf-16"):
        load(path, row, spans="spans")
    assert load(path, row, spans="spans", offsets="utf-16")[0].label == "⟦1:2 face⟧"


def test_spans_that_are_null_or_not_there_say_unlabelled_and_none_says_that_there_are_none(path: Path) -> None:
    rows = [{"text": "a", "spans": []}, {"text": "b", "spans": None}, {"text": "c"}]
    assert [example.label for example in load(path, *rows, spans="spans")] == ["⟦⟧", None, None]


def test_spans_need_their_column_and_a_single_text(path: Path) -> None:
    with pytest.raises(DataError, match="no column 'names' for 'spans'"):
        load(path, {"text": "Ann"}, spans="names")
    with pytest.raises(UsageError, match="'spans' needs one text column"):
        load(path, {"a": "x", "b": "y"}, text=["a", "b"], spans="spans")
