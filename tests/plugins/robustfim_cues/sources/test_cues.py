"""Cues of texts: words, lengths, punctuation, formats."""

from __future__ import annotations

import numpy as np
import pytest

from robustfim import Example
from robustfim_cues.sources.cues import occurring

pytest.importorskip("sklearn")

TEXTS = [
    "See https://example.org for 3 more!",
    "SEE <b>this</b> and that",
    "no capital here\nat all",
    "- a list\n- of **things**",
    "A plain text.",
    "Another plain text.",
]


def examples() -> list[Example]:
    return [Example({"text": text}) for text in TEXTS]


def standing(cue: str, minimum: int = 1) -> list[int]:
    found = occurring(examples(), minimum=minimum)
    return [int(each) for each in found.rows[:, found.names.index(cue)].toarray().ravel()]


@pytest.mark.parametrize(
    ("cue", "expected"),
    [
        ("[URL]", [1, 0, 0, 0, 0, 0]),
        ("[HTML]", [0, 1, 0, 0, 0, 0]),
        ("[Markdown]", [0, 0, 0, 1, 0, 0]),
        ("[word in capitals]", [0, 1, 0, 0, 0, 0]),
        ("[no capital]", [0, 0, 1, 1, 0, 0]),
        ("[digit]", [1, 0, 0, 0, 0, 0]),
        ("[line break]", [0, 0, 1, 1, 0, 0]),
        ("[!]", [1, 0, 0, 0, 0, 0]),
        ("plain text", [0, 0, 0, 0, 1, 1]),
        ("see", [1, 1, 0, 0, 0, 0]),
    ],
)
def test_a_cue_stands_where_it_is_seen(cue: str, expected: list[int]) -> None:
    assert standing(cue) == expected


def test_each_text_has_one_length_and_what_is_rare_is_left_out() -> None:
    found = occurring(examples(), minimum=1)
    lengths = [place for place, name in enumerate(found.names) if "words" in name and name.startswith("[")]
    assert np.asarray(found.rows[:, lengths].sum(axis=1)).ravel().tolist() == [1] * len(TEXTS)
    assert "[URL]" not in occurring(examples(), minimum=2).names


def test_counts_are_of_kept_examples_by_source_and_label() -> None:
    found = occurring(examples(), minimum=1)
    source, label = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 1, 0, 1, 0, 1])
    counts, totals = found.counts(source, label, np.array([True, True, True, True, True, False]))
    assert counts[found.names.index("plain text")].tolist() == [[0, 0], [1, 0]]
    assert counts[found.names.index("see")].tolist() == [[1, 1], [0, 0]]
    assert totals.tolist() == [[2, 1], [1, 1]]


def test_what_holds_a_shortcut_goes_with_it() -> None:
    found = occurring(examples(), minimum=1)
    left = {name for name, kept in zip(found.names, found.without(["plain", "[!]"]), strict=True) if kept}
    assert {"plain", "a plain", "plain text", "[!]"} <= set(found.names) - left
    assert {"text", "[.]", "see"} <= left


def test_of_several_fields_a_cue_says_its_own() -> None:
    pairs = [Example({"premise": "a film", "hypothesis": "a dull film"}) for _ in range(3)]
    pairs.append(Example({"premise": "dull", "hypothesis": "x"}))
    names = occurring(pairs, minimum=1).names
    assert {"premise:dull", "hypothesis:dull", "hypothesis:a dull"} <= set(names)
