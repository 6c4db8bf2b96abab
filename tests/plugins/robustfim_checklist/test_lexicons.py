from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import DataError
from robustfim_checklist.lexicons import read_lexicons


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("words.yaml", "adj: [good, great, good]\nname: [Ana]\n"),
        ("words.yml", "lexicons: {adj: [good, great], name: [Ana]}\n"),
        ("words.json", '{"adj": ["good", "great"], "name": ["Ana"]}'),
    ],
)
def test_a_mapping_of_names_to_words_is_read(tmp_path: Path, name: str, text: str) -> None:
    assert read_lexicons(write(tmp_path, name, text)) == {"adj": ("good", "great"), "name": ("Ana",)}


def test_a_text_file_is_the_lexicon_of_its_name(tmp_path: Path) -> None:
    assert read_lexicons(write(tmp_path, "adj.txt", "# adjectives\ngood\n\n very good \n")) == {
        "adj": ("good", "very good")
    }


def test_a_folder_is_all_its_files_and_the_suite_comes_first(tmp_path: Path) -> None:
    write(tmp_path, "adj.txt", "good\n")
    write(tmp_path, "rest.yaml", "name: [Ana]\n")
    write(tmp_path, "README.md", "no lexicon")
    assert read_lexicons(tmp_path, {"adj": ["bad"]}) == {"adj": ("bad",), "name": ("Ana",)}


def test_without_a_file_the_suites_own_are_all() -> None:
    assert read_lexicons(None, {"adj": ["good"]}) == {"adj": ("good",)}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.yaml", "adj: good", "the lexicon 'adj' must be a list of words, not 'good'"),
        ("a.yaml", "adj: []", "the lexicon 'adj' must be a list of words, not []"),
        ("a.yaml", "adj: [good, no]", "the lexicon 'adj' has the value False, which is not text. Put it in quotes."),
        ("a.yaml", "adj: [good", ":1: malformed YAML"),
        ("a.yaml", "- good", "lexicons are a mapping of names to lists of words"),
        ("a.yaml", "adj: !!python/object/apply:os.system [true]", ":1: malformed YAML"),
        ("a.txt", "# nothing\n", "the lexicon 'a' must be a list of words"),
        ("a.csv", "good", "lexicons are read from .yaml, .yml, .json, .txt files"),
    ],
)
def test_a_malformed_lexicon_is_told_with_its_file(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = write(tmp_path, name, text)
    with pytest.raises(DataError) as raised:
        read_lexicons(path)
    assert str(raised.value).startswith(str(path))
    assert message in str(raised.value)


def test_a_file_that_is_missing_or_no_text_is_told(tmp_path: Path) -> None:
    write(tmp_path, "words.yaml", "adj: [good]")
    with pytest.raises(DataError, match=r"no file .*word\.yaml\. Did you mean 'words\.yaml'\?"):
        read_lexicons(tmp_path / "word.yaml")
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9\n")
    with pytest.raises(DataError, match="is not UTF-8 text: byte 3"):
        read_lexicons(tmp_path / "latin.txt")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="holds no lexicon"):
        read_lexicons(tmp_path / "empty")
    write(tmp_path, "adj.txt", "good")
    (tmp_path / "latin.txt").unlink()
    with pytest.raises(DataError, match="defines the lexicon 'adj', too"):
        read_lexicons(tmp_path)
