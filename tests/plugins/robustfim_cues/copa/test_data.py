"""COPA's formats: the release, JSON Lines, the bundled instances; and files that nobody should trust."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest

from robustfim import DataError, Example, UsageError
from robustfim_cues.choices.choice import alternatives, partners
from robustfim_cues.choices.tokens import words
from robustfim_cues.copa.data import Copa
from robustfim_cues.measures.balance import faults, unmirrored
from robustfim_cues.measures.measures import measure

ITEM = """<item id="{id}" asks-for="{asks}" most-plausible-alternative="{gold}">
<p>{p}</p><a1>{a1}</a1><a2>{a2}</a2></item>"""
GOOD = {"id": "7", "asks": "cause", "gold": "2", "p": "The pipe froze.", "a1": "It was hot.", "a2": "It was cold."}


def write(folder: Path, *items: str, head: str = "") -> Path:
    path = folder / "copa.xml"
    path.write_text(f'<?xml version="1.0"?>{head}<copa-corpus version="1.0">{"".join(items)}</copa-corpus>')
    return path


def load(path: Path) -> list[Example]:
    return list(Copa(path).load())


def item(**changes: str) -> str:
    return ITEM.format(**{**GOOD, **changes})


def test_an_item_becomes_fields_a_label_and_columns(tmp_path: Path) -> None:
    head = '<!DOCTYPE copa-corpus SYSTEM "copa.dtd">'  # as released; the DTD is not fetched
    one, two = load(write(tmp_path, item(p="  Frost &amp; ice. "), item(id="1007", gold="1"), head=head))
    assert dict(one.fields) == {
        "premise": "Frost & ice.", "question": "cause", "choice1": "It was hot.", "choice2": "It was cold.",
    }  # fmt: skip
    assert one.label == "2"
    assert dict(one.meta) == {"number": "7", "pair": "7", "mirrored": False, "cluster": "7"}
    assert dict(two.meta) == {"number": "1007", "pair": "7", "mirrored": True, "cluster": "7"}


BOMB = '<!DOCTYPE copa-corpus [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
FILE = '<!DOCTYPE copa-corpus [<!ENTITY x SYSTEM "file.txt">]>'


@pytest.mark.parametrize(
    ("head", "items", "message"),
    [
        (BOMB, [item(p="&b;")], "uses an XML entity"),
        (BOMB, [item()], "uses an XML entity"),
        (FILE, [item(p="&x;")], "uses an XML entity"),
        ('<!DOCTYPE copa-corpus [<!ENTITY % x SYSTEM "x.dtd"> %x;]>', [item()], "uses an XML entity"),
        ('<!DOCTYPE copa-corpus SYSTEM "copa.dtd">', [item(p="&unknown;")], "uses an XML entity"),
        ("", [item(p="&unknown;")], "uses an XML entity"),
        ("", [item(p="<b>bold</b>")], "holds text alone"),
        ("", ["<item>"], "malformed XML"),
        ("", ["loose text", item()], "text outside"),
        ("", [item().replace("</a1>", "</a1>loose text")], "text outside"),
        ("", ["<thing/>"], "<thing> where an <item>"),
        ("", [item().replace("<p>The pipe froze.</p>", "")], "item 7: it has no <p>"),
        ("", [item().replace("</a1>", "</a1><a1>again</a1>")], "two <a1>"),
        ("", [item().replace("</item>", "<a3>It broke.</a3></item>")], "3 alternatives"),
        ("", [item().replace("</item>", "<b>It broke.</b></item>")], "unknown <b>"),
        ("", [item(gold="")], "no gold answer"),
        ("", [item(gold="3")], "the gold answer '3'"),
        ("", [item(asks="reason")], "'cause' or 'effect', not 'reason'"),
        ("", [item(a1=" ")], "is empty"),
        ("", [item(a1="It was cold.")], "both alternatives"),
        ("", [item(), item()], "two instances have the number 7"),
        ("", [], "there is no instance"),
    ],
)
def test_a_file_that_is_wrong_or_wicked_is_refused(tmp_path: Path, head: str, items: list[str], message: str) -> None:
    (tmp_path / "file.txt").write_text("a secret")
    with pytest.raises(DataError, match=message):
        load(write(tmp_path, *items, head=head))


def test_a_file_that_is_missing_or_no_corpus_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no file"):
        load(tmp_path / "none.xml")
    other = tmp_path / "other.xml"
    other.write_text("<html/>")
    with pytest.raises(DataError, match="the root is <html>"):
        load(other)
    with pytest.raises(UsageError, match=r"\.xml or \.jsonl"):
        Copa(tmp_path / "copa.csv")


def lines(folder: Path, *rows: object) -> Path:
    path = folder / "copa.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


ROW = {"premise": "The pipe froze.", "question": "cause", "choice1": "It was hot.", "choice2": "It was cold."}


def test_the_keys_of_superglue_and_of_this_project_are_read(tmp_path: Path) -> None:
    alike = [
        {**ROW, "label": 1, "idx": 4},
        {**ROW, "answer": 2, "id": "5", "mirrors": "4"},
        {"premise": "x", "question": "effect", "alternatives": ["It was hot.", "It was cold."], "answer": "2"},
    ]
    examples = load(lines(tmp_path, *alike))
    assert [example.label for example in examples] == ["2", "2", "2"]
    assert [example.meta["pair"] for example in examples] == ["4", "4", "3"]
    assert {alternatives(example) for example in examples} == {("It was hot.", "It was cold.")}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (ROW, "no gold answer"),
        ({**ROW, "label": -1}, "no gold answer"),
        ({**ROW, "label": 2}, "'label' is 0 or 1"),
        ({**ROW, "label": True}, "'label' is 0 or 1"),
        ({**ROW, "answer": 0}, "the gold answer '0'"),
        ({**ROW, "choice3": "It broke.", "answer": 1}, "3 alternatives"),
        ({**ROW, "alternatives": ["a", "b", "c"], "answer": 1}, "3 alternatives"),
        ({**ROW, "alternatives": "a", "answer": 1}, "must be a list of texts"),
        ({**ROW, "premise": 3, "answer": 1}, "'premise' must be a text"),
        ([ROW], "one JSON object"),
    ],
)
def test_a_line_that_is_wrong_is_refused(tmp_path: Path, row: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        load(lines(tmp_path, row))


def test_the_parts_are_the_originals_and_the_mirrors() -> None:
    parts = {part: len(list(Copa(part=part).load())) for part in ("all", "original", "mirrored")}
    assert parts == {"all": 162, "original": 81, "mirrored": 81}
    assert len(list(Copa(limit=3).load())) == 3


def test_in_the_bundled_instances_each_alternative_is_right_once_and_wrong_once() -> None:
    examples = list(Copa().load())
    assert unmirrored(examples) == []
    assert faults(examples) == []
    assert all(2 * cue.hits == cue.applicability for cue in measure(examples, minimum=1).found)
    for part in (examples[:81], examples[81:]):
        assert set(Counter(example.label for example in part).values()) == {40, 41}
    assert {example.fields["question"] for example in examples} == {"cause", "effect"}


def test_the_bundled_instances_are_no_near_duplicates() -> None:
    for field in ("premise", "choice1", "choice2"):
        texts = {
            example.fields[field]: frozenset(words(example.fields[field])) for example in Copa(part="original").load()
        }
        assert len(texts) == 81
        for (one, a), (two, b) in combinations(texts.items(), 2):
            assert len(a & b) / len(a | b) <= 0.5, (one, two)


def test_no_bundled_instance_is_one_of_copas(released: Sequence[Example]) -> None:
    theirs = [set(words(text)) for example in released for text in example.fields.values()]
    for example in Copa().load():
        for name in ("premise", "choice1", "choice2"):
            ours = set(words(example.fields[name]))
            assert all(len(ours & each) / len(ours | each) < 0.7 for each in theirs), example.fields[name]


def test_the_release_is_read_whole(released: Sequence[Example]) -> None:
    assert len(released) == 800
    assert unmirrored(released) == []
    assert {len(group) for group in partners(released).values()} == {2}
    for original, mirror in partners(released).values():
        right = {example.fields[f"choice{example.label}"] for example in (original, mirror)}
        assert right == set(alternatives(original)), "each alternative is right once"
    # The release itself repeats one premise.
    assert faults(released) == ["instance 1381, the mirror of 381, has the same premise"]
