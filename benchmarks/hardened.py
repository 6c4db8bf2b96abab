"""Models hardened with steps in embedding space, exported once or found anew in each batch: before and after.

``python -m benchmarks.hardened --data FOLDER`` writes the result.
"""

from __future__ import annotations

import json
import math
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.arena import in_process, read, some, written
from benchmarks.sections import data_folder, table, write_results

__all__ = ["MODELS", "NORMS", "SEEDS", "SIZES", "measure", "section"]

SEEDS = (0, 1, 2)
MODELS = ("fasttext",)
"""Models that are measured; a convolutional network takes minutes a seed."""
NORMS = (1, 2)
"""The norms of the steps that are found anew."""
SIZES = {"train": 2000, "near": 200, "stop": 400, "test": 200}
"""Texts that are learnt, of these those that are moved, those that stop the training, and those that measure."""
LOST, LEFT = 0.005, 0.5
"""The aim: so much accuracy lost at most, and such a share of the broken examples left."""
CHECKS = ("steps", "relative", "typos")
WAYS = ("before", "exported", *(f"anew {norm}" for norm in NORMS))

_SUITE = """suite: hardened
model: {use: reference/ARCHITECTURE, path: MODEL}
data: {use: csv, path: DATA}
checks:
  steps: {perturb: {use: eigenvector, norms: [0.125, 0.25, 0.5]}, limit: 1}
  relative: {perturb: {use: eigenvector, norms: [0.1, 0.2, 0.3], relative: true}, limit: 1}
  typos: {perturb: {use: typos, words: 2, candidates: 4}, limit: 1}
"""


def measure(data: Path, architecture: str, seed: int, scratch: Path, sizes: Mapping[str, int]) -> list[list[float]]:
    """Train a model without embedding steps, with exported steps and with steps found in each batch, and test all.

    The models are tested on texts that were not used in training.

    Args:
        data: The folder that holds ``rotten_tomatoes``.
        architecture: The name of a reference model.
        seed: The seed of the draw of texts and of all trainings.
        scratch: A folder for the trained models.
        sizes: The numbers of texts, with the keys of :data:`SIZES`.

    Returns:
        ``[ways, 4]``: for each of :data:`WAYS` the accuracy, and the fraction of correct answers that each of
        :data:`CHECKS` breaks.
    """
    learnt = some(read(data / "rotten_tomatoes" / "train.csv"), sizes["train"] + sizes["stop"], seed)
    rows = {
        "train": learnt[: sizes["train"]],
        "near": learnt[: sizes["near"]],
        "stop": learnt[sizes["train"] :],
        "test": some(read(data / "rotten_tomatoes" / "dev.csv"), sizes["test"], seed),
    }
    place = {name: written(own, scratch / f"{name}.csv") for name, own in rows.items()}

    def train(out: str, *more: str) -> None:
        in_process("train", architecture, "--data", str(place["train"]), "--dev", str(place["stop"]), "--seed",
                   str(seed), "--epochs", "6", "--out", str(scratch / out), *more)  # fmt: skip

    def run(model: str, asked: str, *more: str) -> dict[str, Any]:
        suite = scratch / "hardened.yaml"
        said = {"ARCHITECTURE": architecture, "MODEL": str(scratch / model), "DATA": str(place[asked])}
        text = _SUITE
        for name, value in said.items():
            text = text.replace(name, value)
        suite.write_text(text, encoding="utf-8")
        in_process("run", str(suite), "--reports", str(scratch), "--no-store", *more)
        folder = scratch / ("hardened.partial" if more else "hardened")
        found: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
        return found

    def numbers(model: str) -> list[float]:
        found = run(model, "test")
        return [found["model"]["accuracy"], *(check["rate"] for check in found["checks"])]

    train("before")
    run("before", "near", "-k", "steps")
    in_process("export", str(scratch / "hardened.partial"), "--steps", "--out", str(scratch / "steps.jsonl"))
    train("exported", "--steps", str(scratch / "steps.jsonl"))
    for way, norm in zip(WAYS[2:], NORMS, strict=True):
        train(way, "--step-norm", str(norm))
    return [numbers(way) for way in WAYS]


def section(found: Mapping[str, Sequence[Sequence[Sequence[float]]]]) -> str:
    """Write the results as a section of Markdown.

    Args:
        found: For each architecture, the result of :func:`measure` for each seed.
    """
    rows = []
    for name, seeds in found.items():
        ways = list(zip(*seeds, strict=True))
        before, *after = ([statistics.mean(column) for column in zip(*way, strict=True)] for way in ways)
        rows.append([name, WAYS[0], *map("{:.1%}".format, before), "", ""])
        for way, trained, own in zip(WAYS[1:], ways[1:], after, strict=True):
            left, lost = own[1] / before[1] if before[1] else math.nan, before[0] - own[0]
            met = "met" if left <= LEFT and lost <= LOST else "missed"
            spread = ", ".join(f"{new[0] - old[0]:+.1%}" for new, old in zip(trained, ways[0], strict=True))
            rows.append(["", way, *map("{:.1%}".format, own), f"{left:.2f}, {met}", spread])
    sentence = (
        "Measured by `python -m benchmarks.hardened --data FOLDER`. "
        f"The model is trained on {SIZES['train']:,} texts of rotten_tomatoes/train, for six epochs at "
        f"most, and stops by {SIZES['stop']} others (*before*). *Exported*: `robustfim export --steps` makes, of "
        f"{SIZES['near']} of the training texts, the shortest step of norm 0.125, 0.25 or 0.5 along the top "
        "eigenvector that takes a right label, and the model is trained again, with the same seed, on these, too: the "
        "norms are those that broke the old model. *Anew*: `robustfim train --step-norm NORM` learns each training "
        "text at a step of this norm, too, whose direction each batch finds from the weights at hand. Measured on "
        f"{SIZES['test']} texts of rotten_tomatoes/dev, means of {len(SEEDS)} seeds: accuracy, and the share of right "
        "answers that break, under steps of norm 0.125, 0.25 and 0.5 (*steps*), under steps of 0.1, 0.2 and 0.3 "
        "times the mean norm of the text's token embeddings (*relative*), and under four candidates of typos in two "
        f"words. *Left*: of the answers broken by *steps*; the aim is {LEFT} or less, at a loss of accuracy of "
        f"{LOST:.1%} or less. A model with longer embeddings has fewer answers broken by *steps* for this reason "
        "alone, but not by *relative* steps."
    )
    head = ["model", "training", "accuracy", *CHECKS, "left", "accuracy by seed"]
    return "\n\n".join(["## Hardened models", sentence, table(head, rows)])


def main() -> None:
    """Train and measure all models, and write the section of results."""
    data = data_folder(__doc__)
    found: dict[str, list[list[list[float]]]] = {}
    for architecture in MODELS:
        for seed in SEEDS:
            with tempfile.TemporaryDirectory() as scratch:
                found.setdefault(architecture, []).append(measure(data, architecture, seed, Path(scratch), SIZES))
            print(architecture, seed, found[architecture][-1], flush=True)
        write_results(section(found))


if __name__ == "__main__":
    main()
