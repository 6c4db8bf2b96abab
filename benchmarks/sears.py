"""Repair by rules: ``study sears`` with fastText on rotten_tomatoes (Ribeiro, Singh and Guestrin 2018, Table 6)."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.sections import measured, table
from robustfim.collect import Named, named_part
from robustfim.commands import Chosen
from robustfim.errors import NothingCollected
from robustfim.plugin import PluginOptions
from robustfim.record import Study
from robustfim.statistics import wilson
from robustfim_sears.remedy.study import Settings, sears_study

__all__ = ["LEFT", "POINTS", "SEEDS", "Mended", "as_markdown", "mended"]

LEFT = 1 / 3
"""The aim: the share of the sensitivity error that is left, at most."""

POINTS = 1.0
"""The aim: points of accuracy that are lost, at most."""

SEEDS = (0, 1, 2)
"""Every seed splits, trains, mines and augments anew. Nothing was chosen by the validation examples."""


@dataclass(frozen=True)
class Mended:
    """The results of one study: a model before and after training on texts that mined rules produce.

    Each error is two pairs of counts, (wrong, tested), before and after.

    Attributes:
        seed: The seed of the study.
        rules: The number of mined rules.
        fit: The number of training examples.
        variants: The number of texts that the rules produce from the training examples.
        error: The number of validation examples with a wrong label.
        sensitivity: The number of texts with a wrong label among those that the rules produce from examples with a
            correct label.
        examples: The number of examples with a correct label for which the rules produce a text with a wrong label.
        p_values: The p-values of McNemar's test for ``error`` and for ``examples``.
    """

    seed: int
    rules: int
    fit: int
    variants: int
    error: tuple[tuple[int, int], tuple[int, int]]
    sensitivity: tuple[tuple[int, int], tuple[int, int]]
    examples: tuple[tuple[int, int], tuple[int, int]]
    p_values: tuple[float, float]

    @property
    def left(self) -> float:
        """The sensitivity error after training, as a fraction of the error before."""
        (before, asked), (after, asked_after) = self.sensitivity
        return (after / asked_after) / (before / asked)

    @property
    def lost(self) -> float:
        """The loss of accuracy in percentage points; negative for a gain."""
        (before, asked), (after, _) = self.error
        return 100 * (after - before) / asked


def mended(
    data: Path, *, seeds: Sequence[int] = SEEDS, trainer: str = "reference/fasttext",
    plugins: PluginOptions | None = None,
) -> Iterator[Mended | tuple[str, str]]:  # fmt: skip
    """Run the study with its default settings.

    Args:
        data: A folder that holds ``rotten_tomatoes/train.csv`` and ``dev.csv``.
        seeds: The seeds, one study for each.
        trainer: The trainer of the model.
        plugins: Plugins to load in addition to the installed plugins.

    Yields:
        The results of each study; or a name and a reason, if a study finds no rule.
    """
    train, dev = (_data(data / "rotten_tomatoes" / name, plugins) for name in ("train.csv", "dev.csv"))
    for seed in seeds:
        print(f"seed {seed}", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as scratch:
            try:
                study = sears_study(
                    train, dev, named_part("trainers", trainer, train.manager, "--trainer"),
                    named_part("paraphrasers", "phrases", train.manager, "--paraphraser"),
                    Settings(seed, offline=True), folder=Path(scratch),
                    report=lambda line: print(line, file=sys.stderr, flush=True),
                )  # fmt: skip
            except NothingCollected as error:
                yield f"seed {seed}", str(error)
                continue
        yield _read(study)


def _data(path: Path, plugins: PluginOptions | None) -> Named:
    loaded = () if plugins is None else plugins.load
    (subject,) = Chosen(data=("use=csv", f"path={path}"), offline=True, plugins=loaded).model_and_data()
    assert subject.data is not None
    return subject.data


def _read(study: Study) -> Mended:
    found = study.results
    by_name = {measure["measure"]: measure for measure in found["measures"]}

    def counts(name: str) -> Any:
        return tuple((by_name[name][side]["errors"], by_name[name][side]["tested"]) for side in ("before", "after"))

    return Mended(
        study.seed,
        len(found["rules"]),
        found["train"]["fit"],
        found["augmentation"]["variants"],
        counts("validation error"),
        counts("sensitivity error"),
        counts("sensitive examples"),
        (by_name["validation error"]["p_value"], by_name["sensitive examples"]["p_value"]),
    )


def as_markdown(found: Sequence[Mended | tuple[str, str]]) -> str:
    """Write the studies that :func:`mended` yielded as a section of Markdown."""
    studies, parts = measured(found)
    if studies:
        trained = "; ".join(
            f"seed {each.seed}: {each.rules} rules made {each.variants:,} variants of {each.fit:,} examples"
            for each in studies
        )
        parts.insert(
            0,
            "`robustfim study sears` with its default settings: fastText is trained on rotten_tomatoes/train, rules "
            "are mined from held-out training data, and it is trained again with the same seed on the training data "
            "and what the rules make of it. Measured on rotten_tomatoes/dev, which takes part in nothing else. "
            "Sensitivity error, as in the paper (12.6 % to 3.4 %): rules are applied to the examples that the model "
            "labels rightly; of the texts that come out, those labelled wrongly. Sensitive examples: the same by "
            "example. 95 % Wilson intervals; that of the sensitivity error takes the texts of one example as "
            "independent. p is "
            f"McNemar's, exact. {trained}.\n\n" + table(*_rows(studies)),
        )
    return "\n\n".join(parts)


def _rows(found: Sequence[Mended]) -> tuple[list[str], list[list[object]]]:
    """Return the header and the rows of a table: three rows for each study, and two for several studies together."""
    head = ["seed", "error", "before", "after", "p", "after / before", "aim", ""]
    laid = list[list[object]]()
    for each in found:
        error, examples = each.p_values
        laid += [
            [
                each.seed, "validation error", *map(_rate, each.error), f"{error:.2g}", f"{each.lost:+.1f} points",
                f"≤ +{POINTS:g}", each.lost <= POINTS,
            ],
            [
                "", "sensitivity error", *map(_rate, each.sensitivity), "", f"{each.left:.2f}", f"≤ {LEFT:.2f}",
                each.left <= LEFT,
            ],
            ["", "sensitive examples", *map(_rate, each.examples), f"{examples:.2g}", "", "", ""],
        ]  # fmt: skip
    if len(found) > 1:
        lost = sum(each.lost for each in found) / len(found)
        before, after = (_pooled([each.sensitivity[side] for each in found]) for side in (0, 1))
        laid += [
            ["all", "validation error", "", "", "", f"{lost:+.1f} points", f"≤ +{POINTS:g}", lost <= POINTS],
            [
                "", "sensitivity error", f"{before:.1%}", f"{after:.1%}", "", f"{after / before:.2f}", f"≤ {LEFT:.2f}",
                after / before <= LEFT,
            ],
        ]  # fmt: skip
    return head, laid


def _pooled(counts: Sequence[tuple[int, int]]) -> float:
    """The rate of all texts of several studies."""
    return sum(wrong for wrong, _ in counts) / sum(asked for _, asked in counts)


def _rate(counts: tuple[int, int]) -> str:
    low, high = wilson(*counts) or (0.0, 1.0)
    return f"{counts[0] / counts[1]:.1%} [{low:.1%}, {high:.1%}] of {counts[1]:,}"
