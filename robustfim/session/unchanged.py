"""Count the failures of a check on unchanged texts, about which the model is asked again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from robustfim.builtin.expectations import Invariant
from robustfim.candidate import Candidate
from robustfim.collect.check import Check
from robustfim.judge.check_counts import CheckCounts
from robustfim.judge.design import Design
from robustfim.judge.trials import Trials
from robustfim.judgement import Verdict
from robustfim.predict.context import RunContext
from robustfim.prediction import Prediction
from robustfim.record import NoiseRecord
from robustfim.roles import Progress
from robustfim.select.draw import TestedExample
from robustfim.session.stages import Selected
from robustfim.statistics.clusters import ClusterOf, clustered_pairs, clustered_rate
from robustfim.statistics.excess import Excess

__all__ = ["Unchanged", "noise_of", "right_again"]


class Unchanged:
    """Counts of failures on unchanged texts that the model is asked about again, to measure its own noise.

    Attributes:
        otherwise: Example id to whether each repeated answer decides differently from the first.
    """

    def __init__(self) -> None:
        self._answered: dict[str, list[tuple[bool, str]]] = {}
        self.otherwise: dict[str, list[bool]] = {}

    def take(self, check: Check, again: Sequence[TestedExample], answers: Sequence[Prediction | None]) -> None:
        """Judge repeated answers to unchanged texts as if these were perturbed texts, and count the failures.

        Args:
            check: The check.
            again: The examples that the model was asked about again, repeated as often as they were asked.
            answers: The model's answers; None if the model gave no finite numbers.
        """
        stays = Invariant(counts="changes")
        for source, answer in zip(again, answers, strict=True):
            if answer is None:
                continue
            id, itself = source.example.id, Candidate(source.example)
            self.otherwise.setdefault(id, []).append(stays.judge(source.prediction, answer, itself).failed)
            judgement = check.judge(source.prediction, answer, itself)
            if judgement.verdict is not Verdict.NOT_APPLICABLE:
                self._answered.setdefault(id, []).append((judgement.failed, answer.label))

    def held_against(
        self, counts: CheckCounts, answered: Mapping[str, list[tuple[bool, str]]], check: Check, context: RunContext
    ) -> CheckCounts:
        """Compare failures on perturbed texts with failures on the unchanged texts, with equally many answers.

        If one side of an example has more answers, a random sample of the size of the other side is drawn from it.
        Otherwise the side with more answers would fail more often by chance alone.

        Args:
            counts: The counts of the check.
            answered: Example id to a pair for each judged perturbed text: whether it failed, and the model's decision.
            check: The check.
            context: The run's context.

        Returns:
            The counts, in which the difference of both failure rates replaces the rate.
        """
        answers = {
            id: least for id, own in answered.items() if (least := min(len(own), len(self._answered.get(id, ()))))
        }
        said: dict[str, tuple[list[str], list[str]]] = {id: ([], []) for id in answers}
        sides: dict[str, dict[str, float]] = {"perturbed": {}, "unchanged": {}}
        for id, number in answers.items():
            random = context.random(check.purpose, "repeat", id)
            both = (answered[id], self._answered[id])
            for failing, given, decisions in zip(sides.values(), both, said[id], strict=True):
                ordered = sorted(given, key=lambda pair: not pair[0])
                drawn = [ordered[place] for place in random.sample(range(len(ordered)), number)]
                decisions += [decision for _, decision in drawn]
                number_failed = sum(fails for fails, _ in drawn)
                if number_failed and check.reducer.fails(number_failed, number):
                    failing[id] = 1.0
        perturbed, unchanged = sides.values()
        changes = {id: perturbed.get(id, 0.0) - unchanged.get(id, 0.0) for id in answers}
        paired, _ = clustered_pairs(changes, [*answers], context.clusters)
        return counts.model_copy(update={"noise": self.otherwise, "said": said}).against(
            {name: clustered_rate(side, answers, context.clusters)[0] for name, side in sides.items()},
            Excess(paired, paired.matched / len(answers)) if answers else None,
            alone=[len(perturbed.keys() - unchanged), len(unchanged.keys() - perturbed)],
            answers=max(answers.values(), default=0),
        )


def right_again(selected: Selected, progress: Progress) -> dict[str, tuple[int, int]]:
    """Ask the model again about the labelled examples that the checks will test, if the suite sets ``repeat``.

    A comparison of two runs counts the fraction of right answers.

    Args:
        selected: The results of the run, with the selected examples.
        progress: Called with ("ask again", answers, answers).

    Returns:
        Example id to the number of right repeated answers and the number of all; empty if checks have a budget, since
        their examples are not known yet.
    """
    repeat, options = selected.config.suite.repeat, selected.config.options
    if not repeat or options.examples or selected.selection.record.testable is not None:
        return {}
    pairs = [(example, 1 + ask) for example in selected.tested if example.example.gold for ask in range(repeat)]
    answers = selected.context.queue.predict(
        [example.example for example, _ in pairs], partial(progress, "ask again"), [ask for _, ask in pairs]
    )
    right, asked = Counter[str](), Counter[str]()
    for (example, _), answer in zip(pairs, answers, strict=True):
        if answer is not None:
            right[example.example.id] += bool(answer.right(example.example.gold))
            asked[example.example.id] += 1
    return {id: (right[id], number) for id, number in asked.items()}


def noise_of(checks: Iterable[CheckCounts], clusters: ClusterOf) -> NoiseRecord | None:
    """Measure how often the model decides differently when it is asked again about an unchanged text.

    The answers to one text are treated as dependent.

    Returns:
        The record of the noise; None if no text was asked about again.
    """
    otherwise = {id: answers for check in checks for id, answers in check.noise.items()}
    if not otherwise:
        return None
    rows = [(f"{id} {place}", differs, id) for id, own in otherwise.items() for place, differs in enumerate(own)]
    ids, values, sources = zip(*rows, strict=True)
    trials = Trials.made(ids, value=values, cluster=[clusters.get(id, id) for id in sources])
    return NoiseRecord(texts=len(otherwise), again=Design().estimate(trials).counts)
