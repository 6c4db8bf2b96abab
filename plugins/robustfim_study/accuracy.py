"""``study accuracy``: the accuracy on the easiest and on the hardest examples, unperturbed and perturbed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from robustfim.errors import UsageError
from robustfim.exhibit import Figure, Series, Table
from robustfim.record import ExampleRecord, Study
from robustfim.statistics import percent, wilson
from robustfim_study.association import Array
from robustfim_study.estimate import Estimate, named
from robustfim_study.sample_run import Answer, SampleRun

__all__ = ["RANDOM", "STEPS", "Part", "accuracies", "accuracy_study", "step_check"]

STEPS = "eigenvector-steps"
"""The check that the study adds."""
RANDOM = "random-steps"
"""Steps of the same norms along a random direction of each example."""

_ALONG = {STEPS: "the top eigenvector", RANDOM: "a random direction"}
_POINTS = 20
"""Numbers of examples for which the figure has a point."""

_SHARES = (0.1, 0.25, 0.5)
"""Sizes of a part in the table, as fractions of all examples. Easiest and hardest examples do not overlap."""


@dataclass(frozen=True)
class Part:
    """The accuracy on the easiest or hardest examples, before and after perturbation.

    Attributes:
        check: The check that perturbs the examples.
        end: ``easiest`` or ``hardest``.
        examples: The number of examples.
        before: The accuracy on the unperturbed examples.
        after: The accuracy on the perturbed examples: for each example the fraction of candidates with the gold label,
            averaged over examples.
    """

    check: str
    end: str
    examples: int
    before: Estimate
    after: Estimate


def step_check(norms: Sequence[float], direction: str = "eigenvector") -> dict[str, object]:
    """Return the suite mapping of a check that moves embeddings along an eigenvector or a random direction.

    Args:
        norms: Euclidean lengths of the steps in embedding space, each > 0.
        direction: ``eigenvector`` for both directions along the top eigenvector of the Fisher information, or
            ``random``.
    """
    steps = {
        "use": "eigenvector",
        "direction": direction,
        "norms": list(norms),
        "signs": "both",
        "candidates": 2 * len(norms),
    }
    return {"perturb": steps, "limit": 1.0}


def accuracies(examples: Sequence[ExampleRecord], answers: Mapping[str, Sequence[Answer]]) -> Array:
    """Return each example's accuracy: the fraction of its perturbed texts that get the gold label, ``[examples]``.

    The value is NaN for an example without perturbed texts.
    """
    found = []
    for example in examples:
        own = answers.get(example.id, ())
        found.append(sum(bool(answer.right) for answer in own) / len(own) if own else np.nan)
    return np.array(found, dtype=np.float64)


def accuracy_study(sample: SampleRun, *, by: str) -> Study:
    """Compare the accuracy on the easiest n and hardest n examples, before and after perturbation.

    The study varies n, and the length of perturbing steps in embedding space. This is the experiment of Datta et al.
    (2020–22): under perturbation, accuracy falls on the hardest examples and stays on the easiest.

    Args:
        sample: A run on a random sample that needed the score ``by``, and, for a model with gradients, had the check
            ``STEPS``.
        by: The score of difficulty.

    Raises:
        UsageError: No example has a gold label.
    """
    record = sample.record
    score = next(record_score for record_score in record.scores if record_score.name == by)
    tested = [example for example in record.examples if example.arm is not None]
    if not any(each.label is not None for each in tested):
        raise UsageError("'study accuracy' needs gold labels, and no example of the data has one.")
    ranked = [each for each in tested if each.label is not None and each.scores.get(by) is not None]
    ranked.sort(key=lambda each: (each.scores[by] or 0.0, each.id), reverse=score.hardest == "highest")
    right = np.array([bool(each.correct) for each in ranked], dtype=np.float64)
    parts: list[Part] = []
    figures: list[Figure] = []
    for check in (sample_check for sample_check in sample.checks if sample_check not in (STEPS, RANDOM)):
        after = accuracies(ranked, {each.id: sample.of(check, each.id) for each in ranked})
        kept = np.isfinite(after)
        if not kept.any():
            continue
        before, after = right[kept], after[kept]
        parts += _parts(check, before, after)
        figures.append(_by_size(check, before, after))
    curves = [_by_norm(ranked, sample, check) for check in (STEPS, RANDOM) if check in sample.checks]
    return Study.of(
        record,
        study="accuracy",
        title="How right does the model stay on the easiest and hardest examples?",
        findings=_findings(parts),
        tables=[_table(parts, by)],
        figures=[*_ends(parts), *figures, *filter(None, curves)],
        results={"by": by, "examples": len(ranked), "parts": [asdict(part) for part in parts]},
    )


def _estimate(values: Array) -> Estimate:
    # Numbers in [0, 1] with the mean m have a variance of at most m(1 − m), so the interval is never too narrow.
    return Estimate(float(values.mean()), wilson(float(values.sum()), len(values)))


def _parts(check: str, before: Array, after: Array) -> list[Part]:
    """Measure both ends at each size; the hardest examples come first."""
    found = []
    sizes = (min(max(1, round(fraction * len(before))), len(before) // 2) for fraction in _SHARES)
    for size in dict.fromkeys(filter(None, sizes)):
        for end, part in (("easiest", slice(len(before) - size, None)), ("hardest", slice(size))):
            found.append(
                Part(check, end, size, _estimate(before[part]), _estimate(after[part])),
            )
    return found


def _findings(parts: Sequence[Part]) -> list[str]:
    said = [_answer(parts)] if parts else []
    for check in dict.fromkeys(part.check for part in parts):
        easy, hard = (next(part for part in parts if (part.check, part.end) == (check, end)) for end in _ENDS)
        which = "example goes" if hard.examples == 1 else "examples go"
        number = "" if hard.examples == 1 else f"{hard.examples} "
        said.append(
            f"{check}: the {number}hardest {which} from {_share(hard.before)} to {_share(hard.after)}, the "
            f"{number}easiest from {_share(easy.before)} to {_share(easy.after)}."
        )
    return said


def _answer(parts: Sequence[Part]) -> str:
    """Say under how many checks the hardest, perturbed, are less often right than the easiest, and what is sure of it.

    Of each check the smallest part at either end. Two intervals of 95 % that lie apart are a difference at 0.05.
    """
    easy, hard = ({part.check: part for part in reversed(parts) if part.end == end} for end in _ENDS)
    fewer = [check for check in easy if hard[check].after.value < easy[check].after.value]
    sure = sum(_interval(hard[check].after)[1] < _interval(easy[check].after)[0] for check in fewer)
    sizes = {each.examples for each in easy.values()}
    number = f"{min(sizes)}" if len(sizes) == 1 else f"{min(sizes)} to {max(sizes)}"
    sentences = [_between([each.after.value for each in end.values()]) for end in (hard, easy)]
    checks = f"{len(fewer)} of {len(easy)} checks" if len(easy) > 1 else "the check" if fewer else "no check"
    return (
        f"Perturbed, the {number} hardest examples are less often right than as many easiest under {checks}: in "
        f"{sentences[0]} against {sentences[1]}; the 95 % intervals lie apart under {sure}."
    )


def _interval(share: Estimate) -> tuple[float, float]:
    return share.interval or (0.0, 1.0)


def _between(shares: Sequence[float]) -> str:
    low, high = percent(min(shares)), percent(max(shares))
    return low if low == high else f"{low.removesuffix(' %')} to {high}"


def _share(estimate: Estimate) -> str:
    return percent(estimate.value, estimate.interval)


_ENDS = ("easiest", "hardest")


def _table(parts: Sequence[Part], by: str) -> Table:
    return Table(
        title=f"Accuracy of the easiest and the hardest examples, ranked by {named(by)}",
        header=["check", "examples", "easiest", "easiest, perturbed", "hardest", "hardest, perturbed"],
        rows=[
            [
                easy.check, str(easy.examples), _share(easy.before), _share(easy.after), _share(hard.before),
                _share(hard.after),
            ]
            for easy, hard in zip(parts[::2], parts[1::2], strict=True)
        ],
        notes=[
            "Perturbed: the mean over examples of the share of their candidates that have the gold label.",
            "In brackets: 95 % Wilson intervals over examples.",
        ],
    )  # fmt: skip


def _ends(parts: Sequence[Part]) -> list[Figure]:
    """Draw the smallest part at either end, perturbed, under each check."""
    checks = list(dict.fromkeys(part.check for part in parts))
    if not checks:
        return []
    series = []
    for end in _ENDS:
        first = {part.check: part for part in reversed(parts) if part.end == end}
        heights = [(part.after.value, part.after.interval, part.examples) for part in map(first.__getitem__, checks)]
        series.append(Series.bars(f"{end} tenth", heights))
    figure = Figure(
        title="Accuracy of the easiest and hardest tenth, perturbed", across="check", up="accuracy", series=series,
        names=checks, shares=True, notes=["95 % Wilson intervals over examples."],
    )  # fmt: skip
    return [figure]


def _by_size(check: str, before: Array, after: Array) -> Figure:
    """Draw accuracy against the number of examples, which are given the hardest first."""
    sizes = sorted({max(1, round(len(before) * step / _POINTS)) for step in range(1, _POINTS + 1)})
    series = [
        Series(
            name=f"{end}, {name}",
            kind="line",
            points=[(float(n), float((values[:n] if end == "hardest" else values[-n:]).mean())) for n in sizes],
        )
        for end in _ENDS
        for name, values in (("perturbed", after), ("unperturbed", before))
    ]
    return Figure(title=f"Accuracy under {check}, by number of examples", across="examples", up="accuracy",
                  series=series, shares=True, counts=True)  # fmt: skip


def _by_norm(ranked: Sequence[ExampleRecord], sample: SampleRun, check: str) -> Figure | None:
    """Draw accuracy against the norm of the step, for the easiest and hardest tenth and for all."""
    norms = sorted(
        {abs(answer.norm) for each in ranked for answer in sample.of(check, each.id)
         if answer.norm is not None}
    )  # fmt: skip
    if not norms:
        return None
    tenth = max(1, len(ranked) // 10)
    series = []
    for name, part in (("easiest tenth", ranked[-tenth:]), ("hardest tenth", ranked[:tenth]), ("all", ranked)):
        start = np.mean([bool(each.correct) for each in part])
        points: list[tuple[float | None, ...]] = [(0.0, float(start), *_ends_of(float(start), len(part)))]
        for norm in norms:
            answers = {each.id: [a for a in sample.of(check, each.id) if abs(a.norm or 0.0) == norm] for each in part}
            values = accuracies(part, answers)
            known = values[np.isfinite(values)]
            mean = float(known.mean()) if len(known) else None
            points.append((norm, mean, *_ends_of(mean, len(known))))
        series.append(Series(name=name, kind="line", points=points))
    return Figure(
        title=f"Accuracy by norm of the step along ± {_ALONG[check]}",
        across="norm of the step, in units of the embedding",
        up="accuracy",
        shares=True,
        series=series,
        notes=[f"A tenth has {tenth} examples. Both signs count alike. 95 % Wilson intervals over examples."],
    )


def _ends_of(mean: float | None, number: int) -> tuple[float | None, float | None]:
    return (None if mean is None else wilson(mean * number, number)) or (None, None)
