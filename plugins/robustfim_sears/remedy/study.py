"""``study sears``: does training on variants made by rules fix a model (Ribeiro et al. 2018, section 5.4, Table 6)?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from robustfim.api import context
from robustfim.candidate import Candidate
from robustfim.collect import Named
from robustfim.errors import DataError, NothingCollected
from robustfim.example import Example
from robustfim.exhibit import Figure, Series, Table
from robustfim.record import DataRecord, Study, describe_environment
from robustfim.roles import Model, Trainer
from robustfim.seeds import random_for
from robustfim.suite import Use
from robustfim_sears.mining.mined import Mined
from robustfim_sears.mining.mining import mine
from robustfim_sears.remedy.augmentation import Augmented, augment, rules_part
from robustfim_sears.remedy.gating import Gating
from robustfim_sears.remedy.sensitivity import Answers, Paired, ask, measures
from robustfim_sears.rule.rule import Rule

__all__ = ["MEASURES", "Settings", "Split", "sears_study", "split"]

RULES = 16
"""The largest number of rules that are mined."""

MEASURES: Mapping[str, str] = {
    "validation error": "validation examples that are labelled wrongly",
    "sensitivity error": "the paper's: of the texts that rules make of validation examples which the model labels "
    "rightly, those that it labels wrongly",
    "sensitive examples": "of the validation examples which the model labels rightly and some rule changes, those of "
    "which some rule makes a text that it labels wrongly",
    "changed predictions": "of the validation examples that some rule changes, labelled rightly or not, those whose "
    "prediction some rule changes",
}
"""What is measured, by name."""


@dataclass(frozen=True)
class Settings:
    """The settings of a study that mines rules from a model and trains it again.

    Attributes:
        seed: The seed of the split, both trainings, the mining and the augmentation.
        examples: The largest number of held-out examples to mine.
        held: The fraction of the training data that is held out, in (0, 1).
        per_example: The largest number of variants of a training example; None for all.
        share: The fraction of the training examples of which variants are made.
        offline: Whether downloads are forbidden.
    """

    seed: int
    examples: int = 1000
    held: float = 0.2
    per_example: int | None = None
    share: float = 1.0
    offline: bool = False


@dataclass(frozen=True)
class Split:
    """Training data in two parts.

    Attributes:
        fit: The examples to train on.
        held: The held-out examples, which decide when a training stops and from which rules are mined.
        repeated: The number of rows left out because their text occurred before.
        validation: The number of rows left out because they are validation examples.
    """

    fit: tuple[Example, ...]
    held: tuple[Example, ...]
    repeated: int
    validation: int


def split(train: Sequence[Example], gating: Gating, *, held: float, seed: int) -> Split:
    """Split training data into a part to train on and a held-out part.

    Args:
        train: The training data; repeated texts count once.
        gating: The validation examples, which are left out.
        held: The fraction that is held out, in (0, 1).
        seed: The seed of the split.

    Raises:
        DataError: An example has no gold label, or too few examples are left.
    """
    distinct = {example.id: example for example in reversed(train)}
    kept = [example for example in distinct.values() if example not in gating]
    if bare := [example for example in kept if example.label is None]:
        raise DataError(f"{len(bare)} training examples have no gold label to learn from, such as {bare[0].id}.")
    order = sorted(kept, key=lambda example: (random_for(seed, "study sears", example.id).random(), example.id))
    number = round(held * len(order))
    if not 0 < number < len(order):
        raise DataError(f"{len(order)} training examples are too few to hold {held:.0%} of them out.")
    return Split(tuple(order[number:]), tuple(order[:number]), len(train) - len(distinct), len(distinct) - len(kept))


def sears_study(
    train: Named, dev: Named, trainer: Named, paraphraser: Named, settings: Settings, *, rules: Sequence[Rule] = (),
    folder: Path, report: Callable[[str], None],
) -> Study:  # fmt: skip
    """Train a model, mine its rules, train it again on variants made by the rules, and compare both models.

    Rules are mined from a held-out part of the training data, which also decides when both trainings stop. The
    validation examples are used for the comparison only; training examples that are also validation examples are left
    out.

    Args:
        train: The training data.
        dev: The validation data.
        trainer: The trainer.
        paraphraser: The source of paraphrases and the score.
        settings: The settings.
        rules: Rules that were accepted earlier; if empty, rules are mined.
        folder: Where to write the models.
        report: Called with lines of progress.

    Raises:
        NothingCollected: No rule was found, or no rule changes a training example.
        DataError: Data has no gold labels, or is too small.
        ModelError: A library is missing, or a model gives no usable answer.
    """
    validation = list({each.id: each for each in reversed(list(dev.make().load()))}.values())[::-1]
    if bare := [each for each in validation if each.label is None]:
        raise DataError(f"{len(bare)} validation examples have no gold label to test by, such as {bare[0].id}.")
    gating = Gating.of(validation)
    seed, per_example, fraction = settings.seed, settings.per_example, settings.share
    parts = split(list(train.make().load()), gating, held=settings.held, seed=seed)

    def trained(examples: Sequence[Example], name: str) -> Model:
        report(f"training on {len(examples):,} examples, {name}")
        made: Trainer = trainer.make()
        spec = made.train(examples, parts.held, folder / name, seed=seed, report=lambda line: report(f"  {line}"))
        model: Model = Named("models", Use.model_validate(dict(spec)), trainer.file, trainer.manager).make()
        return model

    first, mined = trained(parts.fit, "before"), None
    if not rules:
        held = parts.held[: settings.examples]
        report(f"mining {len(held):,} held-out examples")
        around = context(first, list(held), seed=seed, offline=settings.offline, plugins=paraphraser.manager)
        # No text only measures the rules: the study itself measures on other data.
        mined = mine(held, around, paraphraser.make(), rules=RULES, tell=False)
        for rule in mined.rules:
            report(f"  {rule.rule.text}: chosen for {len(rule.flips)} flips of {rule.support} texts")
        rules = [rule.rule for rule in mined.rules]
    if not rules:
        raise NothingCollected(
            f"no rule was found on {len(parts.held):,} held-out examples: there is nothing to fix. Give rules with "
            "--rules, hold more out, or name another paraphraser."
        )
    part = rules_part(rules, trainer.manager)
    augmented = augment(parts.fit, [part], seed=seed, per_example=per_example, share=fraction, gating=gating)
    for line in augmented.told():
        report(line)
    if not augmented.variants:
        raise NothingCollected("no rule changes a training example, so there is nothing new to train on.")
    second = trained(augmented.examples, "after")
    variants: dict[str, list[Candidate]] = {}
    for variant in augment(validation, [part], seed=seed).variants:
        variants.setdefault(variant.candidate.source.id, []).append(variant.candidate)
    report(f"asking both models about {len(validation):,} validation examples")
    before, after = (ask(model, validation, variants) for model in (first, second))
    compared = measures(before, after)
    asked = 2 * (len(validation) + sum(map(len, variants.values())))
    return Study(
        study="sears",
        title="What training on the texts of rules mends",
        data=_data(dev, validation, parts),
        environment=describe_environment(trainer.manager.records(), None),
        seed=seed,
        model_calls=asked,
        findings=_findings(compared, len(rules), augmented),
        tables=[_table(compared), _rule_table(rules, augmented, before, after)],
        figures=[_figure(compared)],
        results={
            "trainer": _written(trainer),
            "train": {**_written(train), "fit": len(parts.fit), "held": len(parts.held)},
            "models": {"before": first.fingerprint, "after": second.fingerprint},
            "rules": [rule.text for rule in rules],
            "mined": None if mined is None else _mined(mined, paraphraser),
            "augmentation": {
                "per_example": per_example, "share": fraction, "variants": len(augmented.variants),
                "counts": dict(augmented.counts),
            },
            "measures": [_plain(paired) for paired in compared],
        },
    )  # fmt: skip


def _data(dev: Named, validation: Sequence[Example], parts: Split) -> DataRecord:
    left_out = {
        "training text repeated": parts.repeated,
        "training example among the validation examples": parts.validation,
    }
    return DataRecord(
        use=dev.use.use, options=dev.use.options, examples=len(validation), labelled=len(validation),
        skipped={reason: number for reason, number in left_out.items() if number},
    )  # fmt: skip


def _findings(compared: Sequence[Paired], rules: int, augmented: Augmented) -> list[str]:
    """Say what the numbers say."""
    sentences = [
        f"{paired.name}: {paired.rates[0]} before, {paired.rates[1]} after{_tested(paired)}" for paired in compared
    ]
    error, sensitivity = compared[:2]
    before, after = (rate.rate for rate in error.rates)
    if before is not None and after is not None and before != after:
        points = 100 * (before - after)
        sure = "" if error.p_value is None or error.p_value <= 0.05 else ", which may be chance"
        sentences.append(f"Accuracy {'rose' if points > 0 else 'fell'} by {abs(points):.1f} points{sure}.")
    before, after = (rate.rate for rate in sensitivity.rates)
    if before and after is not None:
        left = after / before
        sentences.append(f"Of the sensitivity error {left:.0%} is left; in the paper 27 % (12.6 % to 3.4 %).")
    variants, of = len(augmented.variants), len(augmented.originals)
    sentences.append(
        f"{rules} rule{'s' * (rules != 1)} made {variants:,} variant{'s' * (variants != 1)} of {of:,} "
        f"example{'s' * (of != 1)}."
    )
    return sentences


def _tested(paired: Paired) -> str:
    if paired.p_value is None:
        return "."
    return f"; {paired.mended} mended and {paired.broken} broken, p = {paired.p_value:.2g} (McNemar's exact test)."


def _table(compared: Sequence[Paired]) -> Table:
    rows = [
        [
            paired.name, *map(str, paired.rates),
            *([str(paired.mended), str(paired.broken)] if paired.independent else ["–", "–"]),
            "–" if paired.p_value is None else f"{paired.p_value:.2g}",
        ]
        for paired in compared
    ]  # fmt: skip
    notes = [f"{name}: {text}." for name, text in MEASURES.items()]
    notes.append(
        "Brackets hold 95 % Wilson intervals. Mended and broken: errors of the first and of the second model alone, "
        "among the examples that both were asked about; p is McNemar's, exact and two-sided. Texts of one example are "
        "not independent: the interval of the sensitivity error is too narrow, and no p-value is given for it."
    )
    return Table(
        title="Errors before and after", header=["error", "before", "after", "mended", "broken", "p"], rows=rows,
        notes=notes,
    )  # fmt: skip


def _rule_table(rules: Sequence[Rule], augmented: Augmented, before: Answers, after: Answers) -> Table:
    """Count, rule by rule, the errors that it makes of what each model labels rightly."""
    rows = []
    for rule in rules:
        own = [_of_rule(answers, rule.text) for answers in (before, after)]
        trained = sum(variant.candidate.edits[0].origin == rule.text for variant in augmented.variants)
        rows.append([rule.text, *(f"{wrong} of {texts}" for wrong, texts in own), str(trained)])
    return Table(
        title="Rules",
        header=["rule", "errors before", "errors after", "variants trained on"],
        rows=rows,
        notes=["Errors among the texts that a rule makes of validation examples which the model labels rightly."],
    )


def _of_rule(answers: Answers, rule: str) -> tuple[int, int]:
    own = [
        wrong
        for name, texts in answers.wrong.items()
        if answers.right[name]
        for wrong, origin in zip(texts, answers.origins[name], strict=True)
        if origin == rule
    ]
    return sum(own), len(own)


def _figure(compared: Sequence[Paired]) -> Figure:
    return Figure(
        title="Errors before and after training on the texts of rules",
        across="error",
        up="share",
        series=[
            Series.bars(name, ((rate.rate, rate.interval, rate.tested) for rate in rates))
            for name, rates in zip(
                ("before", "after"), zip(*(paired.rates for paired in compared), strict=True), strict=True
            )
        ],
        names=[paired.name for paired in compared],
        notes=["95 % Wilson intervals; that of the sensitivity error takes texts of one example as independent."],
    )


def _plain(paired: Paired) -> dict[str, Any]:
    told: dict[str, Any] = {
        "measure": paired.name, "mended": paired.mended, "broken": paired.broken, "common": paired.common,
        "p_value": paired.p_value,
    }  # fmt: skip
    for name, rate in zip(("before", "after"), paired.rates, strict=True):
        told[name] = {"errors": rate.count, "tested": rate.tested, "rate": rate.rate, "interval": rate.interval}
    return told


def _mined(mined: Mined, paraphraser: Named) -> dict[str, Any]:
    return {
        "paraphraser": _written(paraphraser), "score": mined.score_name, "tau": mined.tau, "delta": mined.delta,
        "texts": mined.texts,
        "rules": [
            {"rule": rule.rule.text, "flips": len(rule.flips), "support": rule.support,
             "interval": rule.chosen_by.interval, "equivalent": list(rule.share)}
            for rule in mined.rules
        ],
    }  # fmt: skip


def _written(part: Named) -> dict[str, Any]:
    return {"use": part.use.use, **part.use.options}
