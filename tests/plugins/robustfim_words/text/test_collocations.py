"""Words that are said with their neighbour."""

from __future__ import annotations

import pytest

from robustfim_words.text.collocations import in_collocation
from robustfim_words.text.tokens import tokenise


@pytest.mark.parametrize(
    ("text", "index", "expected"),
    [
        ("the special effects are good", 1, True),
        ("the special effects are good", 2, True),
        ("the special children are good", 1, False),
        ("we are in danger", 3, True),
        ("a danger passed", 1, False),
    ],
)
def test_a_word_beside_the_one_it_is_said_with_is_in_a_collocation(text: str, index: int, expected: bool) -> None:
    assert in_collocation(tokenise(text), index) is expected
