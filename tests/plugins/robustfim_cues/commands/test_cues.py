"""``robustfim cues``, as a user types it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from robustfim import DataError
from robustfim.cli import main
from robustfim.statistics import percent
from robustfim_cues.choices.pairs import Pairs
from robustfim_cues.measures.measures import measure
from robustfim_reference.bundled import Reviews
from tests.robustfim.command_line import unbroken

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def cues(capsys: Capture, *arguments: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as stop:
        main(["cues", *arguments])
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    return int(stop.value.code or 0), shown.out + shown.err


class Tags(HTMLParser):
    """The tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.circles = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)


def rows(path: Path, given: Sequence[object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in given))
    return path


@pytest.mark.slow
def test_the_table_and_the_page_say_what_was_measured(tmp_path: Path, capsys: Capture) -> None:
    code, shown = cues(capsys, "reviews", "--minimum", "20", "--html", "c.html", "--top", "2")
    assert code == 0
    measured = measure(list(Reviews().load()), minimum=20).found
    first = measured[0]
    assert f"{first.text} " in shown.splitlines()[2]
    assert percent(first.productivity, first.interval) in shown
    tags = Tags()
    tags.feed((tmp_path / "c.html").read_text())
    assert tags.names.count("title") == 1 + 2 * len(measured), "each dot of both drawings is named"
    assert not {"link", "img"} & set(tags.names)
    assert tags.names.count("script") == 1
    assert "mark" in tags.names


def test_the_page_shows_examples_of_each_cue_with_the_cue_marked(tmp_path: Path, capsys: Capture) -> None:
    given = [{"text": f"Not, not <b>{n}</b>", "label": "bad"} for n in range(3)] + [
        {"text": "fine", "label": "good"}
    ] * 3
    rows(tmp_path / "d.jsonl", given)
    code, _ = cues(capsys, "d.jsonl", "--minimum", "3", "--html", "c.html")
    assert code == 0
    page = (tmp_path / "c.html").read_text()
    assert page.count("<mark>Not</mark>, <mark>not</mark> &lt;b&gt;") == 3
    assert page.count('href="#cue-1"') == 2
    assert '<ul id="cue-1"' in page
    rows(tmp_path / "p.jsonl", [{"a": "x y", "b": "y", "label": n % 2} for n in range(6)])
    assert cues(capsys, "p.jsonl", "-o", "text=[a, b]", "--ngrams", "2", "--minimum", "3", "--html", "p.html")[0] == 0
    page = (tmp_path / "p.html").read_text()
    assert page.count("<mark>x y</mark>") == 6  # of the field a alone


def test_the_marked_alternative_is_the_one_with_the_cue(tmp_path: Path, capsys: Capture) -> None:
    rows(
        tmp_path / "d.jsonl",
        [
            {"premise": f"p{n}", "question": "cause", "choice1": "It was so", "choice2": f"no {n}", "answer": 1 + n % 2}
            for n in range(4)
        ],
    )
    assert cues(capsys, "d.jsonl", "--minimum", "4", "--html", "c.html")[0] == 0
    page = (tmp_path / "c.html").read_text()
    assert page.count("It <mark>was</mark> so") == 4
    assert page.index("right; p0") < page.index("wrong; p1")


def test_what_a_file_is_called_and_holds_is_escaped(tmp_path: Path, capsys: Capture) -> None:
    # A field's name is the user's, and stands before each of its cues.
    name = "<script>alert(1)</script>"
    given = [{name: "yes", "b": "x", "label": n % 2} for n in range(6)]
    rows(tmp_path / "<b>.jsonl", given)
    code, _ = cues(capsys, "<b>.jsonl", "-o", f'text=["{name}", b]', "--html", "c.html")
    assert code == 0
    page = (tmp_path / "c.html").read_text()
    assert "&lt;script&gt;" in page
    tags = Tags()
    tags.feed(page)
    assert "b" not in tags.names
    assert tags.names.count("script") == 1


def test_a_choice_is_known_by_its_keys(tmp_path: Path, capsys: Capture) -> None:
    row = {"premise": "p", "question": "cause", "choice1": "a b", "choice2": "c", "answer": 1}
    rows(tmp_path / "d.jsonl", [row])
    _, shown = cues(capsys, "d.jsonl", "--minimum", "1")
    assert "3 cues in 1 choices" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing",), "unknown data source 'nothing'"),
        (("table", "::"), "unknown data source '::'"),
        (("a: b.csv",), "a: b.csv"),
        (("none.xml",), "no file"),
        (("none.jsonl",), "none.jsonl"),
        (("copa", "-o", "parts=all"), "Did you mean 'part'"),
        (("balance", "reviews"), "holds no choices"),
        (("split", "reviews"), "name a field to leave out"),
        (("copa", "--html", ".", "--minimum", "9"), "is a directory"),
    ],
)
def test_a_mistake_is_told_without_a_traceback(capsys: Capture, arguments: Sequence[str], message: str) -> None:
    code, shown = cues(capsys, *arguments)
    assert code in (2, 4)
    assert message in shown


@pytest.mark.parametrize(("options", "cells"), [((), []), (("--minimum", "1"), ["1 of 1", "5.000"])])
def test_the_sensitivity_of_one_row_is_measured_and_no_correlation_made_up(
    tmp_path: Path, capsys: Capture, options: Sequence[str], cells: Sequence[str]
) -> None:
    pytest.importorskip("torch")
    row = {"premise": "p", "question": "cause", "choice1": "a b", "choice2": "c", "answer": 1}
    rows(tmp_path / "one.jsonl", [row])
    module = ("-p", "tests.plugins.robustfim_cues.choosing")
    code, shown = cues(capsys, "sensitivity", "one.jsonl", "--model", "use=choosing", *module, *options)
    assert code == 0
    assert "too few cues, or no difference between them, to correlate sensitivity with productivity" in unbroken(shown)
    assert "nan" not in shown
    assert all(cell in shown for cell in cells)
    assert ("1 of 1" in shown) == bool(cells), "no cue stands in the usual number of places"


def test_balance_lists_what_needs_a_mirror_and_what_is_wrong_with_one(tmp_path: Path, capsys: Capture) -> None:
    base = {"question": "cause", "choice1": "It was hot.", "choice2": "It rained."}
    originals = [{**base, "id": n, "premise": f"p{n}", "choice2": f"It rained {n}.", "answer": 1} for n in range(1, 7)]
    good = {**originals[0], "id": 1001, "premise": "q", "answer": 2}
    mirrors = [
        good,
        {**good, "id": 1002, "choice2": "Other.", "premise": "r"},
        {**originals[2], "id": 1003, "premise": "s"},
        {**originals[3], "id": 1004, "answer": 2},
        {**originals[4], "id": 1005, "answer": 2, "premise": "t", "question": "effect"},
        {**good, "id": 1009},
    ]
    rows(tmp_path / "o.jsonl", originals)
    rows(tmp_path / "m.jsonl", mirrors)
    code, shown = cues(capsys, "balance", "o.jsonl", "--mirrored", "m.jsonl")
    assert code == 1
    # Six times right: hot, was; six times wrong: rained. "it" stands in both.
    shown = " ".join(shown.split())
    told = "before: 6 instances, 3 of 3 cues unbalanced, 0 surely, productivity at most 0.50 from 1/2 "
    assert sorted(shown.removeprefix(told).partition(" after:")[0].split(", ")) == ["hot", "rained", "was"]
    assert "1 instances need a mirror: 6" in shown
    for fault in (
        "instance 1002, the mirror of 2, has other alternatives",
        "instance 1003, the mirror of 3, has the same answer",
        "instance 1004, the mirror of 4, has the same premise",
        "instance 1005, the mirror of 5, asks for another thing",
        "instance 1009 mirrors 9, which is not there",
    ):
        assert fault in shown


def test_the_bundled_instances_are_complete(capsys: Capture) -> None:
    code, shown = cues(capsys, "balance", "copa")
    assert code == 0
    assert "after: 162 instances, 0 of 48 cues unbalanced" in shown
    assert "each instance has its mirror" in shown


def test_pairs_are_found_by_the_columns_of_releases(tmp_path: Path) -> None:
    path = rows(tmp_path / "snli.jsonl", [
        {"sentence1": "A", "sentence2": "B", "gold_label": "entailment", "captionID": "7"},
        {"sentence1": "A", "sentence2": "C", "gold_label": "-"},
    ])  # fmt: skip
    source = Pairs(path)
    (one,) = source.load()
    assert dict(one.fields) == {"sentence1": "A", "sentence2": "B"}
    assert (one.label, dict(one.meta)) == ("entailment", {"captionID": "7"})
    assert source.skipped == {"no gold label": 1}
    table = tmp_path / "qqp.tsv"
    table.write_text('id\tquestion1\tquestion2\tis_duplicate\n1\tWhat "is\tWhy?\t0\n')
    (two,) = Pairs(table).load()
    assert (two.fields["question1"], two.label) == ('What "is', "0")
    (three,) = Pairs(path, first="sentence2", second="sentence1", label="captionID").load()
    assert (list(three.fields), three.label) == (["sentence2", "sentence1"], "7")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": "b"}', "are not the columns of a released file"),
        ('{"premise": 1, "hypothesis": "b", "label": 0}', "'premise' must be a text"),
        ('{"premise": "a", "hypothesis": "b", "label": [0]}', "a label is a text"),
        ('{"premise": "a", "hypothesis": "b", "label": "-"}', "no labelled pair"),
        ("{", "malformed JSON"),
        ("[]", "one JSON object"),
    ],
)
def test_a_malformed_pair_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(text)
    with pytest.raises(DataError, match=message):
        list(Pairs(path).load())
