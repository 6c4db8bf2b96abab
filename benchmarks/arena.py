"""The arena: λmax and its rivals on several data sets and models, by the command ``robustfim study scorers``."""

from __future__ import annotations

import contextlib
import io
import json
import math
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.csv_files import read_rows, write_rows
from benchmarks.sections import measured, table

__all__ = [
    "DATA",
    "EXAMPLES",
    "TRAINED",
    "Bout",
    "arena",
    "as_markdown",
    "bouts",
    "drawn",
    "in_process",
    "number_of",
    "read",
    "some",
    "study",
    "written",
]

MODELS = ("fasttext", "cnn", "lstm", "bert")
"""The architectures of the reference models."""

TFIDF = "tf-idf"

DATA = ("rotten_tomatoes", "counterfactual_imdb", "movie_reviews", "ag_news")
"""Folders of ``--data``; of the first three the labels are those of the shipped models."""

WORDS = 80
"""Words kept of a text, its last ones: a whole review has hundreds, and says at its end what it thinks."""

EXAMPLES = 150
"""Examples drawn of each data set."""

TRAINED = 800
"""Texts that the models of topics and tf-idf learn from."""

_SUITE = """suite: arena
model: {{use: reference/cnn}}
data: {{use: csv, path: '{data}', text: text, label: label}}
scores:
{scores}
checks:
  typos: {{perturb: {{use: typos, words: 2, candidates: 4}}, limit: 1.0}}
  synonyms: {{perturb: {{use: synonyms, words: 0.1, candidates: 6}}, limit: 1.0}}
"""

_DRAWN = 10_000
"""Medians that are drawn for an interval."""

_SAID = f"""
`robustfim study scorers`: the checks `typos` (two words, four candidates) and `synonyms` (a tenth of the words, six
candidates, in random order) on {EXAMPLES} examples drawn at random, and for each score the area under the ROC curve
(AUROC) with which it ranks the examples that fail a check before the others, with Newcombe's 95 % interval: 0.5 is
chance. `mix` is a logistic regression of all the other scores of its cell, cross-fitted in five parts. **Bold**: the
highest of a column. † surely better than λmax, ‡ surely worse: the bootstrap interval of the difference on the same
examples lies on one side of 0, at 95 % for all scores of a cell together. Texts keep their last {WORDS} words. The
first three data sets are reviews, and their networks the shipped reference models, which learned from
rotten_tomatoes/train and counterfactual_imdb/train; those of ag_news and every tf-idf (with logistic regression)
learned from {TRAINED:,} texts of the data set's own training part. tf-idf has no gradients, and so none of the scores
that need them.
"""
_COSTS = """
What a score costs beside the prediction, in forward passes an example (median over the cells; a gradient counts as
three), and what it is worth: failures found per 100 calls in the hardest tenth (median), and the same when the calls
that scored all examples are counted. Wins and losses against λmax are of the cells with gradients; *surely* as above.
"""


@dataclass(frozen=True)
class Bout:
    """The measurements of all scores for one model on one data set.

    Attributes:
        data: The data set's name.
        model: The model's name.
        results: The numbers in the study's record.
        accuracy: The model's accuracy on the data.
    """

    data: str
    model: str
    results: dict[str, Any]
    accuracy: float


def arena(data: Path, scratch: Path) -> Iterator[Bout | tuple[str, str]]:
    """Compare all scores on all data sets and models.

    Args:
        data: The folder that holds the folders of ``DATA``. A missing folder is named in the results.
        scratch: A folder for trained models, suites and records.

    Yields:
        A bout for each model on each data set, or the name of a data set and the reason why it was not measured.
    """
    for name in DATA:
        if not (data / name / "dev.csv").is_file() or not (data / name / "train.csv").is_file():
            yield name, "not in --data"
            continue
        yield from bouts(
            name,
            drawn(data / name / "dev.csv", 2 * EXAMPLES),
            drawn(data / name / "train.csv", TRAINED),
            scratch / name,
        )


Row = tuple[str, str]
"""A text and its label."""


def drawn(path: Path, most: int) -> list[Row]:
    """Draw rows of a file with a fixed seed; of each text, only the last words are kept.

    Args:
        path: A CSV file with the columns ``text`` and ``label``.
        most: The largest number of rows.
    """
    return some(read(path), most, 0)


def some(rows: Sequence[Row], most: int, seed: int) -> list[Row]:
    """Draw rows at random without replacement.

    Args:
        rows: The rows to draw from.
        most: The largest number of rows.
        seed: The seed of the draw.
    """
    return random.Random(seed).sample(rows, min(most, len(rows)))  # noqa: S311  # reproducible, not secret


def read(path: Path) -> list[Row]:
    """Read all rows of a file; of each text, only the last words are kept.

    Args:
        path: A CSV file with the columns ``text`` and ``label``.
    """
    return [(" ".join(row["text"].split()[-WORDS:]), row["label"]) for row in read_rows(path)]


def bouts(name: str, tested: Sequence[Row], trained: Sequence[Row], scratch: Path) -> Iterator[Bout]:
    """Compare all scores on one data set, model by model.

    Args:
        name: The data set's name. For ``ag_news`` the networks are trained here; for the other data sets the shipped
            networks are used.
        tested: The rows from which the study draws examples.
        trained: The rows on which tf-idf, and the networks of ``ag_news``, are trained.
        scratch: A folder for trained models, suites and records.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    test, train = written(tested, scratch / "dev.csv"), written(trained, scratch / "train.csv")
    specs: dict[str, dict[str, str]] = {model: {"use": f"reference/{model}"} for model in MODELS}
    if name == "ag_news":
        for model in MODELS:
            out = scratch / model
            in_process("train", model, "--data", str(train), "--dev", str(test), "--out", str(out), "--epochs", "4",
                       "--max-vocabulary", "4000")  # fmt: skip
            specs[model]["path"] = str(out)
    fitted = _tfidf(train)
    for model, spec in specs.items():
        yield study(name, model, spec, test, _scores(gradients=True), scratch)
    yield study(name, TFIDF, fitted, test, _scores(gradients=False), scratch)


def _scores(*, gradients: bool) -> list[dict[str, Any]]:
    """The scores of a bout, as a suite writes them."""
    found: list[dict[str, Any]] = [
        {"use": "margin"}, {"use": "entropy"}, {"use": "flips", "queries": 10}, {"use": "el2n"}, {"use": "pvi"},
    ]  # fmt: skip
    if gradients:
        found = [
            {"use": "fisher"}, {"use": "boundary"}, {"use": "smallest_step"}, {"use": "boundary_step"},
            {"use": "grand"}, *found,
        ]  # fmt: skip
    return found


def study(
    name: str, model: str, spec: dict[str, Any], test: Path, scores: Sequence[dict[str, Any]], scratch: Path
) -> Bout:
    """Run ``robustfim study scorers`` in this process, and read its record.

    Args:
        name: The data set's name.
        model: The model's name.
        spec: The model as a suite writes it.
        test: A CSV file from which the study draws examples.
        scores: The scores as a suite writes them.
        scratch: A folder for the suite and its record.
    """
    lines = "\n".join(f"  - {json.dumps(score)}" for score in scores)
    suite = scratch / f"{model}.yaml"
    text = _SUITE.format(data=test, scores=lines).replace("{use: reference/cnn}", json.dumps(spec), 1)
    suite.write_text(text, encoding="utf-8")
    reports = scratch / f"reports-{model}"
    in_process("study", "scorers", str(suite), "--reports", str(reports), "--no-store", "--examples", str(EXAMPLES))
    found = json.loads((reports / "arena" / "study-scorers.json").read_text(encoding="utf-8"))
    return Bout(name, model, found["results"], float(found["model"]["accuracy"]))


def _tfidf(train: Path) -> dict[str, Any]:
    """Fit tf-idf with logistic regression; the object itself stands in no file, so a module gives it."""
    place = train.parent / f"tfidf_{train.parent.name}.py"
    place.write_text(_PIPELINE.format(train=str(train)), encoding="utf-8")
    sys.path.insert(0, str(place.parent))
    return {"use": "sklearn", "call": f"{place.stem}:fitted"}


_PIPELINE = """import csv
from functools import cache


@cache
def fitted():
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    with open({train!r}, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    pipeline = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(C=10, max_iter=1000))
    return pipeline.fit([row["text"] for row in rows], [row["label"] for row in rows])
"""


def written(rows: Sequence[Row], to: Path) -> Path:
    """Write rows to a CSV file.

    Args:
        rows: Pairs of a text and a label.
        to: The path of the file.
    """
    return write_rows(to, ["text", "label"], rows)


def in_process(*arguments: str) -> None:
    """Run a command in this process, in which the libraries are already loaded.

    Args:
        arguments: The command line.

    Raises:
        RuntimeError: The command failed; the message has its output.
    """
    from robustfim.cli import main

    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(list(arguments))
        except SystemExit as stop:
            code = stop.code
    if code not in (0, None):
        raise RuntimeError(f"robustfim {' '.join(arguments)}: exit {code}\n{out.getvalue()}\n{err.getvalue()}")


# ---- the result ---------------------------------------------------------------------------------------


def as_markdown(found: Sequence[Bout | tuple[str, str]]) -> str:
    """Write the results of the arena as Markdown, without the heading.

    Args:
        found: The items that :func:`arena` yielded.
    """
    bouts, parts = measured(found)
    if not bouts:
        return "\n\n".join(parts)
    names = list(dict.fromkeys(score["name"] for bout in bouts for score in bout.results["scores"]))
    names.sort(key=lambda name: -_median([_number(_score(bout, name), "auroc") for bout in bouts]))
    parts += [" ".join(_SAID.split()), *_verdicts(bouts, names)]
    for data in dict.fromkeys(bout.data for bout in bouts):
        own = [bout for bout in bouts if bout.data == data]
        head = ["score", *(f"{each.model} ({each.accuracy:.0%}, {each.results['failing']} fail)" for each in own)]
        best = [max((_number(score, "auroc") for score in each.results["scores"]), default=math.nan) for each in own]
        rows = [
            [name, *(_cell(_score(each, name), top) for each, top in zip(own, best, strict=True))] for name in names
        ]
        parts += [f"### The arena: {data}/dev", table(head, rows)]
    parts += ["### What a score costs, and what it is worth", " ".join(_COSTS.split()), _worth(bouts, names)]
    return "\n\n".join(parts)


def _verdicts(bouts: Sequence[Bout], names: Sequence[str]) -> Iterator[str]:
    """Say where λmax wins and where it loses, in sentences of the numbers alone."""
    with_fisher = [bout for bout in bouts if math.isfinite(_number(_score(bout, "fisher"), "auroc"))]
    highest, beaten = [], []
    for each in with_fisher:
        single = {name: _number(_score(each, name), "auroc") for name in names if name != "mix"}
        top = max(single, key=lambda name: single[name] if math.isfinite(single[name]) else -1)
        where = f"{each.data} × {each.model}"
        if top == "fisher":
            highest.append(where)
        better = [name for name in single if _ahead(_score(each, name)) > 0]
        if better:
            beaten.append(f"{where} ({', '.join(better)})")
    yield (
        f"Of {len(with_fisher)} cells with gradients λmax has the highest AUROC of the single scores in "
        f"{len(highest)}{': ' + ', '.join(highest) if highest else ''}. Another single score is surely better in "
        f"{len(beaten)}{': ' + '; '.join(beaten) if beaten else ''}."
    )
    cells = {
        name: {(each.data, each.model): _number(_score(each, name), "auroc") for each in with_fisher} for name in names
    }
    yield _medians(cells)


def _medians(cells: Mapping[str, Mapping[tuple[str, str], float]]) -> str:
    """Rank scores by the median of their cells, each of a data set and a model."""
    medians = {name: _median(list(own.values())) for name, own in cells.items()}
    ranked = sorted((name for name in cells if math.isfinite(medians[name])), key=lambda name: -medians[name])
    told = (
        f"{name} {medians[name]:.2f} [{low:.2f}, {high:.2f}]" for name in ranked for low, high in [_spread(cells[name])]
    )
    return (
        f"Median AUROC over these cells: {', '.join(told)}. λmax (fisher) is number {ranked.index('fisher') + 1} of "
        f"{len(ranked)}. In brackets: 95 % of {_DRAWN:,} medians of data sets and of models that are both drawn anew, "
        "since cells share them (the pigeonhole bootstrap, Owen 2007); of so few of each it is rough."
    )


def _spread(cells: Mapping[tuple[str, str], float]) -> tuple[float, float]:
    """Give 95 % of the medians of cells whose rows and columns are drawn anew, each with replacement."""
    chance = random.Random(0)  # noqa: S311  # a sample, no secret
    sides = [sorted({cell[side] for cell in cells}) for side in (0, 1)]
    drawn = []
    for _ in range(_DRAWN):
        rows, columns = (chance.choices(side, k=len(side)) for side in sides)
        drawn.append(_median([cells[row, column] for row in rows for column in columns if (row, column) in cells]))
    known = sorted(each for each in drawn if math.isfinite(each))
    return (
        (known[round(0.025 * (len(known) - 1))], known[round(0.975 * (len(known) - 1))]) if known else (math.nan,) * 2
    )


def _worth(bouts: Sequence[Bout], names: Sequence[str]) -> str:
    rows = []
    for name in names:
        own = [score for bout in bouts if (score := _score(bout, name)) is not None]
        against = [each for each in own if each["ahead"] is not None]
        signs = [_ahead(each) for each in against]
        higher = sum(each["ahead"]["value"] is not None and each["ahead"]["value"] > 0 for each in against)
        median = {key: _median([_number(each, key) for each in own]) for key in ("cost", "paid")}
        first = _median([_number(each, "first") for each in own])
        versus = f"{higher} of {len(against)} ({signs.count(1)} surely)" if against else "–"
        lower = f"{len(against) - higher} ({signs.count(-1)} surely)" if against else "–"
        rows.append([name, _decimal(median["cost"]), _decimal(first), _decimal(median["paid"]), versus, lower])
    head = ["score", "cost", "per 100 calls", "with its cost", "above λmax", "not above"]
    return table(head, rows)


def number_of(bout: Bout, name: str, key: str) -> float:
    """Return one number of a score for one model on one data set.

    Args:
        bout: The measurements of the model on the data set.
        name: The score's name.
        key: ``auroc`` for all failures; ``broken`` for the AUROC for broken examples; ``first`` for failures per 100
            calls in the hardest tenth; ``paid`` for the same number with the calls of the score itself.

    Returns:
        The number; NaN if the bout does not have it.
    """
    return _number(_score(bout, name), key)


def _score(bout: Bout, name: str) -> dict[str, Any] | None:
    return next((score for score in bout.results["scores"] if score["name"] == name), None)


def _number(score: dict[str, Any] | None, key: str) -> float:
    value = None if score is None else score[key]
    value = value["value"] if isinstance(value, dict) else value
    return math.nan if value is None else float(value)


def _ahead(score: dict[str, Any] | None) -> int:
    """1 for surely better than λmax, −1 for surely worse, else 0."""
    interval = None if score is None or score["ahead"] is None else score["ahead"]["interval"]
    return 0 if interval is None else (interval[0] > 0) - (interval[1] < 0)


def _cell(score: dict[str, Any] | None, top: float) -> str:
    value = _number(score, "auroc")
    if score is None or not math.isfinite(value):
        return "–"
    interval = score["auroc"]["interval"]
    ends = "" if interval is None else f" [{interval[0]:.2f}, {interval[1]:.2f}]"
    number = f"**{value:.2f}**" if value == top else f"{value:.2f}"
    return f"{number}{ends}{('', ' †', ' ‡')[_ahead(score)]}"


def _median(numbers: Sequence[float]) -> float:
    return median(filter(math.isfinite, numbers)) if any(map(math.isfinite, numbers)) else -math.inf


def _decimal(number: float) -> str:
    return f"{number:.1f}" if math.isfinite(number) else "–"
