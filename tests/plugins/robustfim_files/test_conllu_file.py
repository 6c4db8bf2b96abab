"""CoNLL-U: a file of this project's own, and every way in which one can be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import robustfim
from robustfim import DataError, Example
from robustfim.spans import read_spans
from robustfim_files.conllu_file import ConlluFile

FILE = Path(__file__).parent / "ferry.conllu"


def word(number: int | str, form: str, misc: str = "_") -> str:
    return "\t".join([str(number), form, *"_" * 7, misc])


def load(path: Path, *lines: str, limit: int | None = None) -> list[Example]:
    path.write_text("\n".join(lines), encoding="utf-8")
    return list(ConlluFile(path, limit).load())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.conllu"


def named(example: Example) -> list[tuple[str, str]]:
    return [(example.text[span.start : span.end], span.label) for span in read_spans(example.label or "")]


def test_a_treebank_with_entities_is_texts_with_spans() -> None:
    first, second, third = ConlluFile(FILE).load()
    assert first.text == "Ngozi Eze didn't take the ferry from Oban, she swam."
    assert named(first) == [("Ngozi Eze", "person"), ("the ferry from Oban", "object"), ("she", "person")]
    assert second.text == "(It rained.)"
    assert named(second) == []
    assert named(third) == [("Oban's harbour", "place")]


def test_a_suite_reads_it_by_its_name() -> None:
    suite = {"suite": "s", "model": {"use": "reference/tagger"}, "data": {"use": "conllu", "path": str(FILE)},
             "checks": {"right": {"perturb": "itself", "expect": "correct"}}}  # fmt: skip
    record = robustfim.run(suite).record
    assert {recall.label for recall in record.checks[0].recall} | record.model.unclaimed.keys() == {
        "person",
        "object",
        "place",
    }


def test_the_file_says_where_its_label_stands(path: Path) -> None:
    (one,) = load(path, "# global.Entity = eid-head-etype", word(1, "Ana", "Entity=(e1-1-person)"))
    assert named(one) == [("Ana", "person")]


def test_words_that_are_not_in_the_text_and_parts_of_one_are_passed_over(path: Path) -> None:
    (one,) = load(path, word("1-2", "Anas", "SpaceAfter=No"), word(1, "Ana", "Entity=(e1-person)"), word(2, "is"),
                  word("2.1", "home"), word(3, "!"))  # fmt: skip
    assert one.text == "Anas!"
    assert named(one) == [("Anas", "person")]


def test_the_longest_of_entities_within_one_another_is_the_span(path: Path) -> None:
    (one,) = load(
        path, word(1, "Bank", "Entity=(e1-org-2(e2-thing)"), word(2, "of"), word(3, "Avon", "Entity=(e3-place)e1)")
    )
    assert named(one) == [("Bank of Avon", "org")]


def test_a_sentence_with_an_entity_in_pieces_is_left_out_and_counted(path: Path) -> None:
    source = ConlluFile(path)
    path.write_text("\n".join([word(1, "a", "Entity=(e1[1/2]-x)"), "", word(1, "b")]), encoding="utf-8")
    assert [example.text for example in source.load()] == ["b"]
    assert source.skipped == {"an entity in several pieces": 1}


def test_no_more_than_the_limit_is_read(path: Path) -> None:
    assert len(load(path, word(1, "a"), "", word(1, "b"), limit=1)) == 1


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([""], "no sentence"),
        (["a\tO"], r":1: the line has 2 columns; a word of CoNLL-U has ten"),
        ([word("x", "a")], r":1: 'x' is not a number of a word"),
        ([word(1, "a", "Entity=e1)")], r":1: .* closes e1, which is not open"),
        ([word(1, "a", "Entity=(e1-x")], r":1: the entity e1 is open where its sentence ends"),
        ([word(1, "a", "Entity=(e1)")], r":1: .* has no label behind its name"),
        ([word(1, "a", "Entity=person")], r":1: .* is not a bracket such as \(e1-person"),
        (["# global.Entity = eid-head", word(1, "a")], r":1: .* names no 'etype'"),
    ],
)
def test_what_is_no_entity_is_refused_with_its_line(lines: list[str], message: str, path: Path) -> None:
    with pytest.raises(DataError, match=message):
        load(path, *lines)
