"""The tables of instances and their mirrors: how many pairs are solved, and which are not."""

from __future__ import annotations

from robustfim_cues.choices.choice import partners
from robustfim_cues.copa.consistency import pair_tables
from robustfim_cues.copa.data import Copa


def test_each_pair_is_counted_and_those_that_are_not_solved_are_listed() -> None:
    pairs = list(partners(list(Copa().load())).values())[:3]
    answers = {example.id: str(example.label) for pair in pairs for example in pair}
    original, mirror = pairs[1]
    answers[mirror.id] = {"1": "2", "2": "1"}[str(mirror.label)]
    _, counts, listed = pair_tables(pairs, answers, 5)
    assert [row[1].split(" % ")[0] for row in counts.rows] == ["66.7", "33.3", "0", "0"]
    (row,) = listed.rows
    assert row[1:3] == [original.fields["premise"], mirror.fields["premise"]]
    assert listed.notes == ["1 of 1."]
