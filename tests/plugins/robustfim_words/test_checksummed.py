"""Numbers with check digits: no perturbation of words makes an invalid one of them."""

from __future__ import annotations

from random import Random

import pytest

import robustfim
from robustfim.example import Example
from robustfim_words.form.typos import Typos
from robustfim_words.things.numbers import Numbers

NUMBERS = ["4111 1111 1111 1111", "378282246310005", "GB82 WEST 1234 5698 7654 32", "DE89370400440532013000"]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "name",
    ["numbers", "typos", "ocr", "word_breaks", "repeated_words", "elongations", "case", "spaces", "languages/numbers",
     "languages/typos", "letter_spacing", "leetspeak", "homoglyphs"],
)  # fmt: skip
def test_a_number_with_check_digits_stays_as_it_is(name: str, number: str) -> None:
    text = f"Please charge 24 items to {number} before the meeting of our great committee ends."
    if name.startswith("languages"):
        text = f"Wir haben heute 24 Karten von {number} gekauft, bevor die Sitzung des Ausschusses endet."
    use = {"use": name, "language": "de"} if name.startswith("languages") else name
    (candidates,) = robustfim.perturb(use, [text], candidates=60)
    assert candidates
    bare = number.replace(" ", "")
    for candidate in candidates:
        assert bare in candidate.example.text.replace(" ", "").replace("\u00a0", "").replace("\n", "")


def test_other_texts_have_the_candidates_that_they_had() -> None:
    wrong = Example({"text": "Please charge 24 items to 4111 1111 1111 1112 before the meeting ends."})
    assert {edit.before for edit in Numbers().edits(wrong, Random(0))} >= {"24"}
    assert {edit.before for edit in Typos().edits(wrong, Random(0))} >= {"charge", "items", "meeting"}
