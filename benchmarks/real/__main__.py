"""``python -m benchmarks.real --data FOLDER``: try ten classifiers that people install, and write the table.

Install them first (``requirements.txt``, for earlier releases ``earlier.txt``). Nothing is fetched at run time. A
classifier that is absent is skipped, with the reason. Failing pairs go to ``pairs.tsv`` in the folder of ``--keep``.
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import astuple, fields
from pathlib import Path

from benchmarks.real.subjects import SUBJECTS
from benchmarks.real.trial import Pair, Trial, lacking, tried
from benchmarks.sections import table, write_results


def main() -> None:
    """Try the classifiers, print the table, and write it where asked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.real", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="the public data sets")
    parser.add_argument("--earlier", type=Path, metavar="FOLDER", help="holds earlier releases, as earlier.txt says")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="what the commands write and pairs.tsv stay here")
    parser.add_argument("--seconds", type=float, default=60, help="the budget of each scan (default 60)")
    parser.add_argument("--examples", type=int, default=200, help="examples of each check at most (default 200)")
    parser.add_argument(
        "--only", choices=[subject.name for subject in SUBJECTS], action="append", help="may be repeated"
    )
    parser.add_argument("--update", action="store_true", help="write the result again")
    options = parser.parse_args()
    trials = []
    with tempfile.TemporaryDirectory() as name:
        folder = options.keep or Path(name)
        for subject in SUBJECTS:
            if options.only and subject.name not in options.only:
                continue
            print(f"trying {subject.name} …", file=sys.stderr, flush=True)
            reason = lacking(subject, options.data)
            trials.append(
                Trial(subject.name, subject.packages[0], reason)
                if reason
                else tried(subject, folder, options.data, options.earlier, options.seconds, options.examples)
            )
            if options.keep:
                _write_pairs(options.keep / "pairs.tsv", trials)
    text = section(trials, options.seconds, options.examples)
    print(text)
    if options.update:
        write_results(text)


def section(trials: Sequence[Trial], seconds: float, examples: int) -> str:
    """Write the results as a section of Markdown: a row for each command, and the outcome for each classifier.

    No text of the data is written.
    """
    rows = []
    for trial in trials:
        if trial.skipped:
            rows.append((trial.name, trial.version, f"skipped: {trial.skipped}", "", "", ""))
        rows += [
            (trial.name, trial.version, f"`{step.command}`", str(step.exit_code), f"{step.seconds:.0f}", step.says)
            for step in trial.steps
        ]
    found = []
    for trial in trials:
        if not trial.skipped:
            outcomes = ", ".join(f"{count} {name}" for name, count in (trial.outcomes or {}).items()) or "no suite"
            right = "–" if trial.right_before is None else f"{trial.right_before} of {len(trial.pairs)}"
            found.append((trial.name, outcomes, str(len(trial.pairs)), right))
    commands = table(("classifier", "package", "command", "exit", "seconds", "says"), _escaped(rows))
    outcomes = table(("classifier", "outcomes of its suite", "failing pairs", "right before the edit"), _escaped(found))
    return (
        "## The trial of ten classifiers that people install\n\n"
        f"Measured by `python -m benchmarks.real --data FOLDER --earlier FOLDER --seconds {seconds:g}"
        f" --examples {examples} --update`.\n\n"
        "Adapters of at most ten lines (`benchmarks/real/adapters`), public data read where it lies, a budget for each"
        " scan. *Says* is the first finding of a scan without the text that it quotes, the last line of a run, and the"
        f" answer of a comparison.\n\n{commands}\n\n"
        "Of the first failing pairs of each scan, at most 20, so many were right before the edit:\n\n"
        f"{outcomes}\n"
    )


def _escaped(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[cell.replace("|", "\\|") for cell in row] for row in rows]


def _write_pairs(path: Path, trials: Sequence[Trial]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, delimiter="\t")
        rows.writerow(["classifier", *(field.name for field in fields(Pair))])
        rows.writerows([trial.name, *astuple(pair)] for trial in trials for pair in trial.pairs)


if __name__ == "__main__":
    main()
