"""The window: edits lie in what a model reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustfim.candidate import Candidate, Edit
from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.outcome import Outcome
from robustfim.window import Window, windows
from tests.robustfim.toys import Bench, CountingModel, check, example

WORD = re.compile(r"\w+")


def read_by(example: Example, first: int, count: int) -> list[tuple[str, str]]:
    """What a model reads that sees ``count`` words of each field from the word ``first`` on."""
    return [(name, word) for name, text in example.fields.items() for word in WORD.findall(text)[first : first + count]]


def told_by(example: Example, first: int, count: int) -> list[tuple[str, int, int]]:
    return [
        (name, *match.span())
        for name, text in example.fields.items()
        for match in list(WORD.finditer(text))[first : first + count]
    ]


@settings(max_examples=300)
@given(st.integers(0, 12), st.integers(1, 12), st.integers(1, 30), st.integers(0, 2**16))
def test_what_lies_outside_is_not_read_and_what_is_inside_is(first: int, count: int, length: int, seed: int) -> None:
    random = Random(seed)
    text = "".join(f"w{number}{random.choice([' ', '  '])}" for number in range(length))
    whole = Example({"text": text, "title": "a b c"})
    window = Window.of(whole, told_by(whole, first, count))
    for match in WORD.finditer(text):
        edit = Edit("text", *match.span(), match[0], "other", "test")
        changed = Candidate(whole, (edit,)).example
        moved = read_by(changed, first, count) != read_by(whole, first, count)
        assert window.holds(edit) == window.touches([edit]) == moved
        inserted = Edit("text", match.start(), match.start(), "", "other ", "test")
        later = read_by(Candidate(whole, (inserted,)).example, first, count) != read_by(whole, first, count)
        if window.holds(inserted):
            assert later
    appended = Candidate(whole, (Edit("text", len(text), len(text), "", " other", "test"),))
    moved = read_by(appended.example, first, count) != read_by(whole, first, count)
    if moved and first < length:
        assert window.touches(appended.edits)
    assert read_by(window.cut(whole), 0, 99) == read_by(whole, first, count)


@pytest.mark.parametrize(
    "spans", [[("text", 2, 99)], [("text", -1, 2)], [("title", 0, 1)], [("text", 3, 2)], 7, [("text",)]]
)
def test_a_model_that_tells_what_is_no_place_is_refused(spans: Any) -> None:
    class Told(CountingModel):
        def window(self, examples: Sequence[Example]) -> Any:
            return [spans for _ in examples]

    with pytest.raises(ModelError, match="the model's 'window' gave"):
        windows(Told(), [example("a film")])


class Swap:
    """Puts another word in the place of each."""

    def edits(self, example: Example, random: Random) -> list[Edit]:
        return [Edit("text", *match.span(), match[0], "dull", "swap") for match in WORD.finditer(example.text)]


class Append:
    """Adds a sentence at the end."""

    def propose(self, example: Example, random: Random) -> list[Candidate]:
        end = len(example.text)
        return [Candidate(example, (Edit("text", end, end, "", " It was so dull.", "append"),))]


class ShortSighted(CountingModel):
    """Reads five words."""

    fingerprint = "short-sighted"

    def window(self, examples: Sequence[Example]) -> list[Any]:
        return [None if len(WORD.findall(each.text)) < 6 else told_by(each, 0, 5) for each in examples]

    def predict(self, examples: Sequence[Example]) -> Any:
        read = [" ".join(word for _, word in read_by(each, 0, 5)) for each in examples]
        return super().predict([example(text) for text in read])


TEXTS = [f"a good film number {number} {' and so on' * 40}" for number in range(20)]


def test_edits_are_proposed_where_the_model_reads() -> None:
    bench = Bench([example(text) for text in TEXTS], model=ShortSighted())
    record, _ = bench.run(check(Swap(), perturb={"candidates": 4, "words": 0.2}, limit=0.5))
    assert record.tested == record.partly == 20
    assert record.candidates.edits_rejected == {"outside of what the model reads": 20 * 120}
    assert record.candidates.unmoved == 0
    assert "20 of 20 texts are read in part" in record.caveats


def test_a_candidate_that_changes_nothing_that_is_read_does_not_apply() -> None:
    bench = Bench([example(text) for text in [*TEXTS, "a good film"]], model=ShortSighted())
    record, _ = bench.run(check(Append(), limit=0.5))
    counts = record.candidates
    assert (counts.proposed, counts.outside, counts.not_applicable, counts.tested) == (21, 20, 20, 1)
    assert record.tested == 1
    alone, _ = Bench([example(text) for text in TEXTS], model=ShortSighted()).run(check(Append(), limit=0.5))
    assert alone.ended is Outcome.ERROR
    assert "20 outside of what the model reads" in alone.message


def test_a_share_of_candidates_that_moved_nothing_stands_beside_the_rate_from_half_on() -> None:
    class Silent(ShortSighted):
        window: Any = None

    bench = Bench([example(text) for text in TEXTS], model=Silent())
    record, _ = bench.run(check(Swap(), perturb={"candidates": 8}, limit=0.5))
    counts = record.candidates
    assert counts.unmoved > counts.tested / 2
    assert record.caveats == [f"{counts.unmoved:,} of {counts.tested:,} candidates move no probability"]
