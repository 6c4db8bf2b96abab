"""Forms of entities: digits stay, gold spans have the right ends, and a tagger by patterns loses unknown forms."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import robustfim
from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.seeds import random_for
from robustfim.spans import Span, read_spans, written_spans
from robustfim_evasion.entities import EntityForms, entities
from robustfim_texts import checksummed

CARD, AMEX, IBAN = "4111 1111 1111 1111", "378282246310005", "DE89370400440532013000"
"""Published test numbers, whose check digits are right."""
RULES = {
    "EMAIL": r"[\w.]+@[\w.]+\.[a-z]{2,}",
    "PHONE": r"\b0\d{2,4}[- ]\d{2,4}[- ]\d{4,}",
    "CARD": r"\b\d{4} \d{4} \d{4} \d{4}\b",
}
"""A tagger by patterns, as people write them for personal data."""


def tag(texts: list[str]) -> list[list[tuple[int, int, str]]]:
    return [[(*m.span(), label) for label, rule in RULES.items() for m in re.finditer(rule, text)] for text in texts]


def bare(text: str) -> str:
    return re.sub(r"[^A-Za-z\d]", "", text).upper()


def forms(text: str, **options: Any) -> dict[str, str]:
    made = EntityForms(**options).edits(Example({"text": text}), random_for(0, "entities"))
    return {edit.origin.rpartition(" ")[2]: edit.after for edit in made}


def luhn(number: int) -> str:
    """Put the check digit behind a number, by the letter of ISO/IEC 7812-1."""
    digits = [int(digit) * (2 if place % 2 == 0 else 1) for place, digit in enumerate(reversed(str(number)))]
    return f"{number}{-sum(digit // 10 + digit % 10 for digit in digits) % 10}"


def test_each_entity_is_found_with_its_ends() -> None:
    text = f"Card {CARD}, {IBAN}, +49 30 1234567, (579)888-3058, ring or write to Anna.Smith@mail.example.org."
    found = {text[start:end]: what for start, end, what in entities(text)}
    assert found == {
        CARD: "card", IBAN: "account", "+49 30 1234567": "phone", "(579)888-3058": "phone",
        "Anna.Smith@mail.example.org": "mail",
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["on 2000-04-16 11:34:35", "in (1941-1991).", "for 1.000.000 or 12,500,000", "at 41.173.96.26",
     "card 4111 1111 1111 1112", "see posts/20040923-4222.html", "the DS8000 series system"],
)  # fmt: skip
def test_dates_amounts_machines_and_wrong_check_digits_are_left_alone(text: str) -> None:
    assert entities(text) == []


def test_the_forms_of_each_entity() -> None:
    assert forms(CARD) == {"hyphens": "4111-1111-1111-1111", "dots": "4111.1111.1111.1111", "none": "4111111111111111"}
    assert forms(AMEX, kinds=["blanks"]) == {"blanks": "3782 822463 10005"}
    assert forms(IBAN, kinds=["blanks", "lower"]) == {
        "blanks": "DE89 3704 0044 0532 0130 00", "lower": "de89370400440532013000",
    }  # fmt: skip
    assert forms("+49 30 1234567", kinds=["none", "prefix"]) == {"none": "+49301234567", "prefix": "0049 30 1234567"}
    assert forms("a.b@example.org", kinds=["at", "brackets", "upper"]) == {
        "at": "a.b(at)example.org", "brackets": "a.b [at] example [dot] org", "upper": "A.B@EXAMPLE.ORG",
    }  # fmt: skip


@given(st.integers(10**11, 10**18 - 1).filter(lambda number: len(set(luhn(number))) > 1))
def test_check_digits_stay_right_in_every_form(number: int) -> None:
    text = f"My card is {luhn(number)}, thanks."
    for after in forms(text).values():
        assert bare(after) == luhn(number)
        if "." not in after:
            ((start, end),) = checksummed(f"My card is {after}, thanks.")
            assert (start, end) == (11, 11 + len(after))


@given(st.lists(st.sampled_from([CARD, AMEX, IBAN, "+49 30 1234567", "a.b@example.org", "hello", "12"]), min_size=1))
def test_gold_spans_have_the_ends_of_the_new_form(words: list[str]) -> None:
    text = " and ".join(words)
    gold = [Span(start, end, what) for start, end, what in entities(text)]
    source = Example({"text": text}, written_spans(gold))
    for edit in EntityForms().edits(source, random_for(0, "entities")):
        candidate = Candidate(source, (edit,), carries=EntityForms.contract.carries)
        spans = read_spans(candidate.example.label or "")
        cut = [candidate.example.text[span.start : span.end] for span in spans]
        assert cut == [
            edit.after if (s.start, s.end) == (edit.start, edit.end) else text[s.start : s.end] for s in gold
        ]


def test_a_tagger_by_patterns_loses_the_forms_it_does_not_know() -> None:
    texts = [f"Write to user{n}@example.org or ring 030 {n}55 12345, card {CARD}." for n in range(10, 30)]
    rows = [{"text": text, "spans": found} for text, found in zip(texts, tag(texts), strict=True)]

    forms = {"use": "entity_forms", "candidates": 9}

    def lost(kind: str) -> set[str]:
        suite = {
            "suite": "forms", "model": {"use": "python", "call": tag, "task": "spans"},
            "data": {"use": "rows", "rows": rows, "spans": "spans"},
            "checks": {"forms": {"perturb": {**forms, "kinds": [kind]}, "expect": "found"}},
        }  # fmt: skip
        (check,) = robustfim.run(suite).record.checks
        return {recall.label for recall in check.recall if recall.after.count < recall.before.count}

    assert lost("at") == {"EMAIL"}
    assert lost("hyphens") == {"CARD"}
    assert lost("none") == {"CARD", "PHONE"}
