"""docs/noise.md: its example is right, and what it calls refused is refused."""

from __future__ import annotations

import re

import pytest

import robustfim
from robustfim.errors import UsageError
from tests.docs.page import DOCS

TEXT = (DOCS / "noise.md").read_text(encoding="utf-8")
REFUSED = TEXT.partition("`repeat` refuses")[2].partition("\n- ")[0]


def test_the_noise_of_one_answer_in_ten_breaks_57_percent_of_eight() -> None:
    assert f"1 − 0.9⁸ = {100 * (1 - 0.9**8):.0f} %" in TEXT


@pytest.mark.parametrize(("key", "value"), [("search", "greedy"), ("budget", 100), ("of", "file")])
def test_what_the_page_calls_refused_is_refused(key: str, value: object) -> None:
    assert re.search(rf"`{key}\b", REFUSED)
    perturb: dict[str, object] = {"use": "typos"}
    check: dict[str, object] = {"perturb": perturb, "limit": 0.1}
    (perturb if key == "search" else check)[key] = value
    suite = {"suite": "noisy", "model": "reference/fasttext", "data": "reviews", "repeat": 3, "checks": {"c": check}}
    with pytest.raises(UsageError, match="repeat"):
        robustfim.run(suite)
