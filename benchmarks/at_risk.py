"""Which score predicts changes, and which broken examples: both from one run.

``python -m benchmarks.at_risk --data FOLDER`` writes the result.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.arena import DATA, EXAMPLES, MODELS, Bout, drawn, number_of, study, written
from benchmarks.sections import data_folder, table, write_results

__all__ = ["SCORES", "measure", "section"]

SCORES = ("fisher", "boundary", "margin", "entropy")


def measure(data: Path, scratch: Path) -> Iterator[Bout]:
    """Run ``study scorers`` with every shipped network on every data set of reviews.

    Args:
        data: The folder that holds the arena's data sets.
        scratch: A folder for suites and records.
    """
    for name in DATA[:3]:
        test = written(drawn(data / name / "dev.csv", 2 * EXAMPLES), scratch / f"{name}.csv")
        for model in MODELS:
            yield study(name, model, {"use": f"reference/{model}"}, test, [{"use": score} for score in SCORES], scratch)


def section(bouts: Sequence[Bout]) -> str:
    """Write the results as a section of Markdown.

    Args:
        bouts: The measurements of each network on each data set.
    """
    rows = []
    for bout in bouts:
        counts = bout.results
        found = [f"{number_of(bout, score, 'auroc'):.2f} / {number_of(bout, score, 'broken'):.2f}" for score in SCORES]
        broken = f"{counts['broken']} of {counts['at_risk']}"
        rows.append([f"{bout.data} × {bout.model}", str(counts["failing"]), broken, *found])
    middle = [median(number_of(bout, score, key) for bout in bouts) for score in SCORES for key in ("auroc", "broken")]
    pairs = zip(middle[::2], middle[1::2], strict=True)
    rows.append(["median", "", "", *(f"{changed:.2f} / {broken:.2f}" for changed, broken in pairs)])
    sentence = (
        f"The checks of the arena, `typos` and `synonyms`, on {EXAMPLES} examples drawn at random: the AUROC with "
        "which a score ranks the examples whose label changes, right or wrong, and after the stroke that with "
        "which it ranks, among the right answers, those that a candidate makes wrong. Written by `python -m "
        "benchmarks.at_risk --data FOLDER`."
    )
    head = ["data × model", "changed", "broken", *("λmax" if score == "fisher" else score for score in SCORES)]
    return "\n\n".join(["## Changes and broken examples", sentence, table(head, rows)])


def main() -> None:
    """Measure all networks on all data sets, and write the section of results."""
    data = data_folder(__doc__)
    bouts = []
    with tempfile.TemporaryDirectory() as scratch:
        for each in measure(data, Path(scratch)):
            bouts.append(each)
            print(each.data, each.model, flush=True)
    write_results(section(bouts))


if __name__ == "__main__":
    main()
