"""TextAttack's searches over given edits of given texts, under a budget of queries a text.

Importing this module imports TextAttack.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from robustfim.candidate import Edit
from robustfim.example import Example
from robustfim.propose import Opening
from robustfim.roles import Model

__all__ = ["METHODS", "Attacked", "attack_each", "one_word", "recipe", "search"]

_adapters: Any = importlib.import_module("robustfim_textattack.adapters")
_attacked: Any = importlib.import_module("robustfim_textattack.attacked")
_textattack: Any = importlib.import_module("textattack")
_WordSwap: Any = _textattack.transformations.WordSwap
_Constraint: Any = _textattack.constraints.Constraint

METHODS: Mapping[str, Mapping[str, Any]] = {
    "GreedyWordSwapWIR": {"wir_method": "delete"},
    "ParticleSwarmOptimizationLEAP": {"pop_size": 60, "max_iters": 20, "post_turn_check": True, "max_turn_retries": 20},
}
"""The search methods, each with the settings of TextAttack's recipe for it (TextFooler's and LEAP2023's)."""


@dataclass(frozen=True)
class Attacked:
    """What TextAttack finds.

    Attributes:
        asked: Queries, by its own count: texts that turn up again count again.
        words: By the id of each text whose label it changes, how many words it changes.
    """

    asked: int
    words: Mapping[str, int]


class _Swaps(_WordSwap):  # type: ignore[misc]  # TextAttack is untyped
    """Puts one more of a text's edits into it, or another in the place of one, until enough words are changed."""

    def __init__(self, example: Example, edits: Iterable[Edit], words: int) -> None:
        super().__init__()
        self._words, self._most = _attacked.attacked(example.fields).words, words
        place = _places(example)
        self._swaps: dict[int, list[str]] = {}
        for edit in edits:
            self._swaps.setdefault(place[edit.place], []).append(edit.after)

    def _get_transformations(self, current_text: Any, indices_to_modify: set[int]) -> list[Any]:
        changed = {index for index, word in enumerate(current_text.words) if word != self._words[index]}
        return [
            current_text.replace_word_at_index(index, word)
            for index in sorted(self._swaps.keys() & indices_to_modify)
            if index in changed or len(changed) < self._most
            for word in self._swaps[index]
            if word != current_text.words[index]
        ]

    @property
    def deterministic(self) -> bool:
        return True


class _AtMost(_Constraint):  # type: ignore[misc]  # TextAttack is untyped
    """Lets so many words of the original be changed: a swarm also puts texts together."""

    def __init__(self, words: int) -> None:
        super().__init__(True)
        self._most = words

    def _check_constraint(self, transformed_text: Any, reference_text: Any) -> bool:
        return _differing(reference_text, transformed_text) <= self._most


def one_word(example: Example, edits: Iterable[Edit]) -> list[Edit]:
    """Keep the edits that put one of TextAttack's words in the place of one: all that its swarm can put together."""
    place, words_of = _places(example), _textattack.shared.utils.words_from_text
    return [edit for edit in edits if edit.place in place and words_of(edit.after) == [edit.after]]


def search(model: Model, openings: Sequence[Opening], labels: Sequence[str], method: str, queries: int) -> Attacked:
    """Search each text for one of another label, among those that its edits make.

    Args:
        model: The model.
        openings: Texts with their edits, each of one word, and how many may be together.
        labels: The label of each now.
        method: One of ``METHODS``.
        queries: The most queries a text.
    """
    wrapper = _adapters.ModelWrapper(model)
    goal = _textattack.goal_functions.UntargetedClassification(wrapper, query_budget=queries)

    def attack(opening: Opening) -> Any:
        found = getattr(_textattack.search_methods, method)(**METHODS[method])
        swaps = _Swaps(opening.example, opening.edits, opening.words)
        return _textattack.Attack(goal, [_AtMost(opening.words)], swaps, found)

    return attack_each([each.example for each in openings], labels, wrapper, [attack(each) for each in openings])


def recipe(name: str) -> Callable[[Sequence[Example], Sequence[str], Model], Attacked]:
    """Make the attack of a recipe, as it stands.

    Args:
        name: Its name, such as ``DeepWordBugGao2018``.

    Returns:
        What attacks texts of given labels on a model.
    """

    def attack(examples: Sequence[Example], labels: Sequence[str], model: Model) -> Attacked:
        wrapper = _adapters.ModelWrapper(model)
        built = getattr(_textattack.attack_recipes, name).build(wrapper)
        return attack_each(examples, labels, wrapper, [built] * len(examples))

    return attack


def attack_each(examples: Sequence[Example], labels: Sequence[str], wrapper: Any, attacks: Sequence[Any]) -> Attacked:
    """Run one attack a text, with TextAttack's generators seeded.

    Args:
        examples: The texts.
        labels: The label of each now.
        wrapper: The model as TextAttack asks it.
        attacks: What to run on each.
    """
    _textattack.shared.utils.set_seed(0)
    asked, words = 0, {}
    for example, label, attack in zip(examples, labels, attacks, strict=True):
        result = attack.attack(example.text, wrapper.labels.index(label))
        asked += result.num_queries
        if isinstance(result, _textattack.attack_results.SuccessfulAttackResult):
            words[example.id] = _differing(result.original_result.attacked_text, result.perturbed_result.attacked_text)
    return Attacked(asked, words)


def _places(example: Example) -> dict[tuple[str, int, int], int]:
    """Number TextAttack's words by their places."""
    return {place: index for index, place in enumerate(_attacked.word_places(_attacked.attacked(example.fields)))}


def _differing(before: Any, after: Any) -> int:
    return sum(old != new for old, new in zip(before.words, after.words, strict=True))
