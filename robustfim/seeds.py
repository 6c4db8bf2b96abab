"""Randomness: every random choice has a generator of its own, seeded by what it belongs to."""

from __future__ import annotations

import hashlib
from random import Random

__all__ = ["random_for"]


def random_for(seed: int, *parts: str) -> Random:
    """Return a generator that depends on the seed and on what it is for, and on nothing else.

    Adding a check or an example changes no other's numbers, and no global generator is touched.

    Args:
        seed: The run's seed.
        parts: What the generator is for, such as a check id and an example id.
    """
    purpose = "\x1f".join((str(seed), *parts)).encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(purpose, digest_size=16).digest()
    return Random(int.from_bytes(digest, "big"))  # noqa: S311  # reproducible, not secret
