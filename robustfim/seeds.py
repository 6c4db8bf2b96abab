"""Randomness: every random choice has its own generator, seeded by the purpose of the choice."""

from __future__ import annotations

import hashlib
from random import Random

__all__ = ["random_for"]


def random_for(seed: int, *parts: str) -> Random:
    """Return a random generator that depends only on the seed and on its purpose.

    Adding a check or an example does not change the random numbers of other checks and examples. No global generator
    is used.

    Args:
        seed: The run's seed.
        parts: The purpose of the generator, such as a check id and an example id.
    """
    purpose = "\x1f".join((str(seed), *parts)).encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(purpose, digest_size=16).digest()
    return Random(int.from_bytes(digest, "big"))  # noqa: S311  # reproducible, not secret
