"""Waiting in tests: for something that comes, and never without an end."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

__all__ = ["until"]


def until(look: Callable[[], Any], expected: object = True, seconds: float = 120) -> None:
    """Look again and again until ``expected`` is seen.

    Raises:
        AssertionError: It was not seen in time; the message says what was.
    """
    ends = time.monotonic() + seconds
    while (seen := look()) != expected:
        assert time.monotonic() < ends, f"after {seconds} s: {seen!r}, not {expected!r}"
        time.sleep(0.02)
