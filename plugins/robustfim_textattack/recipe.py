"""TextAttack's recipes as perturbations that search."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

from pydantic import PositiveInt

from robustfim.candidate import Candidate
from robustfim.contract import Contract
from robustfim.errors import UsageError, did_you_mean, shown
from robustfim.example import Example
from robustfim_textattack.attacked import attacked, fields_of, readable
from robustfim_textattack.component import offered
from robustfim_textattack.construction import Constructed, construct
from robustfim_textattack.library import offline, seeded, textattack
from robustfim_textattack.table import RECIPES
from robustfim_textattack.victim import Victim

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Recipe"]


class Recipe(Constructed):
    """Attacks each example by a recipe of TextAttack.

    The attack starts from the label that the model predicts. The candidate is the final text of the search: the text
    that reached the attack's goal, or else the best text found, which can be the unchanged source. If the recipe finds
    no change to try, the example is not tested. The options are TextAttack's own, and:

    Args:
        queries: The largest number of texts that one attack may send to the model, at least 1; null for no limit. An
            attack that reaches the limit has failed. As in TextAttack, texts with stored answers count.
        columns: The fields that the search may change; all by default.
        options: TextAttack's options.

    Raises:
        UsageError: TextAttack is not installed or a field is unknown (in ``prepare``).
        SkipCheck: Data or a model of the recipe is missing (in ``prepare``).
    """

    # A failed attack tells that the example stands, and so it counts as tested.
    contract = Contract(unchanged=True, separable="edits")

    def __init__(self, *, queries: PositiveInt | None = 1000, columns: list[str] | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._queries, self._columns = queries, columns
        self._tried = False
        self._best: Any = None

    def prepare(self, context: Context) -> None:
        """Build the attack on the run's model."""
        fields = tuple(dict.fromkeys(name for example in context.examples for name in example.fields))
        for name in self._columns or ():
            if name not in fields:
                raise UsageError(f"columns: no example has a field {shown(name)}.{did_you_mean(name, fields)}")
        self._context = context
        self._victim = Victim(context.model, context.predict, fields)
        self._attack = construct(self.name, self.component, self._options, self._victim)
        goal, search = self._attack.goal_function, self._attack.search_method
        goal.query_budget = float("inf") if self._queries is None else self._queries
        goal.batch_size = 2**31  # the prediction queue makes the batches
        search.get_transformations = self._noting(search.get_transformations)
        search.filter_transformations = self._noting(search.filter_transformations)
        search.get_goal_results = self._remembering(search.get_goal_results)
        self._kept_fields = textattack().constraints.pre_transformation.InputColumnModification([], set())
        self._attack.pre_transformation_constraints.append(self._kept_fields)

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        """Attack one example, and return the attack's final text as a candidate."""
        before = self._context.predict([example])[0]
        if before is None or not readable(example):
            return
        self._victim.fields = names = tuple(example.fields)
        if self._columns is not None:
            self._kept_fields.matching_column_labels = list(names)
            self._kept_fields.columns_to_ignore = set(names) - set(self._columns)
        goal = self._attack.goal_function
        if hasattr(goal, "target_class"):
            goal.target_class = _second(before.tilted)
        self._tried, self._best = False, None
        with seeded(random), offline():
            after = self._found(example, before.labels.index(before.label))
        if self._tried and after is not None:
            yield Candidate.replacing(example, after, origin=f"textattack: {self.name}", by_words=True)

    def _found(self, example: Example, label: int) -> dict[str, str] | None:
        """Search, and return the texts that the search ends with."""
        try:
            result = self._attack.attack(attacked(example.fields), label)
        except (IndexError, ValueError):
            if self._attack.goal_function.num_queries != self._queries:
                raise
            # Some searches break when they get no answer beyond the budget; all that these ask for are candidates.
            self._attack.clear_cache()
            return dict(example.fields) if self._best is None else fields_of(self._best.attacked_text, example)
        return fields_of(result.perturbed_result.attacked_text, example)

    def _noting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Remember that a search got something to try."""

        def call(*arguments: Any, **named: Any) -> Any:
            found = function(*arguments, **named)
            self._tried |= len(found) > 0
            return found

        return call

    def _remembering(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Remember the best answer that a search got."""

        def call(*arguments: Any, **named: Any) -> Any:
            results, over = function(*arguments, **named)
            for result in results:
                if self._best is None or result.score > self._best.score:
                    self._best = result
            return results, over

        return call


def _second(probabilities: Sequence[float]) -> int:
    """The class that comes second, which a targeted attack reaches first."""
    order = sorted(range(len(probabilities)), key=lambda index: -probabilities[index])
    return order[1] if len(order) > 1 else 0


@cache
def __getattr__(name: str) -> type[Any]:
    if name not in RECIPES:
        raise AttributeError(name)
    return offered(Recipe, name, RECIPES[name])
