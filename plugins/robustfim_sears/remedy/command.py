"""``robustfim augment``: write training data with variants made by rules or other perturbations."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from robustfim.collect import named_part
from robustfim.commands import COUNT, INPUT_FILE, NUMBER, OUTPUT_FILE, Chosen, print_line, progress_bar, shared_options
from robustfim.errors import UsageError

__all__ = ["command"]


@click.command(
    name="augment",
    epilog="Example: robustfim augment --rules rules.yaml --data use=csv --data path=train.csv --out more.csv",
)
@shared_options(
    "data", "seed", "offline", "plugins", "color",
    data={"required": True, "help": "The training data: use=NAME and the options of the data source."},
    seed={"default": 0, "show_default": True, "type": NUMBER, "help": "Seed of every random choice."},
)  # fmt: skip
@click.option(
    "--rules", multiple=True, type=INPUT_FILE, metavar="FILE", help="Apply the rules of this file; may be repeated."
)
@click.option("--perturb", multiple=True, metavar="PERTURBATION",
              help="Apply this perturbation: a name, or '{use: NAME, words: 0.1, …}'; may be repeated.")  # fmt: skip
@click.option("--out", type=OUTPUT_FILE, required=True, metavar="FILE", help="A .jsonl, .csv or .parquet file.")
@click.option("--force", is_flag=True, help="Write it over a file that is there.")
@click.option("--per-example", type=COUNT, metavar="N",
              help="Variants of an example, at most, drawn at random.  [default: all]")  # fmt: skip
@click.option("--share", type=click.FloatRange(0, 1, min_open=True), default=1.0, show_default=True,
              help="Share of the examples that can be changed of which variants are made.")  # fmt: skip
@click.option("--gating", multiple=True, type=INPUT_FILE, metavar="FILE",
              help="The gating data: a suite, a results.json, a baseline or a lock file; may be repeated.  "
              "[default: what there is in baselines and reports]")  # fmt: skip
@click.option("--drop", is_flag=True, help="Leave training examples out that gating uses, instead of refusing.")
def command(
    chosen: Chosen, rules: Sequence[Path], perturb: Sequence[str], out: Path, force: bool, per_example: int | None,
    share: float, gating: Sequence[Path], drop: bool,
) -> None:  # fmt: skip
    """Write training data with what accepted rules, or any perturbations, make of it.

    The originals come first. Variants keep the label of their source; what may change the label is refused, unless it
    says to which. Data that a release is gated by must not be trained on: examples that are among it, whatever their
    label, are refused. Exit codes: 0 written, 4 wrong usage or gating data.
    """
    from robustfim.record import check_kind, write_rows
    from robustfim_sears.remedy.augmentation import augment, rules_part
    from robustfim_sears.remedy.gating import Gating, usual_files
    from robustfim_sears.remedy.training_rows import training_rows
    from robustfim_sears.rule.file import read_rules

    if not rules and not perturb:
        raise UsageError("name what to apply: --rules rules.yaml, --perturb NAME, or both.")
    if out.exists() and not force:
        raise UsageError(f"{out} exists already. Name another file with --out, or write over it with --force.")
    check_kind(out)
    (pair,) = chosen.model_and_data()
    assert pair.data is not None  # noqa: S101  # --data is required
    parts = [rules_part([rule for path in rules for rule in read_rules(path)], pair.manager)] if rules else []
    parts += [named_part("perturbations", each, pair.manager, "--perturb", perturb=True) for each in perturb]
    console = chosen.console()
    with progress_bar(console) as progress:
        progress("read", 0, 0)
        known = Gating.read(gating or usual_files(Path()), chosen)
        examples = list(pair.data.make().load())
        kept = known.without(examples, drop=drop)
        found = augment(
            kept, parts, seed=chosen.seed or 0, per_example=per_example, share=share, gating=known, progress=progress
        )
        write_rows(out, *training_rows(found))
    print_line(console, known.told())
    if len(kept) < len(examples):
        print_line(console, f"left out: {len(examples) - len(kept):,} of {len(examples):,} examples, used for gating")
    for line in found.told():
        print_line(console, line)
    print_line(console, f"wrote {out}: {len(kept):,} originals, {len(found.variants):,} variants")
