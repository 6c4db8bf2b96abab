"""CoNLL files: which text and spans they give, and every way in which one can be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustfim import DataError, Example, UsageError
from robustfim_files.conll_file import ConllFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "names.conll"


def load(path: Path, text: str, limit: int | None = None) -> list[Example]:
    path.write_text(text, encoding="utf-8", newline="")
    return list(ConllFile(path, limit).load())


def test_tokens_are_a_text_and_their_tags_its_spans(path: Path) -> None:
    text = "Ann\tB-person\nLee\tI-person\nsaw\tO\nBob\tB-person\nParis\tB-place\n\n\nIt\tO\n's\tO\n"
    assert load(path, text) == [
        Example({"text": "Ann Lee saw Bob Paris"}, "⟦0:7 person⟧ ⟦12:15 person⟧ ⟦16:21 place⟧"),
        Example({"text": "It 's"}, "⟦⟧"),
    ]


def test_four_columns_comments_and_marks_between_documents_are_read_as_in_conll_2003(path: Path) -> None:
    text = "-DOCSTART- -X- -X- O\n\n#comment\nEU NNP B-NP B-ORG\r\n# SYM O O\r\nrejects VBZ B-VP O\n"
    assert load(path, text) == [Example({"text": "EU # rejects"}, "⟦0:2 ORG⟧")]


@pytest.mark.parametrize(
    ("tags", "label"),
    [
        ("I-a I-a I-b", "⟦0:3 a⟧ ⟦4:5 b⟧"),
        ("B-a E-a S-a", "⟦0:3 a⟧ ⟦4:5 a⟧"),
        ("B-a L-a I-a", "⟦0:3 a⟧ ⟦4:5 a⟧"),
        ("U-a B-a I-a", "⟦0:1 a⟧ ⟦2:5 a⟧"),
        ("B-a O I-a", "⟦0:1 a⟧ ⟦4:5 a⟧"),
        ("B-creative-work I-creative-work O", "⟦0:3 creative-work⟧"),
    ],
)
def test_every_scheme_of_tags_gives_its_spans(path: Path, tags: str, label: str) -> None:
    rows = "\n".join(f"x\t{tag}" for tag in tags.split())
    assert load(path, rows) == [Example({"text": "x x x"}, label)]


def test_no_more_than_the_limit_is_read(path: Path) -> None:
    assert [example.text for example in load(path, "a\tO\n\nb\tX\n", limit=1)] == ["a"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no sentence"),
        ("\n", "no sentence"),
        ("a\tO\n\nb\tO\nc\tperson\n", "names.conll:3: the tag 'person' is neither O"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        load(path, text)


def test_options_without_a_usable_value_are_refused(path: Path) -> None:
    with pytest.raises(UsageError, match="unknown encoding"):
        ConllFile(path, encoding="utf-9")
