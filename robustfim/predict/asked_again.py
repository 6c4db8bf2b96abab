"""Asked again: a sample of stored answers, held against what the model says now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import comb, inf
from random import Random, SystemRandom
from typing import Any, Generic, TypeVar

from robustfim.predict.answers import agree
from robustfim.record import AskedAgainRecord

__all__ = ["SAMPLE", "AskedAgain", "Reservoir", "have_changed"]

Item = TypeVar("Item")

SAMPLE = 20
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
        noisy: Whether the model is known to give different answers to one text, as with ``repeat``.

    Attributes:
        stored: Answers of earlier runs that this run used, or would have used.
        asked: Of those, asked again.
        differing: Of those, answered otherwise.
        noisy: Of those, asked once more since some differ, answered otherwise: the model does not give one answer.
        flipped: Of those, of which it decided otherwise.
        generation: How often answers under this fingerprint were put aside.
        changed: Whether it was done in this run.
        seed: What drew the sample.
        sent: Texts that were sent before the change was seen, in vain.
    """

    def __init__(self, size: int = SAMPLE, *, noisy: bool = False) -> None:
        self.size, self._known = size, noisy
        self.sent = self.stored = self.asked = self.differing = self.noisy = self.flipped = self.generation = 0
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
        decides_alike: Callable[[Any, Any], bool] | None = None,
    ) -> None:
        """Hold stored answers against new ones; where any differs, all of them are asked once more.

        One other decision puts all stored answers aside, unless the model is known to be noisy: a few of many calls
        may have reached another model, as while one is deployed.

        Args:
            items: What to ask about, by key.
            was: The stored answers.
            ask: Asks the model.
            decides_alike: Whether two answers lead to one decision; by default to one likeliest label.
        """
        alike = decides_alike or (lambda one, other: _likeliest(one) == _likeliest(other))
        now = ask(items)
        differing = sum(not agree(was[key], now[key]) for key in items)
        self._looked_at.update(items)
        self.asked += len(items)
        self.differing += differing
        if not differing:
            return
        once_more = ask(items)
        self.noisy += sum(not agree(now[key], once_more[key]) for key in items)
        self.flipped += sum(not alike(now[key], once_more[key]) for key in items)
        if not self._known:
            answers = [(was[key], row[key]) for row in (now, once_more) for key in items]
            self.changed |= any(not agree(one, other) and not alike(one, other) for one, other in answers)
        self.changed |= have_changed([(was[key], now[key], once_more[key]) for key in items], noisy=self._known)

    def record(self) -> AskedAgainRecord:
        """Say it for the record."""
        return AskedAgainRecord(
            stored=self.stored,
            asked=self.asked,
            differing=self.differing,
            noisy=self.noisy,
            flipped=self.flipped,
            changed=self.changed,
            generation=self.generation,
            seed=self.seed,
        )


def have_changed(asked: list[tuple[Any, Any, Any]], *, noisy: bool = False) -> bool:
    """Tell answers of another model from those of a noisy one.

    Where the model says the same twice of every text, and of some something else than what is stored, it has changed.
    Where it does not, the three answers to a text are under noise alone in any order as likely as in another: where the
    stored one differs from the first new one, the second new one lies as often nearer to the one as to the other, and
    the sign test asks whether it lies nearer to the new one too often.

    Args:
        asked: Texts with a stored answer, a new one, and one more.
        noisy: Whether the model is known to be noisy, so that two answers that agree prove nothing.

    Returns:
        Whether the stored answers are those of another model.
    """
    differing = [each for each in asked if not agree(each[0], each[1])]
    if not differing or (not noisy and all(agree(now, again) for _, now, again in asked)):
        return bool(differing)
    off = [_distance(was, again) - _distance(now, again) for was, now, again in differing]
    nearer, number = sum(each > 0 for each in off), sum(each != 0 for each in off)
    ways = sum(comb(number, count) for count in range(nearer, number + 1))
    return bool(ways <= _CHANCE * 2**number)


def _likeliest(row: Any) -> Any:
    """The place of the largest probability, or the first of open answers."""
    if row is None:
        return None
    return row.index(max(row)) if isinstance(row[0], float | int) else row[0][0]


def _distance(one: Any, other: Any) -> float:
    """The largest difference of a probability; of open answers, of that of any text."""
    if one is None or other is None:
        return 0.0 if one is other else inf
    if isinstance(one[0], float | int):
        return float(max(abs(a - b) for a, b in zip(one, other, strict=True)))
    here, there = dict(one), dict(other)
    return float(max(abs(here.get(text, 0.0) - there.get(text, 0.0)) for text in here | there))
