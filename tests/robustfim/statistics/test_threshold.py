"""The threshold of a share of false alarms, against its definition and in simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from robustfim.statistics.threshold import threshold_of


@given(st.lists(st.sampled_from([0.1, 0.2, 0.5, 0.6, 0.9]), min_size=9, max_size=60), st.floats(0.1, 0.9))
def test_it_is_the_lowest_that_the_expected_share_allows(probabilities: list[float], fpr: float) -> None:
    allowed = [
        p for p in set(probabilities) if sum(q >= p for q in probabilities) <= fpr * (len(probabilities) + 1) + 1e-9
    ]
    if not allowed:
        with pytest.raises(ValueError, match=r"no threshold lets a share|takes at least"):
            threshold_of(probabilities, fpr)
        return
    found = threshold_of(probabilities, fpr)
    assert found.at == min(allowed)
    assert found.alarms == sum(q >= found.at for q in probabilities)


def test_the_share_that_reaches_it_is_what_was_asked_for_and_lies_in_the_interval() -> None:
    generator = np.random.default_rng(0)
    shares, inside = [], 0
    for _ in range(2000):
        found = threshold_of(generator.beta(2, 5, 300).tolist(), 0.02)
        share = float(beta.sf(found.at, 2, 5))
        low, high = found.interval
        shares.append(share)
        inside += low <= share <= high
    assert np.mean(shares) == pytest.approx(6 / 301, abs=4 * np.std(shares) / 2000**0.5)
    assert 0.93 <= inside / 2000 <= 0.97


def test_too_few_texts_are_told_with_how_many_it_takes() -> None:
    with pytest.raises(ValueError, match=r"at least 99 texts without the label: these are 98"):
        threshold_of([0.5] * 98, 0.01)
    assert threshold_of([number / 100 for number in range(1, 100)], 0.01).at == 0.99
