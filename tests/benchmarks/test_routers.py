"""Routers whose answers are noisy: what is compared, and what the section says."""

from __future__ import annotations

import pytest

from benchmarks.routers import LABELS, QUERIES, Routers, as_markdown, router, routers


def test_a_router_is_wrong_as_often_as_its_noise_and_its_misroute_say() -> None:
    texts, gold = ([row[name] for row in QUERIES] for name in ("text", "label"))
    for misroute, expected in ((0.0, 0.1), (0.1, 0.1 + 0.1 * (1 - 0.1 / (len(LABELS) - 1)) - 0.01)):
        ask = router(0, misroute)
        wrong = sum(said != label for _ in range(100) for said, label in zip(ask(texts), gold, strict=True))
        assert wrong / (100 * len(texts)) == pytest.approx(expected, abs=0.01)


def test_the_section_says_which_aims_are_met() -> None:
    page = as_markdown([Routers(2, 400, 4, 100, 79)])
    assert "| 3 | 4 of 400, 1.0 % | ≤ 2.5 %: met | 79 of 100, 79.0 % | ≥ 80 %: missed |" in page


@pytest.mark.slow
def test_more_answers_find_more() -> None:
    single, three = routers(8)
    assert three.found > single.found
    assert three.different <= 2
