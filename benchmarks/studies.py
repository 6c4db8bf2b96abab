"""The papers' experiments on real data, by the command that a user types: ``robustfim study``."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.sections import measured, table

__all__ = ["MODELS", "Study", "as_markdown", "run_robustfim", "studies"]

MODELS = ("cnn", "fasttext", "lstm")
"""The reference models for which the published correlations have aims."""

AIMS = {"flip": 0.45, "step": 0.85}
"""|r| of log λmax with the flip probability of each substitution, and with the smallest step that flips."""

_RESILIENCE = f"""
`robustfim study resilience`: the correlation of log₁₀ λmax with the share of 20 candidates that change the label
when 10 % of the words give way, and with the least norm η of a step along ± the top eigenvector that changes it. In
brackets 95 % intervals of Spearman's over examples; Pearson's r has none, since log λmax has heavy tails. Published, of
r, for Yelp polarity: 0.30 to 0.38, and −0.36 to −0.41. Aims, on
rotten_tomatoes: |r| ≥ {AIMS["flip"]}, and ≥ {AIMS["step"]} for η.
"""
_CONTRAST = """
`robustfim study contrast`: λmax of edits that change the label, minus that of their originals: mean with its interval,
standard deviation, overlap of the two distributions, and the share of edits that are harder. Published: 0.65 ± 1.15
for contrast sets under a CNN, near 0 under BERT. `counterfactual_imdb` does not say which row of a pair is the
original: its first is taken for it, so that its differences cannot be held against those that are published.
"""
_AGREEMENT = """
`robustfim study agreement`: Spearman's correlation of λmax under two models, and how many of the hardest tenth they
share.
"""

_SUITE = """suite: study
model: {use: reference/cnn}
data: {use: csv, path: DATA, text: text, label: label}
checks:
  typos: {perturb: typos, limit: 1.0}
"""


@dataclass(frozen=True)
class Study:
    """The results of one ``robustfim study`` command.

    Attributes:
        name: The name of the experiment.
        model: The name of the model.
        data: The name of the data.
        results: The numbers in the study's record.
    """

    name: str
    model: str
    data: str
    results: dict[str, Any]


def studies(data: Path, scratch: Path, *, examples: int = 1000) -> Iterator[Study | tuple[str, str]]:
    """Run the experiments of the papers.

    Args:
        data: The folder that holds ``rotten_tomatoes``, ``counterfactual_imdb``, ``contrast_imdb`` and ``ag_news``. A
            missing folder is named in the results.
        scratch: A folder for suites and records.
        examples: The size of the random samples.

    Yields:
        The results of each experiment, or the name of the data and the reason why nothing was measured.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    films = _suite(data / "rotten_tomatoes" / "dev.csv", scratch)
    sample = ("--examples", str(examples))
    for model in MODELS:
        yield _run("resilience", films, scratch, f"reference/{model}", "rotten_tomatoes/dev", *sample)
    others = [each for model in (*MODELS[1:], "bert") for each in ("--against", f"reference/{model}")]
    yield _run("agreement", films, scratch, "reference/cnn", "rotten_tomatoes/dev", *others)
    for name, pair in (("counterfactual_imdb", ()), ("contrast_imdb", ("--role", "role"))):
        path = data / name / "dev.csv"
        if not path.is_file():
            yield name, "not in --data"
            continue
        suite = _suite(path, scratch)
        for model in ("cnn", "bert"):
            yield _run("contrast", suite, scratch, f"reference/{model}", f"{name}/dev", "--pair", "pair_id", *pair)
    news = data / "ag_news"
    if not (news / "dev.csv").is_file():
        yield "ag_news", "not in --data"
        return
    trained = scratch / "topics"
    run_robustfim("train", "fasttext", "--data", str(news / "train.csv"), "--dev", str(news / "dev.csv"), "--out",
                  str(trained))  # fmt: skip
    suite = _suite(news / "dev.csv", scratch)
    yield _run("resilience", suite, scratch, "reference/fasttext", "ag_news/dev", "--model", f"path={trained}", *sample)


def run_robustfim(*arguments: str) -> None:
    """Run a command of robustfim in a new process.

    Args:
        arguments: The command line.

    Raises:
        RuntimeError: The exit code is not 0.
    """
    done = subprocess.run([sys.executable, "-m", "robustfim", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"robustfim {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr}")


def _suite(data: Path, scratch: Path) -> Path:
    path = scratch / f"{data.parent.name}.yaml"
    path.write_text(_SUITE.replace("DATA", str(data.resolve())), encoding="utf-8")
    return path


def _run(name: str, suite: Path, scratch: Path, model: str, data: str, *options: str) -> Study:
    """Run ``robustfim study NAME`` and read its record."""
    run_robustfim("study", name, str(suite), "--model", f"use={model}", "--reports", str(scratch / "reports"),
                  "--no-store", *options)  # fmt: skip
    record = json.loads((scratch / "reports" / "study" / f"study-{name}.json").read_text(encoding="utf-8"))
    return Study(name, model, data, record["results"])


def as_markdown(found: list[Study | tuple[str, str]]) -> str:
    """Write the results as Markdown, without the heading.

    Args:
        found: The items that :func:`studies` yielded.
    """
    runs, parts = measured(found)
    tables = (
        (_RESILIENCE, "resilience", _correlations,
         ["model", "data", "correlated with", "examples", "Spearman", "r", "aim"]),
        (_CONTRAST, "contrast", _differences,
         ["model", "data", "difference", "pairs", "mean", "deviation", "overlap", "harder"]),
        (_AGREEMENT, "agreement", _agreements, ["models", "examples", "Spearman", "hardest", "shared", "by chance"]),
    )  # fmt: skip
    for said, name, rows_of, header in tables:
        rows = [row for run in runs if run.name == name for row in rows_of(run)]
        if rows:
            parts += [" ".join(said.split()), table(header, rows)]
    return "\n\n".join(parts)


def _correlations(study: Study) -> Iterator[list[str]]:
    for correlation in study.results["correlations"]:
        r = correlation["r"]
        aim = AIMS["step" if "η" in correlation["name"] else "flip"]
        aimed = study.data.startswith("rotten_tomatoes")
        verdict = ("met" if r is not None and abs(r) >= aim else "missed") if aimed else ""
        row = [study.model, study.data, correlation["name"], str(correlation["examples"])]
        yield [*row, _estimate(correlation["rho"]), "undefined" if r is None else f"{r:.2f}", verdict]


def _differences(study: Study) -> Iterator[list[str]]:
    for difference in study.results["differences"]:
        low, high = difference["interval"]
        row = [study.model, study.data, difference["name"], str(difference["pairs"]), _estimate(difference["mean"])]
        harder = f"{difference['harder'] / difference['pairs']:.2f} [{low:.2f}, {high:.2f}]"
        yield [*row, f"{difference['deviation']:.2f}", f"{difference['overlap']:.2f}", harder]


def _agreements(study: Study) -> Iterator[list[str]]:
    for pair in study.results["pairs"]:
        part, both, chance, _ = pair["overlaps"][1]
        yield [" · ".join(pair["models"]), str(pair["examples"]), _estimate(pair["rho"]), str(part), str(both),
               f"{chance:.1f}"]  # fmt: skip


def _estimate(found: dict[str, Any]) -> str:
    if found["value"] is None:
        return "undefined"
    if found["interval"] is None:
        return f"{found['value']:.2f}"
    low, high = found["interval"]
    return f"{found['value']:.2f} [{low:.2f}, {high:.2f}]"
