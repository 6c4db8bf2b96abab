"""Composition: combining possible single edits into candidates that change several words."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import count
from random import Random

from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.words import word_spans

__all__ = ["characters_to_change", "compose_guided", "compose_random", "words_to_change"]

_PATIENCE = 25
"""After this many repeated combinations in a row, no new one is expected."""


def words_to_change(example: Example, words: float | int, fields: Sequence[str] | None = None) -> int:
    """Return how many words of an example to change, given as a count or as a fraction of the words.

    Args:
        example: The example.
        words: A count (int ≥ 1) or a fraction (float in (0, 1]).
        fields: The fields whose words count; all by default.

    Returns:
        The number of words, at least 1; a fraction is rounded to the nearest count.
    """
    if isinstance(words, int):
        return words
    total = sum(len(word_spans(text)) for name, text in example.fields.items() if fields is None or name in fields)
    return max(1, round(words * total))


def characters_to_change(example: Example, rate: float, fields: Sequence[str] | None = None) -> int:
    """Return how many characters of an example to change, from a rate per character.

    Args:
        example: The example.
        rate: Changes for each character, above 0 and at most 1.
        fields: The fields whose characters count; all by default.

    Returns:
        The number of changes, at least 1, rounded to the nearest count.
    """
    total = sum(len(text) for name, text in example.fields.items() if fields is None or name in fields)
    return max(1, round(rate * total))


def compose_random(example: Example, edits: Sequence[Edit], words: int, random: Random) -> Iterator[Candidate]:
    """Combine single edits at random into perturbed texts (candidates), without repeating a combination.

    Every place in the text is equally likely, however many edits are possible there.

    Args:
        example: The unperturbed example.
        edits: Single edits; overlapping edits exclude each other.
        words: The number of places to change in each text, or all if there are fewer.
        random: The generator.

    Yields:
        Distinct perturbed texts, until every single edit was used (``words`` = 1) or nothing new is found.
    """
    places = _places(edits)
    if words == 1:
        queues = [random.sample(alternatives, len(alternatives)) for alternatives in places]
        while queues:
            random.shuffle(queues)
            for queue in queues:
                yield Candidate(example, (queue.pop(),))
            queues = [queue for queue in queues if queue]
        return
    seen: set[tuple[Edit, ...]] = set()
    misses = 0
    while places and misses < _PATIENCE:
        chosen: list[Edit] = []
        for place in random.sample(places, len(places)):
            edit = random.choice(place)
            if len(chosen) < words and not any(edit.overlaps(other) for other in chosen):
                chosen.append(edit)
        combination = tuple(sorted(chosen))
        if combination in seen:
            misses += 1
            continue
        misses = 0
        seen.add(combination)
        yield Candidate(example, combination)


def compose_guided(
    example: Example, edits: Sequence[Edit], words: int, effects: Sequence[float]
) -> Iterator[Candidate]:
    """Combine single edits into perturbed texts (candidates), those with the largest estimated effect first.

    The first candidate takes the best edit at each of the best places. Later candidates differ from an earlier one in
    one of two ways: the next alternative at one place, or the next place instead of the weakest one. Candidates come in
    the order of their sums (a best-first search over these two changes).

    Args:
        example: The unperturbed example.
        edits: Single edits; overlapping edits exclude each other.
        words: The number of places to change in each text, or all if there are fewer.
        effects: One number per edit, larger for edits to try first; the effect of a combination is taken to be their
            sum.

    Yields:
        Distinct candidates; if no two places overlap, all combinations in the order of their summed effects.
    """
    worth = dict(zip(edits, effects, strict=True))
    places = [sorted(place, key=lambda edit: (-worth[edit], edit)) for place in _places(edits)]
    places.sort(key=lambda place: (-worth[place[0]], place[0]))
    start: list[tuple[int, int]] = []
    for index, place in enumerate(places):
        if len(start) < words and not any(place[0].overlaps(places[i][0]) for i, _ in start):
            start.append((index, 0))
    if not start:
        return
    tie = count()
    total = sum(worth[places[i][j]] for i, j in start)
    heap = [(-total, next(tie), tuple(start))]
    seen = {tuple(start)}
    while heap:
        _, _, state = heapq.heappop(heap)
        yield Candidate(example, tuple(places[i][j] for i, j in state))
        for following in _moves(state, places):
            if following not in seen:
                seen.add(following)
                total = sum(worth[places[i][j]] for i, j in following)
                heapq.heappush(heap, (-total, next(tie), following))


def _places(edits: Sequence[Edit]) -> list[list[Edit]]:
    """Group edits by the place they replace, in the order of the text."""
    grouped: dict[tuple[str, int, int], list[Edit]] = {}
    for edit in dict.fromkeys(edits):
        grouped.setdefault(edit.place, []).append(edit)
    return [grouped[key] for key in sorted(grouped)]


_State = tuple[tuple[int, int], ...]


def _moves(state: _State, places: Sequence[Sequence[Edit]]) -> Iterator[_State]:
    """Yield the states one move away: the next alternative at a place, or a later place for one chosen."""
    used = {index for index, _ in state}
    for position, (index, alternative) in enumerate(state):
        rest = [places[i][j] for at, (i, j) in enumerate(state) if at != position]
        if alternative + 1 < len(places[index]):
            yield (*state[:position], (index, alternative + 1), *state[position + 1 :])
        for later in range(index + 1, len(places)):
            if later not in used and not any(places[later][0].overlaps(other) for other in rest):
                yield tuple(sorted((*state[:position], (later, 0), *state[position + 1 :])))
                break
