from __future__ import annotations

import pytest

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim_huggingface.fluency.edited_sentences import edited_sentences

TEXT = 'I sat down. "It was good!" The end was bad, too.'


def made(*edits: tuple[str, str]) -> Candidate:
    places = [(TEXT.index(before), before, after) for before, after in edits]
    return Candidate(
        Example({"text": TEXT}), tuple(Edit("text", at, at + len(old), old, new) for at, old, new in places)
    )


@pytest.mark.parametrize(
    ("edits", "sentences"),
    [
        ([("good", "fine")], [('"It was good!"', '"It was fine!"')]),
        (
            [("sat", "lay"), ("bad", "dull")],
            [("I sat down.", "I lay down."), ("The end was bad, too.", "The end was dull, too.")],
        ),
        ([("The end", "It"), ("bad", "dull")], [("The end was bad, too.", "It was dull, too.")]),
        ([('down. "It', "down; it")], [('I sat down. "It was good!"', 'I sat down; it was good!"')]),
    ],
)
def test_the_sentences_that_edits_touch_are_cut_out_before_and_after(
    edits: list[tuple[str, str]], sentences: list[tuple[str, str]]
) -> None:
    assert list(edited_sentences(made(*edits), "text")) == sentences
