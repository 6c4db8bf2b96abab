"""CSV: what is read, and every way in which a file can be wrong."""

from __future__ import annotations

import csv
import gzip
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustfim import DataError, Example, UsageError
from robustfim.reading import LARGEST_CELL
from robustfim_files.csv_file import CsvFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "reviews.csv"


def load(path: Path, contents: str | bytes, **options: Any) -> list[Example]:
    path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
    return list(CsvFile(path, **options).load())


def test_text_and_label_are_read_and_the_rest_is_meta(path: Path) -> None:
    assert load(path, "id,text,label\n7,good film,positive\n8,bad film,\n") == [
        Example({"text": "good film"}, "positive", {"id": "7"}),
        Example({"text": "bad film"}, None, {"id": "8"}),
    ]


def test_quotes_delimiters_line_breaks_and_unicode_arrive_whole(path: Path) -> None:
    texts = ['He said "no", twice', "two\nlines", "two\r\nlines", "a\rb", "naïve 😀 \u2028 \u0085 日本", " blanks "]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["text", "label"], *([text, "x"] for text in texts)])
    assert [example.fields["text"] for example in CsvFile(path).load()] == texts


text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")).filter(lambda each: each.strip())


@settings(deadline=None)
@given(rows=st.lists(st.tuples(text, text, text), min_size=1), delimiter=st.sampled_from(",;\t|"))
def test_what_the_standard_library_writes_comes_back(rows: list[tuple[str, str, str]], delimiter: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rows.csv")
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=delimiter).writerows([("text", "label", "note"), *rows])
        loaded = list(CsvFile(path, delimiter=delimiter, quotes="cells").load())
    assert loaded == [Example({"text": first}, second.strip(), {"note": third}) for first, second, third in rows]


def test_white_space_around_names_and_labels_is_none_of_theirs(path: Path) -> None:
    path.write_bytes("\ufeff text , label, page\r\n a film , good ,1\r\nno film,good,2\r\nlost, \t,3\r\n".encode())
    read = list(CsvFile(path, labels={"good": "positive"}).load())
    assert [(example.text, example.label) for example in read] == [
        (" a film ", "positive"),
        ("no film", "positive"),
        ("lost", None),
    ]
    assert [example.meta["page"] for example in read] == ["1", "2", "3"]


def test_several_text_columns_are_fields_in_the_order_of_the_option(path: Path) -> None:
    (example,) = load(path, "premise,hypothesis,label\np,h,yes\n", text=["hypothesis", "premise"])
    assert list(example.fields.items()) == [("hypothesis", "h"), ("premise", "p")]


def test_one_text_column_is_a_field_of_its_name(path: Path) -> None:
    (example,) = load(path, "sentence,label\ngood,yes\n", text="sentence")
    assert dict(example.fields) == {"sentence": "good"}


def test_blank_texts_are_left_out_and_counted(path: Path) -> None:
    path.write_text('text,label\n"",a\n"  ",b\ngood,c\n', encoding="utf-8")
    source = CsvFile(path)
    for _ in range(2):
        assert [example.label for example in source.load()] == ["c"]
        assert source.skipped == {"empty text": 2}


def test_a_pair_is_left_out_only_when_both_texts_are_blank(path: Path) -> None:
    loaded = load(path, "title,text,label\n,good,a\n,,b\n", text=["title", "text"])
    assert [dict(example.fields) for example in loaded] == [{"title": "", "text": "good"}]


def test_a_limit_counts_usable_examples_and_stops_reading(path: Path) -> None:
    contents = 'text,label\n"",a\ngood,b\nbad,c\nbroken,row,here\n'
    assert [example.label for example in load(path, contents, limit=2)] == ["b", "c"]


def test_blank_lines_are_no_rows(path: Path) -> None:
    assert len(load(path, "text,label\n\ngood,a\n\n\nbad,b\n\n")) == 2


def test_data_without_labels_says_so(path: Path) -> None:
    assert [example.label for example in load(path, "text\ngood\n", label=None)] == [None]
    with pytest.raises(DataError, match=r"no column 'label' for 'label'\. Columns: text\..*'label: null'"):
        load(path, "text\ngood\n")


def test_a_misspelled_column_is_refused_with_its_neighbour(path: Path) -> None:
    with pytest.raises(DataError, match=r"no column 'text' for 'text'\. Did you mean 'txt'\? Columns: txt, label\."):
        load(path, "txt,label\ngood,a\n")


def test_another_delimiter_can_be_named_and_is_guessed_in_the_message(path: Path) -> None:
    assert len(load(path, "text;label\ngood, really;a\n", delimiter=";")) == 1
    with pytest.raises(DataError, match=r"Columns: text;label\. Is the option delimiter ';' rather than ','\?"):
        load(path, "text;label\ngood;a\n")


@pytest.mark.parametrize("delimiter", ["", ",,", "\n", '"'])
def test_an_impossible_delimiter_is_refused(path: Path, delimiter: str) -> None:
    with pytest.raises(UsageError, match="is not one character"):
        CsvFile(path, delimiter=delimiter)


@pytest.mark.parametrize(
    ("row", "cells"), [("good, really,a", "3 cells"), ("good", "1 cell"), ('"two\nlines",a,b', "3 cells")]
)
def test_a_ragged_row_is_refused_with_its_first_line(path: Path, row: str, cells: str) -> None:
    with pytest.raises(DataError, match=rf"reviews\.csv:4: {cells} where the header has 2 columns.*quotes"):
        load(path, f'text,label\n"a\nb",x\n{row}\n')


@pytest.mark.parametrize("row", ['"never closed,a\nbad,b\n', '"closed"too early,a\n'])
def test_a_misplaced_quote_is_refused_with_the_line_it_begins_in(path: Path, row: str) -> None:
    with pytest.raises(DataError, match=r"reviews\.csv:3: .* A cell in quotes ends with a quote"):
        load(path, f"text,label\ngood,a\n{row}")


LETTERS = [
    pytest.param('"The soup was dull.\tneg\nA fine film.\tpos\n', "\t", id="a quote that nothing closes"),
    pytest.param('"The soup was dull.\tneg\nA fine film."\tpos\n', "\t", id="one that a later row closes"),
    pytest.param('"The soup" was dull.\tneg\nA fine film.\tpos\n', "\t", id="a title in quotes"),
    pytest.param('"The soup was dull.\tneg\n"A fine film.\tpos\n', "\t", id="two that nothing closes"),
    pytest.param('"The soup was dull.,neg\nA fine film.",pos\n', ",", id="commas"),
    pytest.param('"The soup was dull.;neg\nIt rained.;neg\nA fine film.";pos\n', ";", id="three rows"),
]


@pytest.mark.parametrize(("rows", "delimiter"), LETTERS)
def test_rows_are_never_merged_and_quotes_may_be_letters(path: Path, rows: str, delimiter: str) -> None:
    contents = f"text{delimiter}label\nIt was good.{delimiter}pos\n{rows}"
    with pytest.raises(DataError, match=r"reviews\.csv:3: .*say 'quotes: letters', or --data quotes=letters"):
        load(path, contents, delimiter=delimiter)
    read = load(path, contents, delimiter=delimiter, quotes="letters")
    assert [(example.text, example.label) for example in read] == [
        tuple(line.split(delimiter)) for line in contents.splitlines()[1:]
    ]


def test_a_cell_with_a_tab_does_not_hide_that_rows_were_merged(path: Path) -> None:
    with pytest.raises(DataError, match=r"reviews\.csv:3: a quote opens a cell that ends in line 4"):
        load(path, 'text\tlabel\n"a\tb"\tpos\n"The soup.\tneg\nA film."\tpos\n', delimiter="\t")


@pytest.mark.parametrize(
    "cell", ["two\nlines", "Dear sir, hello\nbye", "one,two\n\nthree", 'He said "no",\nand "yes", twice'], ids=repr
)
def test_a_cell_of_several_lines_is_none_of_several_rows(path: Path, cell: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "label"), (cell, "pos"), ("good", "neg")])
    assert [example.text for example in CsvFile(path).load()] == [cell, "good"]


def test_where_a_cell_may_be_rows_the_option_says_that_it_is_a_cell(path: Path) -> None:
    contents = 'text,label\n"1,000 people\nwere there",pos\n'
    with pytest.raises(DataError, match=r"reviews\.csv:2: a quote opens a cell that ends in line 3, .*'quotes: cells'"):
        load(path, contents)
    assert [example.text for example in load(path, contents, quotes="cells")] == ["1,000 people\nwere there"]


@pytest.mark.parametrize("contents", ["v1,v2,,,\npos,good,,,\n", ",v2,v1\n0,good,pos\n", "v2,, ,v1\ngood,x,y,pos\n"])
def test_columns_without_a_name_are_left_alone(path: Path, contents: str) -> None:
    assert load(path, contents, text="v2", label="v1") == [Example({"v2": "good"}, "pos")]
    with pytest.raises(DataError, match=r"Columns: (v1, v2|v2, v1)\. Name the right one"):
        load(path, contents, text="v2", label="v3")


@pytest.mark.parametrize(
    "first", ["sep=;\n", '"sep=;"\r\n', "\ufeffSEP=;\r\n"], ids=["as Excel writes it", "in quotes", "in capitals"]
)
def test_the_first_line_of_excel_names_the_delimiter(path: Path, first: str) -> None:
    contents = f"{first}text;label\ngood, really;pos\n"
    assert load(path, contents) == load(path, contents, delimiter=";") == [Example({"text": "good, really"}, "pos")]
    with pytest.raises(DataError, match=r"reviews\.csv:4: 1 cell "):
        load(path, f"{contents}bad\n")
    assert load(path, contents.replace(";", "\t"))[0].label == "pos"


@pytest.mark.parametrize("name", ["rows.tsv", "ROWS.TSV", "rows.tsv.gz", "rows.tab"])
def test_a_file_of_tabs_says_so_by_its_name(tmp_path: Path, name: str) -> None:
    written = b"text\tlabel\ngood, really\tpos\n"
    (tmp_path / name).write_bytes(gzip.compress(written) if name.endswith(".gz") else written)
    assert list(CsvFile(tmp_path / name).load()) == [Example({"text": "good, really"}, "pos")]


def test_a_long_document_fits_in_a_cell(path: Path) -> None:
    (example,) = load(path, f"text,label\n{'word ' * 100_000},a\n")
    assert len(example.fields["text"]) == 500_000


def test_an_endless_cell_is_refused(path: Path) -> None:
    before = csv.field_size_limit(131_072)  # the limit is the process's, and a program may have raised it
    try:
        with pytest.raises(DataError, match=r"reviews\.csv:2: field larger than field limit"):
            load(path, f"text,label\n{'x' * (LARGEST_CELL + 1)},a\n")
    finally:
        csv.field_size_limit(before)


@pytest.mark.parametrize("contents", ["", "\n\n", "\ufeff"])
def test_an_empty_file_is_refused(path: Path, contents: str) -> None:
    with pytest.raises(DataError, match=r"reviews\.csv is empty; it needs a header line"):
        load(path, contents)


def test_a_header_alone_is_refused(path: Path) -> None:
    with pytest.raises(DataError, match=r"columns \(text, label\) but no rows"):
        load(path, "text,label\n")


def test_a_file_of_blank_texts_is_refused(path: Path) -> None:
    with pytest.raises(DataError, match=r"no usable example: 2 rows, all left out \(2 × empty text\)"):
        load(path, "text,label\n,a\n,b\n")


def test_a_column_that_is_named_twice_is_refused(path: Path) -> None:
    with pytest.raises(DataError, match=r"reviews\.csv: 2 columns are named 'text'"):
        load(path, "text,label,text\na,b,c\n")


@pytest.mark.parametrize("options", [{"text": []}, {"text": ["a", "a"]}, {"encoding": "utf-88"}])
def test_an_option_without_a_usable_value_is_refused(path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        CsvFile(path, **options)


def test_several_labels_at_once_have_a_column_each(path: Path) -> None:
    path.write_text("text,toxic,insult,source\none,1,0,a\ntwo,1,1,b\nthree,0,0,c\n", encoding="utf-8")
    found = list(CsvFile(path, label=["toxic", "insult"]).load())
    assert [example.gold for example in found] == [("toxic",), ("toxic", "insult"), ("(none)",)]
    assert found[0].meta == {"source": "a"}
    with pytest.raises(DataError, match="no column 'insolt' for 'label'"):
        list(CsvFile(path, label=["toxic", "insolt"]).load())
    for wrong in ([], ["toxic", "toxic"], ["text"]):
        with pytest.raises(UsageError, match="'label' must list each column of labels"):
            CsvFile(path, label=wrong)
