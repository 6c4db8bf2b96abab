from __future__ import annotations

from dataclasses import replace

from robustfim_sears.mining.mining import mine
from robustfim_sears.mining.page import mine_page, mined_answer
from tests.plugins.robustfim_sears.mining.test_mining import SWAPS, TEXTS, mined
from tests.plugins.robustfim_sears.small import Swaps, context, examples

EXAMPLES = examples(*TEXTS, *(f"good film number {row}" for row in range(100)))  # enough for both halves to tell
MINED = mine(EXAMPLES, context(), Swaps(SWAPS))


def test_the_page_opens_with_the_answer_and_shows_every_flip_as_a_pair() -> None:
    found = mined()
    page = mine_page(found, "suite toy")
    order = [
        "change what the model says?</span>",
        "suite toy",
        "Yes, of the texts that chose the rules: 8 of 14 texts flip",
        "<main",
        "What each rule flips",
        ">Rules<",
        "The texts",
    ]
    places = [page.index(each) for each in order]
    assert places == sorted(places)
    assert page.count("<details>") == 2
    assert page.count("<del>good</del><ins>bad</ins>") == 5
    for row in (1, 2):
        assert page.count(f'href="#rule-{row}"') == 2  # in the wide and in the narrow drawing
        assert page.count(f'id="rule-{row}"') == 1
    assert page.count("<script") == 1


def test_the_answer_claims_what_texts_tell_that_did_not_choose() -> None:
    flipped, texts = MINED.flipped
    assert mined_answer(MINED).startswith(f"Yes: {flipped} of {texts} texts flip under at least one rule that they did")
    assert mined_answer(replace(MINED, chosen=())) == "No rule was found that does."
    silent = replace(MINED, candidates=tuple(replace(candidate, held=()) for candidate in MINED.candidates))
    assert mined_answer(silent).startswith(f"Not shown: none of {texts} texts")


def test_a_hostile_text_stays_a_text() -> None:
    hostile = [f"good <img src=x onerror=alert(1)> {text}" for text in TEXTS]
    page = mine_page(mine(examples(*hostile), context(), Swaps(SWAPS)), "<b>")
    assert "<del>good</del><ins>bad</ins> &lt;img src=x" in page
    assert "<img" not in page
    assert "<b>" not in page
