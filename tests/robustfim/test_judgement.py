from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from robustfim.judgement import Judgement, Verdict


@pytest.mark.parametrize("verdict", Verdict)
def test_only_the_verdict_failed_fails(verdict: Verdict) -> None:
    assert Judgement(verdict, margin=1.0).failed is (verdict is Verdict.FAILED)


@pytest.mark.parametrize("verdict", Verdict)
def test_the_text_of_a_verdict_stands_for_it(verdict: Verdict) -> None:
    text: Any = verdict.value
    assert Judgement(text) == Judgement(verdict)
    assert Judgement(text).failed is (verdict is Verdict.FAILED)


@pytest.mark.parametrize("verdict", ["fail", "FAILED", "", True, False, None, 1])
def test_anything_else_is_no_verdict(verdict: Any) -> None:
    with pytest.raises(ValueError, match=r"the verdict .* is none of 'passed', 'failed', 'not applicable'\."):
        Judgement(verdict)


def test_a_misspelled_verdict_is_told_the_nearest() -> None:
    with pytest.raises(ValueError, match="Did you mean 'failed'"):
        Judgement("faild")  # type: ignore[arg-type]  # what a plugin may give


@pytest.mark.parametrize("margin", [math.nan, None, "0.5", True])
def test_a_margin_is_a_number(margin: Any) -> None:
    with pytest.raises(ValueError, match="the margin of a judgement must be a number"):
        Judgement(Verdict.PASSED, margin)


@pytest.mark.parametrize("margin", [1, math.inf, np.float32(0.5)])
def test_any_kind_of_number_is_a_margin(margin: Any) -> None:
    assert Judgement(Verdict.FAILED, margin).margin == float(margin)


def test_without_a_measure_the_margin_is_zero() -> None:
    assert Judgement(Verdict.FAILED).margin == 0.0
