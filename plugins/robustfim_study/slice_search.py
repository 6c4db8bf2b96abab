"""Where failures gather: slices that one half of the tested examples suggests and the other half proves."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from robustfim.statistics import wilson
from robustfim.words import word_spans

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    _Grown = tuple[tuple[int, ...], NDArray[np.bool_], float]
    """Places of literals, whom all of them hold of, and by how many standard deviations more of these fail."""

__all__ = [
    "FoundSlice",
    "Literal",
    "Search",
    "SliceRow",
    "find_slices",
    "smallest_slice",
    "stratified_tail",
]

LEVEL = 0.05
"""The share of false slices among those that are told, in expectation, at most."""
TRIED = 10
"""Slices that the first half hands to the second."""
_LEAST = 15
"""Tested examples that a slice must hold in the first half."""
_SHARE = 0.01
"""And the share of them."""
_WORDS = 3000
"""Words that are looked at, the commonest."""
_CELLS = 300_000_000
"""Of so many words by examples, a byte each."""
_BEAM = 100
_DEEPEST = 3
_ALIKE = 0.5
"""Two slices that share so much of what either holds are one."""
_QUANTILES = (0.1, 0.25, 0.75, 0.9)
_TOKEN = re.compile(r"\w+")


@dataclass(frozen=True)
class SliceRow:
    """A tested example.

    Attributes:
        id: Its id.
        text: Its fields, joined by line breaks.
        fails: Whether any of the looked-at checks fails on it.
        arm: The arm it was drawn into.
        label: Its gold label.
        prediction: What the model says of it.
        slices: Names of the suite's slices that hold it.
    """

    id: str
    text: str
    fails: bool
    arm: str = "all"
    label: str | None = None
    prediction: str | None = None
    slices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Literal:
    """One thing that an example is or is not.

    Attributes:
        key: The key of a suite's slice: ``contains``, ``words``, ``label``, ``prediction``; or ``slice``, one of the
            suite's own.
        value: Its value there.
        said: How a sentence says it.
    """

    key: str
    value: Any
    said: str


@dataclass(frozen=True)
class FoundSlice:
    """A slice, and what the half that did not suggest it says of it.

    Attributes:
        literals: What all its examples are.
        tested: Examples of the second half in it.
        failing: Those of them that fail.
        others: Examples of the second half outside of it.
        others_failing: Those of them that fail.
        p_value: Exact one-sided p-value, arm by arm, that it fails no more often than the rest.
        examples: Ids of examples in it that fail, of both halves.
    """

    literals: tuple[Literal, ...]
    tested: int
    failing: int
    others: int
    others_failing: int
    p_value: float
    examples: tuple[str, ...] = ()

    @property
    def e_value(self) -> float:
        """½ p^(−½): an e-value, of which the average under the hypothesis is at most 1 (Vovk and Wang 2021)."""
        return float("inf") if self.p_value <= 0 else 0.5 * self.p_value**-0.5

    @property
    def interval(self) -> tuple[float, float]:
        """95 % Wilson interval of the share that fails."""
        found = wilson(self.failing, self.tested)
        return (0.0, 1.0) if found is None else found

    @property
    def said(self) -> str:
        """Its examples in words."""
        return ", ".join(each.said for each in self.literals)

    @property
    def definition(self) -> dict[str, dict[str, Any]]:
        """What a suite says under ``slices`` to have it; of two words the first has a slice of its own, above it.

        One of the suite's own slices alone is there already, and needs nothing.
        """
        within = [each.value for each in self.literals if each.key == "slice"]
        parts: list[dict[str, Any]] = [{}] if len(within) > 1 else []
        for each in (each for each in self.literals if each.key != "slice"):
            place = next((part for part in parts if each.key not in part), None)
            if place is None:
                parts.append(place := {})
            place[each.key] = each.value
        found: dict[str, dict[str, Any]] = {}
        name = ""
        for part in parts:
            around = [name] if name else within
            name = "-".join(filter(None, [name, *map(_word, part.items())])) or "-".join(within)
            found[name] = part | ({"within": around} if around else {})
        return found


def _word(item: tuple[str, Any]) -> str:
    """A value as a part of a slice's name."""
    key, value = item
    return "".join(part for part in str(value) if part.isalnum()) or key


@dataclass(frozen=True)
class Search:
    """What was looked for, and what was found.

    Attributes:
        found: The slices that the second half proves, the surest first.
        tried: How many it was asked about.
        halves: Tested examples of the first and the second half.
        failing: Those of them that fail.
        smallest: The smallest slice of the second half, in examples, that would be found in 80 % of cases if it failed
            twice as often; None where none would.
    """

    found: tuple[FoundSlice, ...]
    tried: int
    halves: tuple[int, int]
    failing: tuple[int, int]
    smallest: int | None


def find_slices(examples: Sequence[SliceRow], *, seed: int = 0, level: float = LEVEL) -> Search:
    """Find slices that fail more often than the rest.

    One half of the examples, drawn by a hash of their ids, suggests conjunctions of at most three literals, by a beam
    over the lattice of conjunctions (Chung et al. 2019; Sagadeeva and Boehm 2021), of which those that hold much the
    same are one. The other half tests each of them exactly, arm by arm, and e-BH (Wang and Ramdas 2022) tells which are
    told: of these, whatever they share, at most ``level`` are false in expectation.

    Args:
        examples: Tested examples, independent of each other.
        seed: What halves them.
        level: The false discovery rate, in (0, 1).
    """
    import numpy as np

    drawn = np.array([hashlib.blake2b(f"{seed} {each.id}".encode()).digest()[0] & 1 for each in examples], dtype=bool)
    first = [each for each, second in zip(examples, drawn, strict=True) if not second]
    second = [each for each, there in zip(examples, drawn, strict=True) if there]
    failing = sum(each.fails for each in first), sum(each.fails for each in second)
    suggested = _suggest(first)
    table = _Table.of(second, [literal for each in suggested for literal in each])
    found = [_tested(each, table, examples) for each in suggested]
    order = sorted(found, key=lambda each: (each.p_value, each.said))
    proved = max((k for k, each in enumerate(order, 1) if each.e_value >= TRIED / (level * k)), default=0)
    smallest = smallest_slice(len(second), failing[1], level=level)
    return Search(tuple(order[:proved]), len(found), (len(first), len(second)), failing, smallest)


def smallest_slice(tested: int, failing: int, *, times: float = 2.0, level: float = LEVEL) -> int | None:
    """Tell how large a slice must be to be found in 80 % of cases, where it fails so many times as often as the rest.

    Args:
        tested: Examples of the half that proves.
        failing: Those that fail.
        times: How much more often it fails.
        level: As for :func:`find_slices`.

    Returns:
        Examples of that half; None where half of it would be too few, or nothing can fail so often.
    """
    from scipy.stats import binom, hypergeom

    rate = failing / tested if tested else 0.0
    if not 0 < rate * times < 1:
        return None
    needed = (0.5 * level / TRIED) ** 2  # the p-value whose e-value is TRIED / level
    low, high = _LEAST, tested // 2

    def found(size: int) -> bool:
        count = int(binom.ppf(0.2, size, times * rate))
        return bool(hypergeom.sf(count - 1, tested, failing, size) <= needed)

    if low > high or not found(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if found(middle) else (middle + 1, high)
    return low


def stratified_tail(counts: Sequence[tuple[int, int, int, int]]) -> float:
    """Compute the exact chance of so many failures in a slice, given how many fail in each arm.

    Args:
        counts: For each arm its tested examples, those that fail, those in the slice, and those in it that fail.

    Returns:
        The probability of at least so many in all, where failing and the slice have nothing to do with each other in
        any arm: the convolution of hypergeometric distributions.
    """
    import numpy as np
    from scipy.stats import hypergeom

    chances, seen = np.ones(1), 0
    for size, failing, held, both in counts:
        chances = np.convolve(chances, hypergeom.pmf(np.arange(min(failing, held) + 1), size, failing, held))
        seen += both
    return float(min(1.0, chances[seen:].sum()))


def _literals(examples: Sequence[SliceRow]) -> Iterator[tuple[Literal, NDArray[np.bool_]]]:
    """List what examples are or are not, each with who is: words that are neither rare nor everywhere, lengths, labels.

    Yields:
        A literal, and for each example whether it holds.
    """
    import numpy as np

    tokens = [_tokens(each.text) for each in examples]
    counts = Counter(token for each in tokens for token in each)
    least = _least(examples)
    usual = [word for word, number in counts.most_common() if least <= number <= len(examples) / 2]
    for word in usual[: min(_WORDS, _CELLS // max(1, len(examples)))]:
        yield Literal("contains", word, f"with '{word}'"), np.array([word in each for each in tokens])
    lengths = np.array([len(word_spans(each.text)) for each in examples])
    for quantile in _QUANTILES if len(examples) else ():
        end = int(np.quantile(lengths, quantile))
        small = quantile < min(_QUANTILES[2:])
        ends = [None, end] if small else [end, None]
        said = f"of at most {end} words" if small else f"of at least {end} words"
        held = lengths <= end if small else lengths >= end
        if least <= held.sum() < len(examples):
            yield Literal("words", ends, said), held
    for key, word in (("label", "with the gold label"), ("prediction", "predicted as")):
        of = [getattr(each, key) for each in examples]
        for value, number in Counter(of).items():
            if value is not None and least <= number < len(examples):
                yield Literal(key, value, f"{word} {value}"), np.array([each == value for each in of])
    for name in sorted({name for each in examples for name in each.slices}):
        yield Literal("slice", name, f"of the slice '{name}'"), np.array([name in each.slices for each in examples])


@lru_cache(maxsize=100_000)
def _tokens(text: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(text.lower()))


@dataclass(frozen=True)
class _Table:
    """Literals by examples, with the arms."""

    literals: Mapping[tuple[str, str], NDArray[np.bool_]]
    fails: NDArray[np.bool_]
    arms: tuple[NDArray[np.bool_], ...]

    @classmethod
    def of(cls, examples: Sequence[SliceRow], literals: Sequence[Literal]) -> _Table:
        """Look up literals that another half told."""
        import numpy as np

        arms = sorted({each.arm for each in examples})
        return cls(
            {(each.key, str(each.value)): np.array([_holds(each, one) for one in examples], bool) for each in literals},
            np.array([each.fails for each in examples], bool),
            tuple(np.array([each.arm == arm for each in examples], bool) for arm in arms),
        )

    def held(self, literals: Sequence[Literal]) -> NDArray[np.bool_]:
        """Which examples all of them hold of."""
        import numpy as np

        columns = [self.literals[each.key, str(each.value)] for each in literals]
        return np.logical_and.reduce(columns) if columns else np.zeros(len(self.fails), bool)


def _least(examples: Sequence[SliceRow]) -> float:
    """How many examples of the first half a slice must hold."""
    return max(_LEAST, _SHARE * len(examples))


def _holds(literal: Literal, example: SliceRow) -> bool:
    if literal.key == "contains":
        return literal.value in _tokens(example.text)
    if literal.key == "words":
        low, high = literal.value
        number = len(word_spans(example.text))
        return (low is None or number >= low) and (high is None or number <= high)
    if literal.key == "slice":
        return literal.value in example.slices
    return bool(getattr(example, literal.key) == literal.value)


def _suggest(examples: Sequence[SliceRow]) -> list[tuple[Literal, ...]]:
    """The conjunctions that fail most beyond chance, none like another."""
    import numpy as np

    pairs = list(_literals(examples))
    if not pairs:
        return []
    literals = [literal for literal, _ in pairs]
    held = np.array([row for _, row in pairs], dtype=bool)
    fails = np.array([each.fails for each in examples], dtype=float)
    arms = np.array([[each.arm == arm for each in examples] for arm in sorted({each.arm for each in examples})], float)
    rates = (arms @ fails) / arms.sum(1)
    expected = rates @ arms
    spread = (rates * (1 - rates)) @ arms
    least = _least(examples)

    def scores(rows: NDArray[np.bool_]) -> NDArray[np.float64]:
        """How many standard deviations more of each fail than arm by arm expected; −∞ of small ones."""
        found: NDArray[np.float64] = (rows @ (fails - expected)) / np.sqrt(np.maximum(rows @ spread, 1e-12))
        return np.where(rows.sum(1) >= least, found, -np.inf)

    single = scores(held)
    starts = [index for index in np.argsort(-single, kind="stable")[:_BEAM] if np.isfinite(single[index])]
    level: list[_Grown] = [((int(index),), held[index], float(single[index])) for index in starts]
    everything = list(level)
    for _ in range(_DEEPEST - 1):
        grown: dict[tuple[int, ...], tuple[NDArray[np.bool_], float]] = {}
        for members, row, score in level:
            keys = {literals[each].key for each in members} - {"contains", "slice"}  # of these there may be several
            more = [each for each in starts if literals[each].key not in keys and each not in members]
            if not more:
                continue
            rows = held[more] & row
            for each, inner, value in zip(more, rows, scores(rows), strict=True):
                if value > score + _BETTER:
                    grown.setdefault(tuple(sorted((*members, int(each)))), (inner, float(value)))
        level = sorted(((key, *value) for key, value in grown.items()), key=lambda each: -each[2])[:_BEAM]
        everything += level
    chosen: list[_Grown] = []
    for candidate in sorted(everything, key=lambda each: (-each[2], each[0])):
        shared = (float((candidate[1] & other[1]).sum() / (candidate[1] | other[1]).sum()) for other in chosen)
        if candidate[2] > 0 and all(part < _ALIKE for part in shared):
            chosen.append(candidate)
        if len(chosen) == TRIED:
            break
    return [tuple(literals[each] for each in members) for members, _, _ in chosen]


_BETTER = 0.5
"""Standard deviations by which a further literal must tell more: else the shorter slice says as much."""


def _tested(literals: tuple[Literal, ...], table: _Table, examples: Sequence[SliceRow]) -> FoundSlice:
    """Hold a suggestion against the half that did not make it."""
    held, fails = table.held(literals), table.fails
    counts = [
        (int(arm.sum()), int((arm & fails).sum()), int((arm & held).sum()), int((arm & held & fails).sum()))
        for arm in table.arms
    ]
    inside, both = int(held.sum()), int((held & fails).sum())
    ids = [each.id for each in examples if each.fails and all(_holds(literal, each) for literal in literals)]
    return FoundSlice(
        literals, inside, both, len(fails) - inside, int(fails.sum()) - both, stratified_tail(counts), tuple(ids)
    )
