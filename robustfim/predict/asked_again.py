"""Detection of changed models: a sample of stored answers is compared with the model's answers now."""

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
"""How many answers a run asks again: if 15 % of the answers changed, 20 show it with 96 %; 5 %: 64 %; 2 %: 33 %."""
_CHANCE = 0.05
"""The probability that a noisy but unchanged model is taken for a changed one."""


class Reservoir(Generic[Item]):
    """A random sample of the items seen so far, in which each item is equally likely (Vitter 1985, algorithm R).

    Args:
        size: The size of the sample.
        random: The generator.
    """

    def __init__(self, size: int, random: Random) -> None:
        self._size, self._random, self._seen = size, random, set[bytes]()
        self.items: dict[bytes, Item] = {}
        self.answers: dict[bytes, Any] = {}

    def note(self, asked: Iterable[tuple[bytes, Item]], answers: Mapping[bytes, Any]) -> None:
        """Pass the answers to a request to the sample, which may take some of them.

        Args:
            asked: Pairs of a key and the input that was asked about; repeats are allowed.
            answers: The answers by key.
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
    """A test whether a model has changed: a sample of its stored answers is compared with new answers.

    It is needed for models that can change without a new fingerprint. Half of the sample is asked before the first
    stored answer is used, so that most changes are noticed before any work is wasted. The other half is drawn from all
    other stored answers that were used, and asked at the end.

    Args:
        size: The number of answers to ask again; 0 asks none.
        noisy: Whether the model is known to give different answers to one text, as with ``repeat``.

    Attributes:
        stored: Answers of earlier runs that this run used, or would have used.
        asked: Stored answers that were asked again.
        differing: Those of ``asked`` that are different now.
        noisy: The number of answers that differed between two new requests, made if some differ from the store.
        flipped: Those of ``asked`` that now lead to a different decision.
        generation: How often stored answers of this fingerprint have been discarded.
        changed: Whether stored answers were discarded in this run.
        seed: The seed of the sample.
        sent: Texts that were sent before a change was noticed, and whose answers were discarded.
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
        """Draw the stored answers to ask the model about again, before any is used; later calls return nothing.

        Args:
            known: Keys of the answers in the store; answers that the model gave in this run are left out.
        """
        keys = [key for key in known if key not in self._given]
        if not keys or self.asked or self.changed:
            return []
        return self._random.sample(keys, min(self.size // 2, len(keys)))

    def note(self, asked: Iterable[tuple[bytes, Any]], known: Mapping[bytes, Any]) -> None:
        """Note which stored answers are used, so that some of them can be asked again.

        Args:
            asked: Pairs of a key and the input that is asked about.
            known: The answers in the store, by key.
        """
        stored = {key: item for key, item in asked if key in known and key not in self._given}
        self.stored += len(stored)
        self.rest.note(((key, item) for key, item in stored.items() if key not in self._looked_at), known)

    def given(self, keys: Iterable[bytes]) -> None:
        """Note the answers that the model gave in this run, so that they do not count as stored.

        Args:
            keys: The keys of these answers.
        """
        self._given.update(keys)

    def hold(
        self,
        items: Mapping[bytes, Any],
        was: Mapping[bytes, Any],
        ask: Callable[[Mapping[bytes, Any]], dict[bytes, Any]],
        decides_alike: Callable[[Any, Any], bool],
    ) -> None:
        """Compare stored answers with new answers of the model, and discard the stored ones if the model has changed.

        If any answer differs, the model is asked once more. A single different decision discards all stored answers,
        unless the model is known to be noisy.

        Args:
            items: The inputs, by key.
            was: The stored answers.
            ask: Asks the model about inputs by key, and returns its answers by key.
            decides_alike: Whether two answers lead to the same decision.
        """

        def unlike(one: Mapping[bytes, Any], other: Mapping[bytes, Any], same: Callable[[Any, Any], bool]) -> int:
            return sum(not same(one[key], other[key]) for key in items)

        now = ask(items)
        differing = unlike(was, now, agree)
        self._looked_at.update(items)
        self.asked += len(items)
        self.differing += differing
        if not differing:
            return
        once_more = ask(items)
        self.noisy += unlike(now, once_more, agree)
        self.flipped += unlike(now, once_more, decides_alike)
        if not self._known:
            answers = [(was[key], row[key]) for row in (now, once_more) for key in items]
            self.changed |= any(not agree(one, other) and not decides_alike(one, other) for one, other in answers)
        self.changed |= have_changed([(was[key], now[key], once_more[key]) for key in items], noisy=self._known)

    def record(self) -> AskedAgainRecord:
        """Return the record of the comparison."""
        return AskedAgainRecord.model_validate(self, from_attributes=True)


def have_changed(asked: list[tuple[Any, Any, Any]], *, noisy: bool = False) -> bool:
    """Decide whether the model has changed, or only gives noisy answers.

    Each text has a stored answer and two new ones. If the two new answers to every text are equal, and some differ from
    the stored answer, the model has changed. Otherwise the model is noisy. If noise were the only cause of differences,
    the three answers to a text could come in any order with equal probability. So the second new answer would be as
    often nearer to the stored answer as to the first new one. A sign test rejects this if the second new answer is
    nearer to the first new one too often.

    Args:
        asked: For each text its stored answer, the first new answer, and the second new answer.
        noisy: Whether the model is known to be noisy, so that two equal answers prove nothing.

    Returns:
        Whether the stored answers come from another model.
    """
    differing = [each for each in asked if not agree(each[0], each[1])]
    if not differing or (not noisy and all(agree(now, again) for _, now, again in asked)):
        return bool(differing)
    off = [_distance(was, again) - _distance(now, again) for was, now, again in differing]
    nearer, number = sum(each > 0 for each in off), sum(each != 0 for each in off)
    ways = sum(comb(number, count) for count in range(nearer, number + 1))
    return bool(ways <= _CHANCE * 2**number)


def _distance(one: Any, other: Any) -> float:
    """The largest difference of a probability; of open answers, of that of any text."""
    if one is None or other is None:
        return 0.0 if one is other else inf
    if isinstance(one[0], float | int):
        return float(max(abs(a - b) for a, b in zip(one, other, strict=True)))
    here, there = dict(one), dict(other)
    return float(max(abs(here.get(text, 0.0) - there.get(text, 0.0)) for text in here | there))
