"""``study cues``: compare training on original and on balanced instances (Kavumba et al. 2019)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from robustfim.collect import Named
from robustfim.exhibit import Figure, Series, Table
from robustfim.record import DataRecord, Study, describe_environment
from robustfim.roles import Trainer
from robustfim.statistics import percent
from robustfim_cues.choices.wording import correlation_text
from robustfim_cues.measures.exhibits import BY_CONSTRUCTION
from robustfim_cues.measures.measures import measure
from robustfim_cues.models.answers import gap_between
from robustfim_cues.models.partial_input import partial_input
from robustfim_cues.models.split import Side
from robustfim_cues.sensitivity.exhibits import sensitivity_bands, sensitivity_figure, sensitivity_table
from robustfim_cues.sensitivity.measure import Sensitivities, bands
from robustfim_cues.study.accuracy import MEASURES, Accuracy, Comparison, accuracies, comparisons
from robustfim_cues.study.folds import REGIMES, Pair, complete_pairs, trainings
from robustfim_cues.study.training import Asked, merged, train_and_ask

__all__ = ["answer", "cues_study"]


def cues_study(
    data: Named, trainer: Named, regimes: Sequence[str], *, folds: int, dev: float, seed: int, minimum: int,
    folder: Path, report: Callable[[str], None],
) -> Study:  # fmt: skip
    """Train on original and on balanced instances, cross-validated, and compare which instances the models solve.

    Args:
        data: A data source of choices and their mirrors.
        trainer: The trainer.
        regimes: Keys of ``REGIMES``.
        folds: The number of folds, ≥ 2.
        dev: The fraction of the pairs outside the test data that becomes development data, in (0, 1).
        seed: The seed of folds, trainings and the split into Easy and Hard.
        minimum: The smallest number of examples to which a cue must apply.
        folder: Where to write the models. Models of the same experiment that are already there are not trained again.
        report: Called with lines of progress.

    Raises:
        DataError: The data has no mirrors or no gold labels, or is too small.
        ModelError: A library is missing, or a model gives no usable answer.
    """
    made: Trainer = trainer.make()
    examples = list(data.make().load())
    pairs = complete_pairs(examples)
    originals = [original for original, _ in pairs]
    planned = trainings(pairs, regimes, folds=folds, dev=dev, seed=seed)
    solved = partial_input(originals, leave_out=["premise"], seed=seed).solved
    sides: dict[str, Side] = {
        original.id: "easy" if own else "hard" for original, own in zip(originals, solved, strict=True)
    }
    cues = measure(originals, minimum=minimum).found
    asked = []
    for number, training in enumerate(planned, start=1):
        report(
            f"training {number}/{len(planned)}: fold {training.fold}, {training.regime}, "
            f"{len(training.train)} instances"
        )
        place = folder / f"{training.regime}-{training.fold}"
        asked.append(
            train_and_ask(trainer, made, training, place, cues, seed=seed, report=lambda line: report(f"  {line}"))
        )
    found = accuracies(asked, pairs, sides)
    compared = comparisons(found)
    moved = {
        regime: merged([each.sensitivity for each in asked if each.training.regime == regime and each.sensitivity])
        for regime in regimes
        if all(each.sensitivity is not None for each in asked)
    }
    alone = len(examples) - 2 * len(pairs)
    return Study(
        study="cues",
        title=_question(regimes),
        data=DataRecord(
            use=data.use.use, options=data.use.options, examples=2 * len(pairs), labelled=2 * len(pairs),
            skipped={"no pair of an instance and its mirror": alone} if alone else {},
        ),
        environment=describe_environment(trainer.manager.records(), None),
        seed=seed,
        model_calls=sum(len(each.training.held) for each in asked),
        findings=list(_findings(found, compared, moved, sides)),
        tables=[
            _accuracy_table(found, folds),
            *([_comparison_table(compared)] if compared else []),
            *([sensitivity_bands(moved), sensitivity_table(moved)] if moved else []),
        ],
        figures=[_accuracy_figure(found), *([sensitivity_figure(moved)] if moved else [])],
        results={
            "trainer": {"use": trainer.use.use, **trainer.use.options},
            "folds": folds,
            "regimes": {name: REGIMES[name] for name in regimes},
            "accuracy": [_plain(accuracy) for accuracy in found],
            "comparisons": [
                {"measure": comparison.measure, "regimes": list(comparison.regimes), "only_second": comparison.wins,
                 "only_first": comparison.losses, "p_value": comparison.p_value, "adjusted": comparison.adjusted}
                for comparison in compared
            ],
            "sensitivity": {name: _banded(sensitivities) for name, sensitivities in moved.items()},
            "instances": list(_instances(asked, pairs, sides)),
        },
    )  # fmt: skip


def _findings(
    found: Sequence[Accuracy], compared: Sequence[Comparison], moved: Mapping[str, Sensitivities],
    sides: Mapping[str, Side],
) -> list[str]:  # fmt: skip
    """Say what the numbers say, regime by regime."""
    by_name = {(accuracy.regime, accuracy.measure): accuracy for accuracy in found}
    sentences = [answer(found, compared)]
    for regime in dict.fromkeys(accuracy.regime for accuracy in found):
        original, mirrored, pairs = (by_name[regime, name] for name in ("original", "mirrored", "pairs"))
        sentences.append(
            f"{regime}: {original.rate} of the original instances right, {mirrored.rate} of the mirrored ones, "
            f"both of {pairs.rate} of the pairs."
        )
        if len(set(sides.values())) == 2:
            gap = gap_between(original.right, sides)
            sentences.append(
                f"{regime}: Easy {by_name[regime, 'easy'].rate}, Hard {by_name[regime, 'hard'].rate}; "
                f"{percent(gap.rate, gap.interval, unit='points')} between them, p = {gap.p_value(0):.2g}."
            )
    if len(set(sides.values())) == 2:
        sentences.append(BY_CONSTRUCTION)
    for comparison in compared:
        if comparison.measure == "pairs":
            first, second = comparison.regimes
            sentences.append(
                f"Pairs, {second} against {first}: {comparison.wins} won and {comparison.losses} lost, "
                f"p = {comparison.adjusted:.2g} (McNemar's exact test, corrected)."
            )
    if not moved:
        sentences.append("The models have no gradients, so that their sensitivity to cues was not measured.")
    return sentences + [
        f"{name}: {correlation_text(sensitivities.correlation)}." for name, sensitivities in moved.items()
    ]


def _question(regimes: Sequence[str]) -> str:
    if "original" in regimes and len(regimes) > 1:
        return "Does training on balanced instances solve more pairs of an instance and its mirror?"
    return "How many pairs of an instance and its mirror does the model solve?"


def answer(found: Sequence[Accuracy], compared: Sequence[Comparison]) -> str:
    """Return a sentence on which training regime solves more pairs of an instance and its mirror."""
    rates = {accuracy.regime: accuracy.rate for accuracy in found if accuracy.measure == "pairs"}
    solved = ", ".join(f"trained on {name} {rate.text}" for name, rate in rates.items())
    sentence = f"of {next(iter(rates.values())).tested} pairs are solved, {solved}"
    verdicts: dict[str, list[str]] = {"Yes": [], "No": []}
    for comparison in (each for each in compared if each.measure == "pairs" and each.adjusted <= 0.05):
        more, fewer = comparison.regimes[::-1] if comparison.wins > comparison.losses else comparison.regimes
        verdicts["No" if more == "original" else "Yes"].append(f"surely more on {more} than on {fewer}")
    sure = [*verdicts["Yes"], *verdicts["No"]]
    if "original" not in rates or len(rates) < 2:
        return f"{sentence[:1].upper()}{sentence[1:]}; {', '.join(sure) or 'chance is 25 %'}."
    answer = next(
        (name for name, verdict in verdicts.items() if any("original" in one for one in verdict)), "Not shown"
    )
    return f"{answer}: {sentence}; {', '.join(sure) or 'no difference is sure'}."


def _accuracy_table(found: Sequence[Accuracy], folds: int) -> Table:
    regimes = list(dict.fromkeys(accuracy.regime for accuracy in found))
    rows = [
        [name, str(len(own[0].right)), *(accuracy.rate.text for accuracy in own)]
        for name in MEASURES
        if (own := [accuracy for accuracy in found if accuracy.measure == name])
    ]
    notes = [f"{name}: {text}." for name, text in MEASURES.items()]
    notes += [f"Trained on {name}: {REGIMES[name]}." for name in regimes]
    notes.append(f"{folds} folds; an instance and its mirror are in the same one. Chance is 50 %, of pairs 25 %.")
    header = ["right", "of", *(f"trained on {regime}" for regime in regimes)]
    return Table(title="Accuracy by what was trained on", header=header, rows=rows, notes=notes)


def _comparison_table(compared: Sequence[Comparison]) -> Table:
    return Table(
        title="Differences between what was trained on",
        header=["regimes", "measure", "only the first", "only the second", "p", "corrected"],
        rows=[
            [
                " / ".join(comparison.regimes), comparison.measure, str(comparison.losses), str(comparison.wins),
                f"{comparison.p_value:.2g}", f"{comparison.adjusted:.2g}",
            ]
            for comparison in compared
        ],
        texts=[1],
        notes=["Instances that only one of both is right on; McNemar's exact test, corrected by Holm for the five."],
    )  # fmt: skip


def _accuracy_figure(found: Sequence[Accuracy]) -> Figure:
    return Figure(
        title="Accuracy by what was trained on",
        across="what was counted",
        up="share that is right",
        series=[
            Series.bars(
                f"trained on {regime}",
                (
                    (accuracy.rate.rate, accuracy.rate.interval, accuracy.rate.tested)
                    for name in MEASURES
                    for accuracy in found
                    if (accuracy.regime, accuracy.measure) == (regime, name)
                ),
            )
            for regime in dict.fromkeys(accuracy.regime for accuracy in found)
        ],
        names=list(MEASURES),
        shares=True,
        level=0.5,
        level_name="chance for an instance",
        notes=["95 % Wilson intervals. For pairs chance is 25 %."],
    )


def _plain(found: Accuracy) -> dict[str, Any]:
    return {
        "regime": found.regime,
        "measure": found.measure,
        "right": found.rate.count,
        "tested": found.rate.tested,
        "interval": found.rate.interval,
    }


def _banded(found: Sensitivities) -> dict[str, Any]:
    return {
        "examples": found.examples,
        "correlation": found.correlation,
        "bands": [
            {"low": band.low, "high": band.high, "relative": band.mean, "interval": band.interval,
             "cues": dict(band.relative)}
            for band in bands(found)
        ],
    }  # fmt: skip


def _instances(asked: Sequence[Asked], pairs: Sequence[Pair], sides: Mapping[str, Side]) -> list[dict[str, Any]]:
    """List every instance with its fold, its side and the answer of each regime; no text."""
    folds = {example.id: part.training.fold for part in asked for example in part.training.held}
    answers: dict[str, dict[str, str | None]] = {name: {} for name in folds}
    for part in asked:
        for example in part.training.held:
            answers[example.id][part.training.regime] = part.answers.get(example.id)
    return [
        {
            "id": example.id, "number": example.meta.get("number"), "pair": example.meta.get("pair"),
            "mirrored": bool(example.meta.get("mirrored")), "split": sides.get(example.id), "fold": folds[example.id],
            "label": example.label, "answers": answers[example.id],
        }
        for example in chain.from_iterable(pairs)
    ]  # fmt: skip
