"""``robustfim cues``: measure cues, split data into easy and hard, and balance them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from robustfim.collect import named_part
from robustfim.commands import COUNT, OUTPUT_FILE, Chosen, print_line, print_table, progress_bar
from robustfim.errors import UsageError
from robustfim.whole_file import writing
from robustfim_cues.choices.reading import read_data, require_choices
from robustfim_cues.commands.arguments import DATA, MINIMUM, NGRAMS, OPTION, SEED, write
from robustfim_cues.commands.sensitivity import sensitivity

__all__ = ["balance", "command", "split", "table"]


class _Group(click.Group):
    """A group that takes ``cues DATA`` for ``cues table DATA``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args:
            args = ["--help"]
        if args[0] not in self.commands and not args[0].startswith("-"):
            args = ["table", *args]
        return super().parse_args(ctx, args)


@click.group(name="cues", cls=_Group)
def command() -> None:
    """Measure superficial cues: words that give the answer away.

    'robustfim cues DATA' is 'robustfim cues table DATA'. DATA is a file (.xml as COPA is released, .jsonl, .csv, .tsv,
    .parquet) or the name of a data source, such as copa, the instances that ship.
    """


command.add_command(sensitivity)


@command.command(epilog="Example: robustfim cues table choices.jsonl --top 3")
@DATA
@OPTION
@NGRAMS
@MINIMUM
@click.option("--field", "fields", multiple=True, help="A field to read; may be repeated. By default the alternatives "
              "of choices, else all.")  # fmt: skip
@click.option("--top", type=COUNT, default=20, show_default=True, help="Rows to print.")
@click.option("--html", "html_path", type=OUTPUT_FILE, help="File to draw productivity against coverage in.")
def table(
    data: str, options: Sequence[str], ngrams: int, minimum: int, fields: Sequence[str], top: int,
    html_path: Path | None,
) -> None:  # fmt: skip
    """Print applicability, productivity and coverage of each cue (Niven & Kao 2019)."""
    from robustfim_cues.measures.exhibits import cue_passages, cues_answer, cues_table, productivity_figure
    from robustfim_cues.measures.measures import measure
    from robustfim_drawing import page

    console = Chosen().console()
    with progress_bar(console) as progress:
        progress("read", 0, 0)
        examples = read_data(data, options)
        progress("measure cues", 0, len(examples))
        found = measure(examples, longest=ngrams, minimum=minimum, fields=fields)
    listed = cues_table(found, top)
    print_table(console, listed.header, listed.rows)
    print_line(
        console,
        f"{len(found.found)} cues in {found.examples} {'choices' if found.choices else 'examples'}, "
        f"{len(found.significant())} of them sure (Holm, 0.05); {found.rarer} rarer than {minimum} left out",
    )
    if html_path is not None:
        name = Path(data).name or data
        text = page(
            f"Does a word of {name} give the answer away?", [cues_answer(found)], [cues_table(found)],
            [productivity_figure(found)], passages=cue_passages(found, examples, fields), about=f"data {name}",
        )  # fmt: skip
        print_line(console, f"wrote {write(html_path, text, page=True)}")


@command.command(epilog="Example: robustfim cues split copa --out split.jsonl")
@DATA
@OPTION
@NGRAMS
@SEED
@click.option("--leave-out", multiple=True, metavar="FIELD", help="A field that is not read; may be repeated. By "
              "default the premise of choices.")  # fmt: skip
@click.option("--model", metavar="TRAINER", help="The trainer of the model: its name, or '{use: huggingface/choice, "
              "path: …}'. By default a linear bag of words.")  # fmt: skip
@click.option("--folds", type=click.IntRange(min=2), default=10, show_default=True, help="Folds of cross-validation.")
@click.option("--repeats", type=COUNT, default=5, show_default=True, help="Times the folds are drawn.")
@click.option("--out", type=OUTPUT_FILE, help="File to write the split to, JSON Lines.")
def split(
    data: str, options: Sequence[str], ngrams: int, seed: int, leave_out: Sequence[str], model: str | None,
    folds: int, repeats: int, out: Path | None,
) -> None:  # fmt: skip
    """Split into easy and hard: solved, or not, by a model that does not read everything."""
    from robustfim.statistics import percent
    from robustfim_cues.models.features import default_leave_out
    from robustfim_cues.models.partial_input import partial_input
    from robustfim_cues.models.split import write_split
    from robustfim_cues.models.trained import TrainedModel

    examples = read_data(data, options)
    leave_out = leave_out or default_leave_out(examples)
    if not leave_out:
        raise UsageError(f"name a field to leave out with --leave-out: {', '.join(examples[0].fields)}.")
    console, learner = Chosen().console(), None
    if model is not None:
        trainer = named_part("trainers", model, Chosen().manager(), "--model")
        learner = TrainedModel(trainer, leave_out, seed=seed)
    with progress_bar(console) as progress:
        found = partial_input(
            examples, leave_out=leave_out, folds=folds, repeats=repeats, seed=seed, longest=ngrams, learner=learner,
            progress=progress,
        )  # fmt: skip
    print_line(
        console,
        f"without {', '.join(found.leave_out)}: {found.rate} solved, "
        f"chance {percent(found.chance)}, p = {found.p_value:.2g}",
    )
    if found.ties:
        print_line(console, f"{found.ties} of them were ties, which a seeded coin decided")
    print_line(console, f"easy {sum(found.solved)}, hard {len(examples) - sum(found.solved)}")
    if out is not None:
        with writing(out):
            print_line(console, f"wrote {write_split(examples, found, out)}")


@command.command(epilog="Example: robustfim cues balance choices.jsonl --minimum 4")
@DATA
@OPTION
@MINIMUM
@click.option("--mirrored", metavar="DATA", help="File of the mirrored instances, where they stand apart.")
def balance(data: str, options: Sequence[str], minimum: int, mirrored: str | None) -> int:
    """Tell which instances need a mirror, what is wrong with mirrors, and the balance before and after.

    Exit codes: 0 each instance has its mirror, 1 something is missing or wrong.
    """
    from robustfim_cues.choices.choice import originals
    from robustfim_cues.measures.balance import faults, unmirrored
    from robustfim_cues.measures.measures import measure

    examples = read_data(data, options)
    examples += read_data(mirrored, options) if mirrored else []
    require_choices(examples, data)
    console = Chosen().console()
    parts = {"before": originals(examples), "after": examples}
    for name, part in parts.items():
        if not part or (name == "after" and len(part) == len(parts["before"])):
            continue
        cues = measure(part, minimum=minimum)
        unbalanced = [cue for cue in cues.found if 2 * cue.hits != cue.applicability]
        strongest = max((abs(cue.productivity - 0.5) for cue in cues.found), default=0.0)
        print_line(
            console,
            f"{name}: {cues.examples} instances, {len(unbalanced)} of {len(cues.found)} cues unbalanced, "
            f"{len(cues.significant())} surely, productivity at most {strongest:.2f} from 1/2",
        )
        shown = cues.significant() or unbalanced
        if shown:
            print_line(console, _listed([cue.text for cue in shown]), indent=True)
    missing = [str(example.meta["number"]) for example in unmirrored(examples)]
    wrong = faults(examples)
    if missing:
        print_line(console, f"{len(missing)} instances need a mirror: {_listed(missing)}")
    for fault in wrong:
        print_line(console, fault)
    if not missing and not wrong:
        print_line(console, "each instance has its mirror")
    return int(bool(missing or wrong))


def _listed(names: Sequence[str], most: int = 12) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
