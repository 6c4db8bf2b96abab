"""Unchanged: what a check finds of texts that nobody changed, where the model is asked about them again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from robustfim.builtin.expectations import Invariant
from robustfim.candidate import Candidate
from robustfim.collect.check import Check
from robustfim.judge.check_counts import CheckCounts
from robustfim.judgement import Verdict
from robustfim.predict.context import RunContext
from robustfim.prediction import Prediction
from robustfim.record import NoiseRecord
from robustfim.select.draw import TestedExample
from robustfim.session.stages import Selected
from robustfim.statistics.clusters import clustered_pairs, clustered_rate
from robustfim.statistics.excess import Excess

__all__ = ["Unchanged", "noise_of", "right_again"]


class Unchanged:
    """Judges further answers to the examples of a check as it judges those to their candidates.

    Attributes:
        otherwise: Example id to the answers that decide otherwise than the first, and all that were given.
    """

    def __init__(self) -> None:
        self._answered: dict[str, list[tuple[bool, str]]] = {}
        self.otherwise: dict[str, tuple[int, int]] = {}

    def take(self, check: Check, again: Sequence[TestedExample], answers: Sequence[Prediction | None]) -> None:
        """Judge and count answers.

        Args:
            check: The check.
            again: The examples that the model was asked about again, each as often as it was.
            answers: What it said; None where it gave no finite numbers.
        """
        stays = Invariant(counts="changes")
        for source, answer in zip(again, answers, strict=True):
            if answer is None:
                continue
            id, itself = source.example.id, Candidate(source.example)
            differing, asked = self.otherwise.get(id, (0, 0))
            self.otherwise[id] = (differing + stays.judge(source.prediction, answer, itself).failed, asked + 1)
            judgement = check.judge(source.prediction, answer, itself)
            if judgement.verdict is not Verdict.NOT_APPLICABLE:
                self._answered.setdefault(id, []).append((judgement.failed, answer.label))

    def held_against(
        self, counts: CheckCounts, answered: Mapping[str, list[tuple[bool, str]]], check: Check, context: RunContext
    ) -> CheckCounts:
        """Count the examples that fail perturbed, and those that fail unchanged, by as many answers.

        Of the side with more answers as many are drawn at random as the other one has: the chance that one of eight
        flips by itself is not that of one of three.

        Args:
            counts: What the check counted.
            answered: Example id to whether each judged candidate failed, and what was decided.
            check: The check.
            context: The run's context.

        Returns:
            The counts with the difference in the place of the rate, and what was decided in the drawn answers.
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
                ordered = sorted(given, key=lambda each: not each[0])
                drawn = [ordered[place] for place in random.sample(range(len(ordered)), number)]
                decisions += [decision for _, decision in drawn]
                number_failed = sum(fails for fails, _ in drawn)
                if number_failed and check.reducer.fails(number_failed, number):
                    failing[id] = 1.0
        perturbed, unchanged = sides.values()
        paired, effective = clustered_pairs(perturbed, unchanged, [*answers], context.clusters)
        return counts.model_copy(update={"noise": self.otherwise, "said": said}).against(
            {name: (clustered_rate(each, answers, context.clusters)[0], effective) for name, each in sides.items()},
            Excess(paired, paired.matched / len(answers)) if answers else None,
            alone=[len(perturbed.keys() - unchanged), len(unchanged.keys() - perturbed)],
            answers=max(answers.values(), default=0),
        )


def right_again(selected: Selected, progress: Callable[[str, int, int], None]) -> dict[str, tuple[int, int]]:
    """Ask about the labelled examples again that the checks are to test, where the suite says ``repeat``.

    The answers are those that the checks ask for, and a comparison takes most of them for the model's.

    Args:
        selected: The stage at which the examples are known.
        progress: Called with ("ask again", answers, answers).

    Returns:
        Example id to the further answers that are right, and all; none where the examples are drawn as checks go.
    """
    repeat, options = selected.config.suite.repeat, selected.config.options
    if not repeat or options.examples or selected.selection.record.testable is not None:
        return {}
    pairs = [(each, 1 + ask) for each in selected.tested if each.example.gold for ask in range(repeat)]
    answers = selected.context.queue.predict(
        [each.example for each, _ in pairs], partial(progress, "ask again"), [ask for _, ask in pairs]
    )
    right, asked = Counter[str](), Counter[str]()
    for (each, _), answer in zip(pairs, answers, strict=True):
        if answer is not None:
            right[each.example.id] += bool(answer.right(each.example.gold))
            asked[each.example.id] += 1
    return {id: (right[id], number) for id, number in asked.items()}


def noise_of(checks: Iterable[CheckCounts], clusters: Mapping[str, str]) -> NoiseRecord | None:
    """Tell how often the model decides otherwise by itself; the answers to one text are no independent ones.

    Returns:
        None where no text was asked about again.
    """
    otherwise = {id: counts for check in checks for id, counts in check.noise.items()}
    if not otherwise:
        return None
    asked = {f"{id} {place}": id for id, (_, number) in otherwise.items() for place in range(number)}
    differing = {f"{id} {place}" for id, (number, _) in otherwise.items() for place in range(number)}
    again, _ = clustered_rate(differing, asked, {answer: clusters.get(id, id) for answer, id in asked.items()})
    return NoiseRecord(texts=len(otherwise), again=again)
