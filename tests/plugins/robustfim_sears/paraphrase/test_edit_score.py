"""The edit-based score, against a slow literal search over all ways."""

from __future__ import annotations

import time
from random import Random

import pytest

from robustfim_sears.paraphrase.edit_score import UNKNOWN, EditScore
from robustfim_sears.paraphrase.rewrite import Rewrite, apply

KNOWN = [("film", "movie", 0.9), ("movie", "film", 0.8), ("a film", "movies", 0.7), ("it is", "it's", 1.0)]
KNOWN += [("film", "film film", 0.5), ("bad", "", 0.6)]


def rewrites(text: str) -> list[Rewrite]:
    """Every place where one of the known changes could be made."""
    found = []
    for before, after, weight in KNOWN:
        for start in range(len(text)):
            end = start + len(before)
            if text[start:end] == before and text[end : end + 1] in ("", " ") and text[:start][-1:] in ("", " "):
                found.append(Rewrite(start, end, after, weight, (start, end)))
    return found


def difference(before: list[str], after: list[str]) -> tuple[int, list[str], list[str]]:
    """What is left without the words that both share at the beginning, then at the end."""
    first = 0
    while before[:1] and before[:1] == after[:1]:
        before, after, first = before[1:], after[1:], first + 1
    while before and before[-1:] == after[-1:]:
        before, after = before[:-1], after[:-1]
    return first, before, after


def literal(text: str, candidate: str) -> float:
    """The definition: of all ways through what differs, with every rewrite that lies in it, the surest."""
    changes = [
        (*difference(text.split(), apply(text, (rewrite,)).split()), rewrite.weight) for rewrite in rewrites(text)
    ]
    first, before, after = difference(text.split(), candidate.split())

    def ways(i: int, new: list[str]) -> tuple[float, int]:
        old = before[i:]
        if not old and not new:
            return 1.0, 0
        found = []
        for left, right, weight, changed in [
            *((a, b, w, -max(len(a), len(b))) for at, a, b, w in changes if at == first + i and (a or b)),
            *(([word], [word], 1.0, 0) for word in old[:1]),
            *(([a], [b], UNKNOWN, -1) for a, b in zip(old[:1], new[:1], strict=False)),
            *(([a], [], UNKNOWN, -1) for a in old[:1]),
            *(([], [b], UNKNOWN, -1) for b in new[:1]),
        ]:
            if old[: len(left)] == left and new[: len(right)] == right:
                rest, more = ways(i + len(left), new[len(right) :])
                found.append((weight * rest, changed + more))
        return max(found)

    weight, changed = ways(0, after)
    return weight * (1 + changed / max(len(text.split()), len(candidate.split())) / 2) if weight >= 0.009 else 0.0


def test_the_score_is_that_of_the_surest_way() -> None:
    random, scorer = Random(3), EditScore(rewrites)
    words = ["a", "film", "movie", "the", "movies", "bad"]
    pairs = [(" ".join(random.choices(words, k=random.randint(1, 5))), " ".join(random.choices(words, k=4)))
             for _ in range(80)]  # fmt: skip
    pairs += [("the film", "the movie"), ("film", "film film film"), ("bad bad film", "movie"), ("good bad", "good")]
    pairs += [("film good film", "movie good movie"), ("movie bad film", "film movie"), ("film", "film film film film")]
    got = scorer.score([one for one, _ in pairs], [other for _, other in pairs])
    wanted = [literal(one, other) for one, other in pairs]
    assert got == pytest.approx(wanted)
    assert len({round(each, 3) for each in got}) > 10


def test_one_known_change_costs_its_weight_and_half_its_share() -> None:
    scorer = EditScore(rewrites)
    (score,) = scorer.score(["the film was long"], ["the movie was long"])
    assert score == pytest.approx(0.9 * (1 - 1 / 4 / 2))


def test_case_blanks_apostrophes_and_the_form_of_an_article_do_not_count() -> None:
    scorer = EditScore(rewrites)
    assert scorer.score(["An  apple, it's good"], ["a apple , IT’S Good"]) == [1.0]


def test_an_unknown_change_lies_below_tau_and_a_known_one_above() -> None:
    scorer = EditScore(rewrites)
    texts = ["a film that is very long and very good"] * 4
    unknown, known, lost, nothing = scorer.score(
        texts,
        [
            "a film that is very long and very awful",
            "a movie that is very long and very good",
            "a film that is very long and good",
            "something else",
        ],
    )
    assert unknown < EditScore.contract.tau
    assert lost < EditScore.contract.tau
    assert known >= EditScore.contract.tau
    assert nothing == 0.0


def test_long_texts_that_share_nothing_are_given_up_quickly() -> None:
    one, other = " ".join(f"a{i}" for i in range(400)), " ".join(f"b{i}" for i in range(400))
    start = time.process_time()
    assert EditScore(rewrites).score([one], [other]) == [0.0]
    assert time.process_time() - start < 1
