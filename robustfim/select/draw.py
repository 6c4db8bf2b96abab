"""Drawing: which examples a check asks for candidates, and when it has seen enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.record import BudgetRecord, TailRecord
from robustfim.statistics.sequential import Watch

__all__ = ["Budget", "Draw", "TestedExample"]

_BLOCK = 256
"""Examples whose candidates are proposed, predicted and judged together."""

_LOOK = 32
"""The same with a budget: examples between two looks at the counts."""


@dataclass(frozen=True, slots=True)
class TestedExample:
    """An example, what the model says of it, and its arm."""

    __test__ = False  # not a test class, whatever pytest thinks of its name

    example: Example
    prediction: Prediction
    arm: str


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a check may draw.

    Attributes:
        most: Examples at most, ≥ 1.
        level: The p-value at which its verdict is certain: 0.025 over the comparisons of the run.
    """

    most: int
    level: float


class Draw:
    """The examples of one check in blocks: all of them in order, or with a budget until the verdict is certain.

    Args:
        tested: The examples the check may test.
        limits: The check's limit, or one for each arm.
        budget: How much may be drawn; None for everything.
        random: Shuffles the examples of a check with a budget.
    """

    def __init__(
        self,
        tested: Sequence[TestedExample],
        limits: float | Mapping[str, float],
        budget: Budget | None,
        random: Random,
    ) -> None:
        self._budget = budget
        self._pending = list(tested)
        self._watches: dict[str, Watch] = {}
        if budget is not None:
            random.shuffle(self._pending)
            del self._pending[budget.most :]
            each = limits if isinstance(limits, Mapping) else {"": limits}
            self._watches = {arm: Watch(limit, budget.level) for arm, limit in each.items()}
        self.planned = len(self._pending)
        self.drawn: list[TestedExample] = []

    def blocks(self, counts: Callable[[str], tuple[int, int]]) -> Iterator[list[TestedExample]]:
        """Give one block after the other.

        Args:
            counts: Gives the tested and the failing examples of an arm so far, and of all for "".
        """
        size = _BLOCK if self._budget is None else _LOOK
        while self._pending:
            block, self._pending = self._pending[:size], self._pending[size:]
            self.drawn += block
            yield block
            certain = set()
            for arm, watch in self._watches.items():
                tested, failing = counts(arm)
                if watch.look(failing, tested):
                    certain.add(arm)
            if self._watches and len(certain) == len(self._watches):
                break
            # An arm whose verdict is certain needs no more examples; one without a limit waits for the others.
            self._pending = [each for each in self._pending if each.arm not in certain]

    def record(self, candidates: int) -> BudgetRecord | None:
        """Say what was drawn, and about how many candidates were saved.

        Args:
            candidates: Candidates tested.

        Returns:
            None without a budget.
        """
        if self._budget is None:
            return None
        left = self.planned - len(self.drawn)
        return BudgetRecord(
            most=self.planned,
            drawn=len(self.drawn),
            saved=round(candidates / len(self.drawn) * left) if self.drawn else 0,
            tails={
                arm: TailRecord(side=watch.tail.side, p_value=watch.tail.p_value)
                for arm, watch in self._watches.items()
            },
        )
