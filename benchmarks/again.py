"""The arena again, on rows that it had not seen: statements registered beforehand, held against a mixed model.

``python -m benchmarks.again --data FOLDER`` writes its result.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchmarks.arena import EXAMPLES, TRAINED, Bout, Row, bouts, drawn, number_of, read, some
from benchmarks.effects import Effect, effect
from benchmarks.sections import data_folder, table, write_results

__all__ = ["REGISTERED", "Statement", "as_markdown", "fresh", "main"]

DATA = ("rotten_tomatoes", "counterfactual_imdb", "movie_reviews", "ag_news", "contrast_imdb")
"""Folders of ``--data``: those of the arena, and one that it had not."""

LEARNED = ("rotten_tomatoes", "counterfactual_imdb")
"""Folders whose training part the shipped networks learned from."""

WITHIN = 0.05
"""Differences of AUROC that are taken for none."""


@dataclass(frozen=True)
class Statement:
    """A registered statement that compares two scores by the mean over data sets and models.

    Attributes:
        said: The statement, in words.
        key: The number that is compared: ``auroc``; or ``paid``, failures found per 100 calls of the model, with the
            calls of the score itself.
        score: The first score, which the statement says is ahead.
        other: The second score; None for chance, an AUROC of 0.5.
        holds: ``above`` if the statement says that the difference is above 0; ``within`` if it says that the difference
            is within ±:data:`WITHIN`.
    """

    said: str
    key: Literal["auroc", "paid"]
    score: str
    other: str | None
    holds: Literal["above", "within"] = "above"

    def difference(self, bout: Bout) -> float:
        """Compute the difference of the two scores' numbers on one data set and model; NaN if one is undefined."""
        other = 0.5 if self.other is None else number_of(bout, self.other, self.key)
        return number_of(bout, self.score, self.key) - other

    def verdict(self, found: Effect) -> str:
        """Return ``holds``, ``refuted`` or ``inconclusive``, by the interval of the mean difference."""
        low, high = found.interval
        least, most = (0.0, math.inf) if self.holds == "above" else (-WITHIN, WITHIN)
        if low > least and high < most:
            return "holds"
        return "refuted" if high < least or low > most else "inconclusive"


REGISTERED = (
    Statement("the margin ranks failures better than λmax", "auroc", "margin", "fisher"),
    Statement("the distance to the boundary ranks them better than λmax", "auroc", "boundary", "fisher"),
    Statement("the distance to the boundary ranks them as the margin does", "auroc", "boundary", "margin", "within"),
    Statement("λmax ranks them better than chance", "auroc", "fisher", None),
    Statement("the margin finds more for all calls than λmax", "paid", "margin", "fisher"),
    Statement("the margin finds more for all calls than the distance to the boundary", "paid", "margin", "boundary"),
)
"""The statements that the arena's rows suggest, written down on 2026-11-27, before any of these rows was scored."""

_COMMAND = "Written by `python -m benchmarks.again --data FOLDER`."

_SAID = f"""
The six statements below were written down (`benchmarks/again.py`) before these rows were scored. The rows are others
than the arena's: the `test.csv` of a folder where there is one, else the rest of its dev part, and for movie_reviews,
whose dev part is used up, rows of its training part, from which no network learned; contrast_imdb is new. Checks,
models, scores and sizes ({EXAMPLES} examples each) are the arena's. A cell is a network on a data set; the mean over
cells, its 95 % interval, and the standard deviations are of a linear mixed model with data sets and models as crossed
random effects (Baayen et al. 2008), fitted by restricted maximum likelihood, the interval with Student's t of the
fewest levels less one: it is of data sets and models like these, and wide, since they are few. *Holds* and *refuted*:
the whole interval lies on one side; differences of AUROC within ±{WITHIN} count as none.
"""


def fresh(data: Path, name: str) -> list[Row] | None:
    """Read the rows of a data set that the arena did not score and no network learned from.

    Args:
        data: The folder that holds the data sets' folders.
        name: The name of one data set's folder.

    Returns:
        All rows; None if the folder is missing.
    """
    folder = data / name
    if (folder / "test.csv").is_file():
        return read(folder / "test.csv")
    if not (folder / "dev.csv").is_file():
        return None
    known = {text for each in LEARNED if (path := data / each / "train.csv").is_file() for text, _ in read(path)}
    if name != "contrast_imdb":
        known |= {text for text, _ in (*drawn(folder / "dev.csv", 2 * EXAMPLES), *drawn(folder / "train.csv", TRAINED))}
    rest = [row for row in read(folder / "dev.csv") if row[0] not in known]
    if len(rest) < EXAMPLES and name not in LEARNED:
        rest += [row for row in read(folder / "train.csv") if row[0] not in known]
    return rest


def _bouts(data: Path, scratch: Path) -> Iterator[Bout]:
    """All models on all data sets that are there."""
    for name in DATA:
        rows = fresh(data, name)
        if rows is None:
            continue
        learned = "counterfactual_imdb" if name == "contrast_imdb" else name
        trained = drawn(data / learned / "train.csv", TRAINED)
        yield from bouts(name, some(rows, 2 * EXAMPLES, 1), trained, scratch / name)


def as_markdown(found: Sequence[Bout]) -> str:
    """Write the results for all registered statements as Markdown.

    Args:
        found: The measurements of each model on each data set.
    """
    rows, used = [], 0
    for each in REGISTERED:
        cells = {(bout.data, bout.model): each.difference(bout) for bout in found}
        known = {cell: value for cell, value in cells.items() if math.isfinite(value)}
        result = effect(known)
        used = max(used, result.cells)
        spread = [f"{number:.3f}" for number in (result.data, result.model, result.rest)]
        rows.append([each.said, each.key, str(result), *spread, result.cells, each.verdict(result)])
    head = ["statement", "of", "mean [95 %]", "between data sets", "between models", "rest", "cells", ""]
    failing = {bout.data: bout.results["failing"] for bout in found if bout.model == "fasttext"}
    sizes = ", ".join(f"{data} ({number})" for data, number in failing.items())
    return "\n\n".join(
        [
            "## The arena again, on rows that it had not seen",
            _COMMAND,
            " ".join(_SAID.split()),
            f"Data sets, and how many of the examples fail on fastText: {sizes}.",
            table(head, rows),
        ]
    )


def main() -> None:
    """Measure all models on all data sets, and write the section of results."""
    data = data_folder(__doc__)
    with tempfile.TemporaryDirectory() as scratch:
        write_results(as_markdown(list(_bouts(data, Path(scratch)))))


if __name__ == "__main__":
    main()
