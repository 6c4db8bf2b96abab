"""The bundled questions are many, and each is answered by its passage in the very words of its gold answers."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from robustfim.prediction import normal_form
from robustfim_reference.bundled import Questions

QUESTIONS = tuple(Questions().load())
PASSAGES = sorted({question.fields["context"] for question in QUESTIONS})


def test_there_are_at_least_60_questions_on_20_passages() -> None:
    assert len(PASSAGES) >= 20
    assert len(QUESTIONS) >= 60
    assert min(Counter(question.fields["context"] for question in QUESTIONS).values()) >= 3
    assert {tuple(question.fields) for question in QUESTIONS} == {("question", "context")}


def test_every_answer_stands_in_its_passage() -> None:
    for question in QUESTIONS:
        assert question.gold
        for answer in question.gold:
            assert answer in question.fields["context"], answer


def test_no_answer_is_listed_twice_or_stands_in_its_question() -> None:
    for question in QUESTIONS:
        assert len(set(question.gold)) == len(question.gold)
        assert normal_form(question.gold[0]) not in normal_form(question.fields["question"])


def test_no_question_comes_twice_and_each_ends_as_one() -> None:
    assert len({question.id for question in QUESTIONS}) == len(QUESTIONS)
    assert all(question.fields["question"].endswith("?") for question in QUESTIONS)


def test_all_kinds_of_questions_are_asked() -> None:
    first = Counter(question.fields["question"].split()[0] for question in QUESTIONS)
    assert {"Who", "What", "When", "Where", "How", "Why"} == set(first)
    assert first.most_common(1)[0][1] <= 0.4 * len(QUESTIONS)


def test_no_two_passages_share_a_run_of_six_words() -> None:
    runs = []
    for passage in PASSAGES:
        words = passage.lower().split()
        runs.append({tuple(words[start : start + 6]) for start in range(len(words) - 5)})
    assert not [1 for a, b in combinations(runs, 2) if a & b]


def test_a_limit_loads_the_beginning() -> None:
    assert tuple(Questions(limit=5).load()) == QUESTIONS[:5]
