from __future__ import annotations

from itertools import product
from random import Random

import pytest

from robustfim.errors import DataError
from robustfim_checklist.template import Template
from robustfim_checklist.template_set import fill_all

LEXICONS = {"name": ["Ana", "Bo", "Cy"], "adj": ["good", "awful"], "name9": ["Zed"]}


def texts(pattern: str) -> list[str]:
    return [filled.text for filled in Template(pattern, LEXICONS).all()]


def test_a_template_is_the_cross_product_of_its_slots() -> None:
    expected = [f"{name} is {adj}." for name, adj in product(LEXICONS["name"], LEXICONS["adj"])]
    assert texts("{name} is {adj}.") == expected
    template = Template("{name} is {adj}.", LEXICONS)
    assert template.size == 6
    assert template.factors == "3 name × 2 adj"
    assert next(template.all()).slots == {"name": "Ana", "adj": "good"}


def test_the_same_slot_twice_is_the_same_word_and_numbered_slots_are_their_own() -> None:
    assert texts("{adj}, {adj}") == ["good, good", "awful, awful"]
    assert texts("{adj1} {adj2}") == ["good good", "good awful", "awful good", "awful awful"]
    assert texts("{name9}") == ["Zed"]  # a lexicon of that very name


@pytest.mark.parametrize(
    ("pattern", "first", "second"),
    [
        ("{a:adj} film", "a good film", "an awful film"),
        ("{A:adj} film", "A good film", "An awful film"),
        ("{adj}: {a:adj} film", "good: a good film", "awful: an awful film"),
        ("{{{adj}}}", "{good}", "{awful}"),
        ("{ adj }", "good", "awful"),
    ],
)
def test_articles_and_braces(pattern: str, first: str, second: str) -> None:
    assert texts(pattern) == [first, second]


def test_a_sentence_without_slots_is_one_sentence() -> None:
    assert texts("It is what it is.") == ["It is what it is."]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("{nane} is", "uses the unknown lexicon 'nane'. Did you mean 'name'? Known: adj, name, name9."),
        ("{name is", "has a single '{'. Double a literal brace."),
        ("name} is", "has a single '}'"),
        ("{} is", "has the malformed slot '{}'. Write the name of a lexicon"),
        ("{2} is", "has the malformed slot '{2}'"),
        ("{an:adj}", "has the malformed slot '{an:adj}'"),
        ("{adj.__class__}", "has the malformed slot '{adj.__class__}'"),
        ("{adj!r}", "has the malformed slot"),
    ],
)
def test_a_malformed_template_is_refused(pattern: str, message: str) -> None:
    with pytest.raises(DataError) as raised:
        Template(pattern, LEXICONS)
    assert message in str(raised.value)


def test_an_unknown_lexicon_where_there_is_none_tells_where_they_come_from() -> None:
    with pytest.raises(DataError, match="Known: none; 'lexicons' or 'path' gives them"):
        Template("{adj}", {})


WIDE = {"word": [f"w{number}" for number in range(1000)]}


def test_a_sample_is_drawn_without_listing_the_product() -> None:
    template = Template(" ".join(f"{{word{n}}}" for n in range(1, 12)), WIDE)
    assert template.size == 1000**11
    drawn = template.sample(50, Random(3))
    assert len({filled.text for filled in drawn}) == 50
    assert drawn == template.sample(50, Random(3))
    assert drawn != template.sample(50, Random(4))


def test_a_sample_is_uniform_over_the_product() -> None:
    template = Template("{name} {adj1} {adj2}", LEXICONS)
    counted = dict.fromkeys((filled.text for filled in template.all()), 0)
    for seed in range(600):
        for filled in template.sample(2, Random(seed)):
            counted[filled.text] += 1
    assert len(counted) == 12
    assert all(60 <= number <= 145 for number in counted.values())  # 100 expected, four standard deviations


@pytest.mark.parametrize("number", [1, 4, 6, 7, 100])
def test_a_sample_holds_no_sentence_twice_and_no_more_than_there_are(number: int) -> None:
    drawn = Template("{name1} {name2}", LEXICONS).sample(number, Random(0))
    assert len({filled.text for filled in drawn}) == len(drawn) == min(number, 9)


def test_an_explosion_is_refused_with_its_size() -> None:
    template = Template("{word1} {word2} {word3}", WIDE)
    with pytest.raises(DataError) as raised:
        list(fill_all([template], sample=None, most=10_000, seed=0))
    assert "the templates make 1,000,000,000 sentences, and the limit is 10,000" in str(raised.value)
    assert "1,000,000,000 (1,000 word1 × 1,000 word2 × 1,000 word3)" in str(raised.value)
    assert "'sample: 200'" in str(raised.value)
    assert len(list(fill_all([template], sample=200, most=10_000, seed=0))) == 200


def test_another_template_changes_no_sample() -> None:
    first, second = Template("{word1} {word2}", WIDE), Template("{word1}, {word2}", WIDE)
    alone = [filled for _, filled in fill_all([first], sample=5, most=100, seed=0)]
    beside = [filled for index, filled in fill_all([second, first], sample=5, most=100, seed=0) if index == 1]
    assert alone == beside
    assert alone != [filled for _, filled in fill_all([first], sample=5, most=100, seed=1)]
