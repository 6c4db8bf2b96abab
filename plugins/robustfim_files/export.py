"""``robustfim export``: the rolling test set, and the tables of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from robustfim.commands import COUNT, INPUT, OUTPUT, Chosen, print_line, shared_options

__all__ = ["command"]


@click.command(
    name="export",
    epilog="Example: robustfim export reports/sentiment/results.json --difficult 20 --out hard.jsonl",
)
@click.argument("results", type=INPUT, nargs=-1, required=True, metavar="RESULTS...")
@click.option("--difficult", "number", type=COUNT, default=100, show_default=True, metavar="N",
              help="How many of the hardest examples, at most.")  # fmt: skip
@click.option(
    "--by", metavar="SCORE", help="The score that says what is hard; by default the one that chose the difficult arm."
)
@click.option("--failing", is_flag=True,
              help="Write all failing texts: as a suite, or to a folder for 'hf upload'.")  # fmt: skip
@click.option("--steps", is_flag=True,
              help="Write, of each example, the shortest step along the top eigenvector that makes its right label "
              "another: what 'train --steps' and 'finetune --steps' learn from.")  # fmt: skip
@click.option("--table", type=click.Choice(["examples", "trials", "edits", "failures"]),
              help="Write this table of the run's database, with all its rows, to a new file.")  # fmt: skip
@click.option("--out", type=OUTPUT, required=True, metavar="FILE",
              help="A .jsonl, .csv or .parquet file, which may exist; with --failing a .yaml or a folder.")  # fmt: skip
@shared_options("plugins")
def command(
    results: Sequence[Path], number: int, by: str | None, failing: bool, steps: bool, table: str | None, out: Path,
    chosen: Chosen,
) -> None:  # fmt: skip
    """Write the hardest examples of a run, and their failing perturbations, as a dataset with gold labels.

    RESULTS is the results.json of a run, or its folder. The next model is tested on the dataset: name it in a suite as
    data. If you run the command again, on this run or another, it adds new rows only.

    With '--failing --out broken.yaml' the failing texts become a suite that every later model must pass; name the runs
    of all models of a suite to have them all in it.

    With '--table trials --out trials.parquet' a table of the run's database is written: its examples, its trials (each
    example that a check tested), its edits or its failures.
    """
    from robustfim.errors import UsageError
    from robustfim.record import Record, write_rows
    from robustfim_files.failing_suite import write_suite
    from robustfim_files.failing_texts import write_failing
    from robustfim_files.growing_file import add_rows
    from robustfim_files.hard_examples import hard_examples
    from robustfim_files.steps import changing_steps

    if failing + steps + (table is not None) > 1:
        raise UsageError("--failing writes texts, --steps writes steps in embedding space, and --table writes a table. "
                         "Give one of them.")  # fmt: skip
    console, suite = chosen.console(), failing and out.suffix in (".yaml", ".yml")
    if len(results) > 1 and not suite:
        raise UsageError(
            f"{len(results)} runs given. Export one run at a time; only --failing --out FILE.yaml takes several."
        )
    if not suite and (out.is_dir() if not failing else out.is_file()):
        raise UsageError(
            f"--out {out} is a {'file; name a folder, or FILE.yaml for a suite' if failing else 'folder; name a file'}."
        )
    if table is not None:
        database = Record.load(results[0], rows=False).rows
        columns = database.columns(table)
        held = [dict(zip(columns, row, strict=True)) for row in database.rows(table, columns)]
        print_line(console, f"wrote {write_rows(out, columns, held)}: {len(held):,} rows")
        return
    records = [Record.load(result) for result in results]
    if suite:
        for line in write_suite(out, records, chosen.plugin_options):
            print_line(console, line)
        return
    (record,) = records
    if failing:
        print_line(console, f"wrote {out}: {write_failing(record, out):,} failing texts")
        return
    if steps:
        rows, left_out = changing_steps(record)
        if not rows:
            raise UsageError(
                f"no step along the eigenvector breaks an example of {record.suite}. The suite needs a check "
                "such as {perturb: smallest_step}, and data with gold labels."
            )
        print_line(console, f"{len(rows)} examples with a step that makes their label another")
    else:
        rows, left_out = hard_examples(record, number, by)
        perturbed = sum(row["source"] is not None for row in rows.values())
        print_line(console, f"{len(rows) - perturbed} examples and {perturbed} perturbed texts of them that failed")
    added, size = add_rows(out, rows)
    for reason, count in left_out.items():
        print_line(console, f"left out: {count}: {reason}")
    print_line(console, f"wrote {out}: {added} new, {size} in all")
