"""What is left of an accuracy, where a shortcut and duplicates were planted."""

from __future__ import annotations

import random

import numpy as np
import pytest

from robustfim import Example
from robustfim.errors import DataError
from robustfim.statistics import wilson
from robustfim_cues.sources.cues import occurring
from robustfim_cues.sources.duplicates import clusters, near_duplicates
from robustfim_cues.sources.reading import Sources, as_sources
from robustfim_cues.sources.transfer import WAYS, Transfer, transfers

pytest.importorskip("sklearn")

FILLER = [f"word{number}" for number in range(60)]


def planted(copies: int = 1) -> Sources:
    """In the first source a word tells the label, in the second nothing does; ``copies`` of each text of the second."""
    chance = random.Random(3)
    given = []
    for place in range(160):
        label = "good" if place % 2 else "bad"
        *words, last = chance.sample(FILLER, 10)
        given.append(("first", Example({"text": " ".join([*words, "stamp" if label == "good" else last])}, label)))
        text = " ".join(chance.sample(FILLER, 9))
        given += [("second", Example({"text": f"{text} {copy}"}, label)) for copy in range(copies)]
    return as_sources(given)


def found_of(sources: Sources) -> list[Transfer]:
    pairs = near_duplicates([each.text for each in sources.examples])
    return transfers(sources, occurring(sources.examples), clusters(len(sources.examples), pairs))


def test_a_shortcut_is_what_its_source_loses() -> None:
    first, second, whole = found_of(planted())
    assert first.rate("as it is").rate == 1
    low, high = first.rate("no shortcuts").ends
    assert low < 0.5 < high, "the other words tell nothing"
    lost, (least, _) = first.lost("no shortcuts")
    assert lost == pytest.approx(1 - (first.rate("no shortcuts").rate or 0))
    assert least > 0.3
    assert (first.rate("other sources").rate or 0) < 0.65
    assert second.lost("no shortcuts")[0] < 0.1
    assert whole.source is None
    assert all(whole.right[way].sum() == first.right[way].sum() + second.right[way].sum() for way in WAYS)


def test_duplicates_are_what_a_random_split_gains() -> None:
    _, second, _ = found_of(planted(copies=3))
    assert (second.rate("as it is").rate or 0) > 0.9, "a copy of nearly every text is learned"
    low, high = second.rate("no duplicates").ends
    assert low < 0.5 < high
    assert second.lost("no duplicates")[1][0] > 0.2
    assert np.unique(second.clusters).size == 160
    alone = wilson(int(second.right["no duplicates"].sum()), 480)
    assert alone is not None
    assert high - low > 1.2 * (alone[1] - alone[0]), "160 clusters are worth no 480 texts"


def test_too_few_of_a_label_are_refused_by_name() -> None:
    rows = [Example({"text": f"film {place}"}, label) for place, label in enumerate(["good"] * 5 + ["bad"] * 2)]
    sources = as_sources([("a", each) for each in rows] + [("b", each) for each in rows])
    with pytest.raises(DataError, match="a has 2 examples of 'bad', fewer than 5 folds"):
        transfers(sources, occurring(sources.examples, minimum=1), list(range(14)))
