"""``study sears``: does training on variants made by rules fix a model (Ribeiro et al. 2018, section 5.4, Table 6)?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from robustfim.candidate import Candidate
from robustfim.collect import Named
from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.exhibit import Figure, Series, Table
from robustfim.record import DataRecord, Study, describe_environment
from robustfim.roles import Model
from robustfim_sears.mining.mined import Mined
from robustfim_sears.remedy.augmentation import augment, rules_part
from robustfim_sears.remedy.gating import Gating
from robustfim_sears.remedy.refit import Refit, Split, mine_model, refit, split
from robustfim_sears.remedy.sensitivity import Answers, Measure, Paired, ask, measures
from robustfim_sears.rule.rule import Rule

__all__ = ["MEASURES", "Settings", "sears_study"]

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

    def given(model: Model) -> tuple[Sequence[Rule], Mined | None]:
        if rules:
            return rules, None
        mined = mine_model(
            model, parts.held[: settings.examples], paraphraser, seed=seed,
            offline=settings.offline, report=report,
        )  # fmt: skip
        for rule in mined.rules:
            report(f"  {rule.rule.text}: chosen for {len(rule.flips)} flips of {rule.support} texts")
        return [rule.rule for rule in mined.rules], mined

    found = refit(
        parts, trainer, given, gating, per_example=per_example, share=fraction, seed=seed, folder=folder, report=report
    )
    variants: dict[str, list[Candidate]] = {}
    for variant in augment(validation, [rules_part(found.rules, trainer.manager)], seed=seed).variants:
        variants.setdefault(variant.candidate.source.id, []).append(variant.candidate)
    report(f"asking both models about {len(validation):,} validation examples")
    before, after = (ask(model, validation, variants) for model in (found.before, found.after))
    compared = measures(before, after)
    asked = 2 * (len(validation) + sum(map(len, variants.values())))
    return Study(
        study="sears",
        title="What training on the texts of rules mends",
        data=_data(dev, validation, parts),
        environment=describe_environment(trainer.manager.records(), None),
        seed=seed,
        model_calls=asked,
        findings=list(_findings(compared, found)),
        tables=[_table(compared), _rule_table(found, before, after)],
        figures=[_figure(compared)],
        results={
            "trainer": _written(trainer),
            "train": {**_written(train), "fit": len(parts.fit), "held": len(parts.held)},
            "models": {"before": found.before.fingerprint, "after": found.after.fingerprint},
            "rules": [rule.text for rule in found.rules],
            "mined": None if found.mined is None else _mined(found.mined, paraphraser),
            "augmentation": {
                "per_example": per_example, "share": fraction, "variants": len(found.augmented.variants),
                "counts": dict(found.augmented.counts),
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


def _findings(compared: Sequence[Paired], found: Refit) -> list[str]:
    """Say what the numbers say."""
    sentences = [
        f"{paired.name}: {paired.before.rate} before, {paired.after.rate} after{_tested(paired)}" for paired in compared
    ]
    error, sensitivity = compared[:2]
    before, after = error.before.rate.rate, error.after.rate.rate
    if before is not None and after is not None and before != after:
        points = 100 * (before - after)
        sure = "" if error.p_value is None or error.p_value <= 0.05 else ", which may be chance"
        sentences.append(f"Accuracy {'rose' if points > 0 else 'fell'} by {abs(points):.1f} points{sure}.")
    before, after = sensitivity.before.rate.rate, sensitivity.after.rate.rate
    if before and after is not None:
        left = after / before
        sentences.append(f"Of the sensitivity error {left:.0%} is left; in the paper 27 % (12.6 % to 3.4 %).")
    rules, variants, of = len(found.rules), len(found.augmented.variants), len(found.augmented.originals)
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
            paired.name, str(paired.before.rate), str(paired.after.rate),
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


def _rule_table(found: Refit, before: Answers, after: Answers) -> Table:
    """Count, rule by rule, the errors that it makes of what each model labels rightly."""
    rows = []
    for rule in found.rules:
        own = [_of_rule(answers, rule.text) for answers in (before, after)]
        trained = sum(variant.candidate.edits[0].origin == rule.text for variant in found.augmented.variants)
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
    def bars(name: str, own: Sequence[Measure]) -> Series:
        rates = (measure.rate for measure in own)
        return Series.bars(name, ((rate.rate, rate.interval, rate.tested) for rate in rates))

    return Figure(
        title="Errors before and after training on the texts of rules",
        across="error",
        up="share",
        series=[
            bars("before", [paired.before for paired in compared]),
            bars("after", [paired.after for paired in compared]),
        ],
        names=[paired.name for paired in compared],
        notes=["95 % Wilson intervals; that of the sensitivity error takes texts of one example as independent."],
    )


def _plain(paired: Paired) -> dict[str, Any]:
    told: dict[str, Any] = {
        "measure": paired.name, "mended": paired.mended, "broken": paired.broken, "common": paired.common,
        "p_value": paired.p_value,
    }  # fmt: skip
    for name, own in (("before", paired.before), ("after", paired.after)):
        told[name] = {
            "errors": own.rate.count, "tested": own.rate.tested, "rate": own.rate.rate, "interval": own.rate.interval,
        }  # fmt: skip
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
