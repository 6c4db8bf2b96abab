"""``robustfim export``: the rolling test set."""

from __future__ import annotations

from pathlib import Path

import click

__all__ = ["command"]

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(
    name="export",
    epilog="Example: robustfim export reports/sentiment/results.json --difficult 20 --out hard.jsonl",
)
@click.argument("results", type=click.Path(path_type=Path), metavar="RESULTS")
@click.option("--difficult", "number", type=click.IntRange(min=1), default=100, show_default=True, metavar="N",
              help="How many of the hardest examples, at most.")  # fmt: skip
@click.option(
    "--by", metavar="SCORE", help="The score that says what is hard; by default the one that chose the difficult arm."
)
@click.option(
    "--out", type=_FILE, required=True, metavar="FILE", help="A .jsonl, .csv or .parquet file; one that is there grows."
)
def command(results: Path, number: int, by: str | None, out: Path) -> None:
    """Write the hardest examples of a run, and their failing perturbations, as a dataset with gold labels.

    RESULTS is the results.json of a run, or its folder. The next model is tested on the dataset: name it in a suite as
    data. Run again, on this run or another, the command adds what is new and nothing twice.
    """
    from robustfim.commands import Chosen, print_line
    from robustfim.record import Record
    from robustfim_files.growing_file import add_rows
    from robustfim_files.hard_examples import hard_examples

    found = hard_examples(Record.load(results), number, by)
    added, size = add_rows(out, found.rows)
    console = Chosen().console()
    perturbed = len(found.rows) - found.examples
    print_line(console, f"{found.examples} examples and {perturbed} perturbed texts of them that failed")
    for reason, count in found.left_out.items():
        print_line(console, f"left out: {count}: {reason}")
    print_line(console, f"wrote {out}: {added} new, {size} in all")
