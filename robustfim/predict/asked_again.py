"""Asked again: a sample of stored answers, held against what the model says now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import comb, inf
from random import Random, SystemRandom
from typing import Any, Generic, TypeVar

from robustfim.predict.answers import agree
from robustfim.record import AskedAgainRecord

__all__ = ["AskedAgain", "Reservoir", "have_changed"]

Item = TypeVar("Item")

_SAMPLE = 20
"""Answers asked again in a run, about: 20 see that 15 % differ with 96 %, 5 % with 64 %, 2 % with 33 %."""
_CHANCE = 0.05
"""How seldom answers that are noisy, and no others than before, are taken for changed ones."""


class Reservoir(Generic[Item]):
    """A sample of answers in which any of those noted is as likely as another (Vitter 1985, algorithm R).

    Args:
        size: How many.
        random: What draws.
    """

    def __init__(self, size: int, random: Random) -> None:
        self._size, self._random, self._seen = size, random, set[bytes]()
        self.items: dict[bytes, Item] = {}
        self.answers: dict[bytes, Any] = {}

    def note(self, asked: Iterable[tuple[bytes, Item]], answers: Mapping[bytes, Any]) -> None:
        """Draw from the answers to a request.

        Args:
            asked: Keys and what was asked about; repeats are fine.
            answers: By key.
        """
        for key, item in asked if self._size else ():
            if key in self._seen:
                continue
            self._seen.add(key)
            if len(self.items) >= self._size:
                place = self._random.randrange(len(self._seen))
                if place >= self._size:
                    continue
                dropped = list(self.items)[place]
                del self.items[dropped], self.answers[dropped]
            self.items[key], self.answers[key] = item, answers[key]


class AskedAgain:
    """What came of asking a model again, of whose stored answers its fingerprint cannot tell that they are still its.

    Half of the sample is asked before the first stored answer is used, since most changes show there and nothing is
    then in vain; the other half, of all others that were used, at the end.

    Args:
        size: Answers to ask again; 0 asks none.

    Attributes:
        stored: Answers of earlier runs that this run used, or would have used.
        asked: Of those, asked again.
        differing: Of those, answered otherwise.
        noisy: Of those, answered otherwise once more: the model does not give one answer to one text.
        generation: How often answers under this fingerprint were put aside.
        changed: Whether it was done in this run.
        seed: What drew the sample.
        sent: Texts that were sent before the change was seen, in vain.
    """

    def __init__(self, size: int = _SAMPLE) -> None:
        self.size = size
        self.sent = self.stored = self.asked = self.differing = self.noisy = self.generation = 0
        self.changed = False
        self.seed = SystemRandom().getrandbits(32)  # a run's own would tell which answers are never looked at
        self._random = Random(self.seed)  # noqa: S311  # no secret
        self._given, self._looked_at = set[bytes](), set[bytes]()
        self.rest = Reservoir[Any](size - size // 2, self._random)

    def first(self, known: Iterable[bytes]) -> list[bytes]:
        """Draw what is asked before the first stored answers are used; nothing after that.

        Args:
            known: Keys of those answers.
        """
        keys = list(known)
        if not keys or self.asked or self.changed:
            return []
        return self._random.sample(keys, min(self.size // 2, len(keys)))

    def note(self, asked: Iterable[tuple[bytes, Any]], known: Mapping[bytes, Any]) -> None:
        """Take note of stored answers that are used.

        Args:
            asked: Keys and what is asked about.
            known: The answers that the store holds, by key.
        """
        stored = {key: item for key, item in asked if key in known and key not in self._given}
        self.stored += len(stored)
        self.rest.note(((key, item) for key, item in stored.items() if key not in self._looked_at), known)

    def given(self, keys: Iterable[bytes]) -> None:
        """Take note of answers that this run was given, which are no stored ones.

        Args:
            keys: Their keys.
        """
        self._given.update(keys)

    def hold(
        self,
        items: Mapping[bytes, Any],
        was: Mapping[bytes, Any],
        ask: Callable[[Mapping[bytes, Any]], dict[bytes, Any]],
    ) -> None:
        """Hold stored answers against new ones; what differs is asked once more.

        Args:
            items: What to ask about, by key.
            was: The stored answers.
            ask: Asks the model.
        """
        now = ask(items)
        differing = {key: item for key, item in items.items() if not agree(was[key], now[key])}
        once_more = ask(differing)
        self._looked_at.update(items)
        self.asked += len(items)
        self.differing += len(differing)
        self.noisy += sum(not agree(now[key], once_more[key]) for key in differing)
        self.changed |= have_changed([(was[key], now[key], once_more[key]) for key in differing])

    def record(self) -> AskedAgainRecord:
        """Say it for the record."""
        return AskedAgainRecord(
            stored=self.stored,
            asked=self.asked,
            differing=self.differing,
            noisy=self.noisy,
            changed=self.changed,
            generation=self.generation,
            seed=self.seed,
        )


def have_changed(differing: list[tuple[Any, Any, Any]]) -> bool:
    """Tell answers of another model from those of a noisy one.

    Where the model says the same twice, and something else than what is stored, it has changed. Where it does not, the
    stored answer is under noise alone as far from the first new one as the second new one is, in distribution: the sign
    test asks whether it lies further away too often.

    Args:
        differing: Texts with a stored answer, a new one that differs from it, and one more.

    Returns:
        Whether the stored answers are those of another model.
    """
    if not differing:
        return False
    if all(agree(now, again) for _, now, again in differing):
        return True
    further = sum(_distance(was, now) > _distance(now, again) for was, now, again in differing)
    ways = sum(comb(len(differing), count) for count in range(further, len(differing) + 1))
    return bool(ways <= _CHANCE * 2 ** len(differing))


def _distance(one: Any, other: Any) -> float:
    """The largest difference of a probability; of open answers, of that of any text."""
    if one is None or other is None:
        return 0.0 if one is other else inf
    if isinstance(one[0], float | int):
        return float(max(abs(a - b) for a, b in zip(one, other, strict=True)))
    here, there = dict(one), dict(other)
    return float(max(abs(here.get(text, 0.0) - there.get(text, 0.0)) for text in here | there))
