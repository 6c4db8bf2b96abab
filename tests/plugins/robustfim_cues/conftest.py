"""Choices to measure: some written out, and the released data where it is there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from robustfim import Example
from robustfim_cues.copa.data import Copa

RELEASED = Path(__file__).parents[4] / "shared" / "data" / "balanced_copa" / "balanced-copa-dev-1-400.xml"


def make(first: str, second: str, gold: str | None = "1", premise: str = "It rained.", **meta: object) -> Example:
    """A choice."""
    fields = {"premise": premise, "question": "effect", "choice1": first, "choice2": second}
    return Example(fields, gold, meta)


@pytest.fixture(scope="session")
def released() -> Sequence[Example]:
    """Items 1 to 400 of Balanced COPA and their mirrors."""
    if not RELEASED.is_file():
        pytest.skip("the released Balanced COPA is not on this machine")
    return list(Copa(RELEASED).load())
