from __future__ import annotations

import pytest

from robustfim.judgement import Judgement, Verdict


@pytest.mark.parametrize("verdict", Verdict)
def test_only_the_verdict_failed_fails(verdict: Verdict) -> None:
    assert Judgement(verdict, margin=1.0).failed is (verdict is Verdict.FAILED)


def test_without_a_measure_the_margin_is_zero() -> None:
    assert Judgement(Verdict.FAILED).margin == 0.0
