"""Spans: their notation, and their way through edits, against a reference that follows every character."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from random import Random

import pytest

import robustfim
from robustfim.candidate import Candidate, Edit
from robustfim.errors import RobustfimError
from robustfim.example import Example
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.prediction import Prediction, normal_form
from robustfim.spans import Span, is_spans, project, read_spans, require_spans, span_parts, written_spans

TEXT = "Ann Lee flew to Paris, said Bob."
ANN, PARIS, BOB = Span(0, 7, "person"), Span(16, 21, "place"), Span(28, 31, "person")


def test_what_is_written_is_read_again() -> None:
    spans = (Span(0, 3, "person of note", 0.25), Span(4, 5, "B-x", 1e-12), Span(5, 9, "ort"))
    assert read_spans(written_spans(reversed(spans))) == spans
    assert read_spans("⟦⟧") == ()
    assert normal_form(written_spans(spans)) == "⟦0:3 person of note⟧ ⟦4:5 B-x⟧ ⟦5:9 ort⟧"


@pytest.mark.parametrize("label", ["positive", "", "⟦", "⟦0:3⟧", "⟦0:3 a⟧⟦4:5 b⟧", "⟦⟧ ⟦0:3 a⟧", "x ⟦0:3 a⟧", None])
def test_no_other_label_is_taken_for_spans(label: str | None) -> None:
    assert not is_spans(label)


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        ([(0, 40, "person")], r"0:40 \(person\) lies outside its text, which has 32 characters"),
        ([(3, 3, "person")], "not 3 and 3"),
        ([(-1, 3, "person")], "not -1 and 3"),
        ([(0, 3, "")], "label of a span"),
        ([(0, 3, "a⟧")], "label of a span"),
        ([(0, 3, "person", 1.5)], r"lies in \[0, 1\]"),
        ([(0, 3, "person", float("nan"))], r"lies in \[0, 1\]"),
        ([(0, 3)], r"\(start, end, label\)"),
        (["Ann"], r"\(start, end, label\)"),
        ([(0, "x", "person")], r"\(start, end, label, probability\)"),
        ([ANN, (4, 9, "place")], r"0:7 \(person\) and 4:9 \(place\) overlap"),
    ],
)
def test_what_is_no_span_of_the_text_is_refused(spans: list[object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        require_spans(spans, TEXT, apart=True)


def test_predicted_spans_may_overlap() -> None:
    assert require_spans([(4, 9, "place"), ANN, ANN], TEXT) == (ANN, Span(4, 9, "place"))


def edit(before: str, after: str, start: int = 0) -> Edit:
    """The edit of the first occurrence of a text."""
    place = TEXT.index(before, start)
    return Edit("text", place, place + len(before), before, after)


@pytest.mark.parametrize(
    ("change", "carried", "otherwise"),
    [
        (edit("flew", "travelled"), "Ann Lee", "Ann Lee"),
        (edit("Lee", "Smith"), "Ann Smith", None),
        (edit("Ann Lee", "Kim"), "Kim", None),
        (edit("Ann Lee flew", "Ann Lee went"), "Ann Lee", "Ann Lee"),
        (edit("Lee", "Leee"), "Ann Leee", None),
        (Edit("text", 7, 7, "", "e"), "Ann Leee", None),
        (Edit("text", 7, 7, "", ","), "Ann Lee", "Ann Lee"),
        (Edit("text", 0, 0, "", "Dear "), "Ann Lee", "Ann Lee"),
        (Edit("text", 0, 0, "", "x"), "xAnn Lee", None),
        (edit(" flew", "flew"), None, None),
        (edit("Lee flew", "Kim went"), None, None),
        (edit("Ann Lee", ""), None, None),
    ],
)
def test_a_span_keeps_its_label_where_the_perturbation_says_so(
    change: Edit, carried: str | None, otherwise: str | None
) -> None:
    for carries, expected in ((True, carried), (False, otherwise)):
        found = project(TEXT, [ANN, PARIS], [change], carries=carries)
        text = Candidate(Example({"text": TEXT}), (change,)).example.text
        first, second = found.kept
        assert second is not None
        assert text[second.start : second.end] == "Paris"
        assert (None if first is None else text[first.start : first.end]) == expected
        assert found.left == (expected is None)


def test_what_stands_for_a_lost_span_is_open() -> None:
    found = project(TEXT, [ANN, PARIS], [edit("Lee flew", "Kim went")], carries=True)
    assert found.changed == ((0, 12),)
    assert found.is_open(Span(4, 7, "person"))
    assert not found.is_open(Span(16, 21, "place"))


def test_gold_spans_of_a_candidate_are_where_they_are_now() -> None:
    source = Example({"text": TEXT}, written_spans([ANN, PARIS]))
    swap = (edit("Ann Lee", "Kim"), edit("Paris", "Rome"))
    assert Candidate(source, swap, carries=True).example.label == "⟦0:3 person⟧ ⟦12:16 place⟧"
    assert Candidate(source, swap).example.label == "⟦⟧"
    assert Candidate(source, swap).with_edits(swap[:1]).example.label == "⟦12:17 place⟧"


def test_a_prediction_has_the_spans_of_its_answer() -> None:
    sure = Span(0, 7, "person", 0.75)
    found = Prediction.of_answers([(written_spans([sure]), 0.75)])
    assert found.spans == (sure,)
    assert found.says(written_spans([ANN]))
    assert Prediction.of_answers([("Paris", 1.0)]).spans is None
    assert Prediction.of((0.4, 0.6), ("a", "b")).spans is None


# ---- every character ------------------------------------------------------------------------------------


def literal(text: str, spans: list[Span], edits: list[Edit], carries: bool) -> list[Span | None]:
    """Projection, character by character: each one of the new text knows the old one that it is, or its edit."""
    cells: list[tuple[str, int | None, int | None]] = []
    removed: dict[int, int] = {}
    borders: list[tuple[int, int, str]] = []
    place = 0
    for number, each in enumerate(sorted(edits)):
        cells += [(text[at], at, None) for at in range(place, each.start)]
        old, new = list(range(each.start, each.end)), each.after
        head: list[int] = []
        while old and new and text[old[0]] == new[0]:
            head, old, new = [*head, old[0]], old[1:], new[1:]
        tail: list[int] = []
        while old and new and text[old[-1]] == new[-1]:
            tail, old, new = [old[-1], *tail], old[:-1], new[:-1]
        begin = head[-1] + 1 if head else each.start
        borders.append((begin, begin + len(old), new))
        removed |= dict.fromkeys(old, number)
        cells += [(text[at], at, None) for at in head]
        cells += [(character, None, number) for character in new]
        cells += [(text[at], at, None) for at in tail]
        place = each.end
    cells += [(text[at], at, None) for at in range(place, len(text))]

    def word(left: str, right: str) -> bool:
        return left.isalnum() and right.isalnum()

    found: list[Span | None] = []
    for span in spans:
        own = set(range(span.start, span.end))
        within, beyond = set(), False
        for number, (begin, end, new) in enumerate(borders):
            gone = {at for at, by in removed.items() if by == number}
            if gone & own:
                within.add(number)
                beyond |= bool(gone - own)
            elif not gone and new and span.start < begin < span.end:
                within.add(number)
            elif (gone or new) and begin == span.end:
                next_old = text[begin : begin + 1]
                next_new = new[:1] or text[end : end + 1]
                if word(text[begin - 1], next_new) and not word(text[begin - 1], next_old):
                    within.add(number)
                    beyond |= bool(gone)
            elif (gone or new) and end == span.start:
                last_old = text[end - 1 : end] if end else ""
                last_new = new[-1:] or text[max(begin - 1, 0) : begin]
                if word(last_new, text[end]) and not word(last_old, text[end]):
                    within.add(number)
                    beyond |= bool(gone)
        mine = [at for at, (_, old_place, by) in enumerate(cells) if old_place in own or by in within]
        if within and (not carries or beyond or not mine):
            found.append(None)
        else:
            assert mine == list(range(mine[0], mine[-1] + 1))
            found.append(Span(mine[0], mine[-1] + 1, span.label))
    return found


def words_of(text: str) -> list[tuple[int, int]]:
    """Places of words."""
    ends, start = [], None
    for at, character in enumerate(f"{text} "):
        if character.isalnum() and start is None:
            start = at
        elif not character.isalnum() and start is not None:
            ends.append((start, at))
            start = None
    return ends


def drawn_spans(text: str, random: Random) -> list[Span]:
    """Some spans of words, and some that begin or end anywhere."""
    words, found = words_of(text), []
    for _ in range(random.randrange(1, 5)):
        if words and random.random() < 0.8:
            first = random.randrange(len(words))
            last = min(len(words) - 1, first + random.randrange(3))
            found.append(Span(words[first][0], words[last][1], "name"))
        elif len(text) > 1:
            start = random.randrange(len(text) - 1)
            found.append(Span(start, random.randrange(start + 1, len(text)) + 1, "name"))
    return found


def require_aligned(text: str, spans: list[Span], edits: list[Edit]) -> int:
    """Hold a case against the reference, and what no edit touched against its words; the spans that were held."""
    after = Candidate(Example({"text": text}), tuple(edits)).example.text
    untouched = project(text, spans, edits)
    for carries, found in ((False, untouched), (True, project(text, spans, edits, carries=True))):
        assert list(found.kept) == literal(text, spans, edits, carries), (text, edits, carries)
        assert all(span.end <= len(after) for span in found.spans)
        assert all(0 <= start <= end <= len(after) for start, end in found.changed)
    for old, new in zip(spans, untouched.kept, strict=True):
        assert new is None or after[new.start : new.end] == text[old.start : old.end]
    return len(spans)


ALPHABET = "ab c.é🙂语"


def drawn_edits(text: str, random: Random) -> list[Edit]:
    """Edits that do not overlap."""
    cuts = sorted({random.randrange(len(text) + 1) for _ in range(random.randrange(2, 9))})
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    edits = [
        Edit("text", start, end, text[start:end], "".join(random.choices(ALPHABET, k=random.randrange(4))))
        for start, end in pairs
    ]
    return edits + [Edit("text", cuts[-1], cuts[-1], "", "b ")] * (len(cuts) % 2)


def held_at_random(cases: int) -> int:
    """Hold texts and edits of few characters, where everything borders on everything."""
    random, held = Random(24), 0
    for _ in range(cases):
        text = "".join(random.choices(ALPHABET, k=random.randrange(1, 16)))
        held += require_aligned(text, drawn_spans(text, random), drawn_edits(text, random))
    return held


PEOPLE = ("Nicole Kidman", "Kirsten Dunst", "Anna Smith", "Peter Jackson", "John Brown", "Mary Taylor")
PLACES = ("Paris", "London", "Berlin", "Chicago", "Madrid", "New York")
FRAMES = (
    "{0} met {1} in {2}, and they didn't like the awful music that {1} played for 2 hours.",
    "Please send the 3 parcels to {0} at Google in {2}; {1} is not there on Monday.",
    "I think {0} was born in {2} in 1980. Mr. {1} says it was really wonderful!",
)


def generated_texts(random: Random) -> Iterator[str]:
    for frame in cycle(FRAMES):
        yield frame.format(*random.sample(PEOPLE, 2), random.choice(PLACES))


def held_of_perturbations(texts: int, candidates: int, *, but: str = "") -> dict[str, int]:
    """Hold what every perturbation that works without a model or a resource makes of generated texts."""
    manager = load_plugins(PluginOptions())
    random = Random(24)
    held: dict[str, int] = {}
    for name in sorted(name for name in manager.offers("perturbations") if not (but and name.startswith(but))):
        source = generated_texts(random)
        examples = [Example({"text": next(source)}) for _ in range(texts)]
        with suppress(RobustfimError):
            made = robustfim.perturb(name, examples, candidates=candidates, plugins=manager, offline=True)
            for pool in made:
                for candidate in pool:
                    if candidate.edits:
                        text = candidate.source.text
                        held[name] = held.get(name, 0) + require_aligned(
                            text, drawn_spans(text, random), list(candidate.edits)
                        )
    return held


def test_no_span_is_misaligned_in_a_sample_of_drawn_edits() -> None:
    assert held_at_random(1500) > 2000


def test_no_span_is_misaligned_by_any_perturbation() -> None:
    held = held_of_perturbations(3, 2, but="textattack/")  # whose library alone loads for seconds
    assert {"people", "organisations", "typos", "case", "leetspeak", "synonyms"} <= held.keys()
    assert len(held) > 30


@pytest.mark.slow
def test_no_span_is_misaligned_in_a_hundred_thousand_cases() -> None:
    held = held_of_perturbations(30, 10)
    assert len(held) > 50
    assert sum(held.values()) + held_at_random(40_000) > 100_000


@pytest.mark.parametrize(
    "value",
    [
        (0, 3, "a", 0.5),
        [0, 3, "a", 0.5],
        {"start": 0, "end": 3, "label": "a", "score": 0.5, "text": "Ana"},
        {"start_position": 0, "end_position": 3, "entity_type": "a", "confidence": 0.5},
        {"start_char": 0, "end_char": 3, "entity_group": "a", "probability": 0.5, "score": None},
    ],
)
def test_a_span_is_taken_apart_however_it_is_spelled(value: object) -> None:
    assert span_parts(value) == (0, 3, "a", 0.5)
    assert require_spans([value], "Ana") == (Span(0, 3, "a", 0.5),)


def test_what_a_span_lacks_is_named() -> None:
    with pytest.raises(
        ValueError, match="a span has no end: the span has the keys start, label, and none of end, end_position"
    ):
        span_parts({"start": 0, "label": "a"})
