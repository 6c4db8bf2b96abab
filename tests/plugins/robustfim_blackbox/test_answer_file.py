"""Files of answers, and files of texts to be answered."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from robustfim import Example, ModelError, UsageError
from robustfim_blackbox.answer_file import AnswerFile, require_suffix, write_texts

LABELS = ("negative", "positive")
GOOD, BAD = Example({"text": 'a good, "fine"\nfilm'}), Example({"text": "a bad film"})


def file(folder: Path, contents: str, name: str = "answers.jsonl") -> AnswerFile:
    path = folder / name
    path.write_text(contents, encoding="utf-8")
    return AnswerFile(path, LABELS)


def lines(*rows: Any) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def test_an_answer_is_found_by_the_id_or_by_the_fields(tmp_path: Path) -> None:
    answers = file(
        tmp_path, lines({"id": GOOD.id, "label": "positive"}, {"text": BAD.text, "label": "negative", "n": 3})
    )
    assert (answers.find(GOOD), answers.find(BAD)) == ([0, 1], [1, 0])
    assert answers.find(Example({"text": "else"})) is None
    assert len(answers) == 2


def test_answers_to_pairs_are_found_by_their_fields(tmp_path: Path) -> None:
    pair = Example({"premise": "a", "hypothesis": "b"})
    assert file(tmp_path, lines({"hypothesis": "b", "premise": "a", "label": "positive"})).find(pair) == [0, 1]


@pytest.mark.parametrize("given", [[0.25, 0.75], {"positive": 0.75, "negative": 0.25}])
def test_probabilities_are_a_list_or_a_mapping(tmp_path: Path, given: Any) -> None:
    assert file(tmp_path, lines({"id": GOOD.id, "probabilities": given})).find(GOOD) == [0.25, 0.75]


def test_a_csv_file_has_a_column_for_the_label_or_for_each_label(tmp_path: Path) -> None:
    by_label = file(tmp_path, f"id,label\n{GOOD.id},positive\n", "a.csv")
    assert by_label.find(GOOD) == [0, 1]
    by_number = file(tmp_path, f"\ufeffid,positive,negative\n{GOOD.id},0.75,0.25\n", "b.csv")
    assert by_number.find(GOOD) == [0.25, 0.75]


def test_a_row_without_an_answer_is_not_answered(tmp_path: Path) -> None:
    answers = file(tmp_path, lines({"id": GOOD.id, "text": GOOD.text}, {"id": BAD.id, "label": None}))
    assert (len(answers), answers.blank) == (0, 2)
    assert len(file(tmp_path, f"id,label,positive,negative\n{GOOD.id},,,\n", "a.csv")) == 0
    assert len(AnswerFile(tmp_path / "not there.jsonl", LABELS)) == 0


def test_a_csv_file_that_was_appended_to_another_is_read(tmp_path: Path) -> None:
    contents = f"id,label\n{GOOD.id},positive\nid,label\n{BAD.id},negative\n"
    assert file(tmp_path, contents, "a.csv").find(BAD) == [1, 0]


def test_one_answer_twice_is_fine_and_two_answers_are_not(tmp_path: Path) -> None:
    same = lines(*[{"id": GOOD.id, "label": "positive"}] * 2)
    assert file(tmp_path, same).find(GOOD) == [0, 1]
    other = same + lines({"text": GOOD.text, "label": "negative"})
    with pytest.raises(ModelError, match=r"answers.jsonl:3 and .*answers.jsonl:1 give different answers to the text"):
        file(tmp_path, other).find(GOOD)


@pytest.mark.parametrize(
    ("name", "contents", "message"),
    [
        ("a.jsonl", '{"id": "1", "label": "positive"}\n{"id"\n', r"a.jsonl:2: malformed JSON"),
        ("a.jsonl", '["positive"]\n', r"a.jsonl:1: a line holds one JSON object, not \['positive'\]"),
        ("a.jsonl", '{"id": "1", "label": "postive"}\n', r"a.jsonl:1 gave 'postive'.* Did you mean 'positive'\?"),
        (
            "a.jsonl",
            '{"id": "1", "probabilities": {"positive": 1}}\n',
            r"a.jsonl:1 gave .* without a number for the label 'negative'",
        ),
        ("a.jsonl", '{"id": "1", "probabilities": 0.5}\n', r"a.jsonl:1 gave 0.5 for a text"),
        ("a.jsonl", '{"label": "positive"}\n', r"a.jsonl:1: neither an 'id' nor the fields text name"),
        ("a.csv", "id,label\n1,positive,x\n", r"a.csv:2: 3 cells where the header has 2"),
        ("a.csv", 'id,label\n1,"positive\n', r"a.csv:2: unexpected end of data"),
        ("a.csv", "id,positive\n1,0.5\n", r"a.csv:2 gave {'positive': 0.5} without a number for the label 'negative'"),
        ("a.csv", "id,positive,negative\n1,high,low\n", r"a.csv:2: the columns negative, positive must hold numbers"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(tmp_path: Path, name: str, contents: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        file(tmp_path, contents, name).find(GOOD)


def test_a_file_of_another_encoding_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("id,label\n1,é\n".encode("latin-1"))
    with pytest.raises(ModelError, match=r"a\.csv is not UTF-8 text: byte 11 cannot be read\."):
        AnswerFile(tmp_path / "a.csv", LABELS)


def test_texts_are_written_with_their_ids(tmp_path: Path) -> None:
    odd = Example({"text": "half \ud83d"})
    write_texts(tmp_path / "ask" / "ask.jsonl", [GOOD, odd], LABELS)
    rows = [json.loads(line) for line in (tmp_path / "ask" / "ask.jsonl").read_text(encoding="utf-8").splitlines()]
    assert rows == [{"id": GOOD.id, "text": GOOD.text}, {"id": odd.id, "text": odd.text}]
    write_texts(tmp_path / "ask.csv", [GOOD, odd], LABELS)
    with (tmp_path / "ask.csv").open(encoding="utf-8", newline="") as text:
        assert list(csv.DictReader(text)) == [{"id": GOOD.id, "text": GOOD.text}, {"id": odd.id, "text": "half ?"}]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ask", "ask.csv"], "nothing unfinished is left"


def test_a_field_that_cannot_be_told_from_an_answer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the field 'label' is named like a column of answers"):
        write_texts(tmp_path / "ask.jsonl", [Example({"label": "a"})], LABELS)
    with pytest.raises(UsageError, match="the field 'positive'"):
        write_texts(tmp_path / "ask.csv", [Example({"positive": "a", "negative": "b", "text": "c"})], LABELS[1:])


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be written"):
        write_texts(tmp_path / "file" / "ask.jsonl", [GOOD], LABELS)


def test_a_name_says_what_a_file_is() -> None:
    for name in ("a.jsonl", "a.CSV", "a.ndjson"):
        require_suffix(Path(name), "path")
    with pytest.raises(UsageError, match=r"export: answers\.txt must end in"):
        require_suffix(Path("answers.txt"), "export")
