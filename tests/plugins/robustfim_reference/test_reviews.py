"""The bundled reviews are many, balanced, and no two are alike."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from itertools import combinations

from robustfim.example import Example
from robustfim_reference.bundled import Reviews


@cache
def reviews() -> tuple[Example, ...]:
    return tuple(Reviews().load())


@cache
def words() -> list[list[str]]:
    return [re.findall(r"[^\W_]+(?:'[^\W_]+)*", review.text.lower().replace("’", "'")) for review in reviews()]


def runs(text: list[str], size: int) -> set[tuple[str, ...]]:
    return {tuple(text[start : start + size]) for start in range(len(text) - size + 1)}


def test_there_are_at_least_400_reviews_of_one_text_field() -> None:
    assert len(reviews()) >= 400
    assert {tuple(review.fields) for review in reviews()} == {("text",)}
    assert all(review.text == review.text.strip() and review.text for review in reviews())


def test_each_label_has_at_least_45_percent() -> None:
    counts = Counter(review.label for review in reviews())
    assert set(counts) == {"negative", "positive"}
    assert min(counts.values()) >= 0.45 * len(reviews())


def test_a_review_has_one_to_five_sentences() -> None:
    for review in reviews():
        plain = re.sub(r"\b(Mr|Mrs|Ms|Dr|St|vs)\.", r"\1", review.text)
        sentences = re.split(r"(?<=[.!?…])[\"'”’)]*\s+(?=[\"'“‘(]*[A-Z0-9])", plain)
        assert 1 <= len(sentences) <= 5, review.text


def test_no_review_comes_twice() -> None:
    assert len({" ".join(text) for text in words()}) == len(reviews())


def test_no_two_reviews_share_a_run_of_seven_words() -> None:
    owners: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for number, text in enumerate(words()):
        for run in runs(text, 7):
            owners[run].add(number)
    assert [run for run, numbers in owners.items() if len(numbers) > 1] == []


def test_no_two_reviews_share_a_fifth_of_their_trigrams() -> None:
    trigrams = [runs(text, 3) for text in words()]
    alike = [
        (i, j) for (i, a), (j, b) in combinations(enumerate(trigrams), 2) if a & b and len(a & b) >= 0.2 * len(a | b)
    ]
    assert alike == []


def test_the_openings_are_varied() -> None:
    pairs = Counter(tuple(text[:2]) for text in words())
    firsts = Counter(text[0] for text in words())
    assert pairs.most_common(1)[0][1] <= 0.02 * len(reviews())
    assert firsts.most_common(1)[0][1] <= 0.1 * len(reviews())
    assert len(firsts) >= 0.3 * len(reviews())


def test_a_limit_loads_the_beginning() -> None:
    assert list(Reviews(limit=7).load()) == list(reviews()[:7])
