"""``robustfim perturb``: show candidates of a perturbation, before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from robustfim.commands import COUNT, OUTPUT_FILE, Chosen, print_line, shared_options, text_of_input

if TYPE_CHECKING:
    from robustfim.candidate import Candidate

__all__ = ["perturb"]


@click.command(
    epilog="Example: robustfim perturb typos --data test.csv --sample 50 --html typos.html",
)
@click.argument("name")
@click.option("--sample", default=20, show_default=True, type=COUNT, help="Pairs to show.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE",
              help="An option of the perturbation, or words: --option kinds=[swap] --option words=2.")  # fmt: skip
@click.option("--csv", "table", type=OUTPUT_FILE, help="Write the pairs and their edits to this file.")
@click.option("--html", "page", type=OUTPUT_FILE, help="Write the pairs as a page to this file.")
@shared_options(
    "data",
    "seed",
    "offline",
    "plugins",
    "color",
    data={"help": "The data: --data test.csv; without it, a text is read from standard input."},
)
def perturb(
    chosen: Chosen, name: str, sample: int, options: Sequence[str], table: Path | None, page: Path | None
) -> None:
    """Show a random sample of what a perturbation makes of texts.

    One candidate of each text that the perturbation applies to, with its edits; the last line says how many texts that
    are. Of one text from standard input it shows several. No model is asked. The sample and the candidates follow from
    the seed.
    """
    from robustfim.api import perturb as perturbed
    from robustfim.seeds import random_for
    from robustfim.statistics import percent
    from robustfim.suite import Use, parse_override
    from robustfim.whole_file import csv_bytes, write_whole
    from robustfim_drawing import field_diffs, write_page

    seed = chosen.seed or 0
    given = {
        ".".join(map(str, key)): value for key, value in (parse_override(option, "--option") for option in options)
    }
    chosen.manager().get("perturbations", name)
    data = chosen.suite().data.get("data") or [text_of_input(f"perturb {name}")]
    listed = isinstance(data, list)
    perturbations = perturbed(
        {"use": name, **given},
        data,
        candidates=sample if listed else 1,
        seed=seed,
        plugins=chosen.plugins,
        offline=chosen.offline,
    )
    pairs = [candidate for perturbation in perturbations for candidate in perturbation]
    shown = pairs if listed else random_for(seed, "perturb", name).sample(pairs, min(sample, len(pairs)))
    console = chosen.console()
    fraction = f" ({percent(len(pairs) / len(perturbations))})" if len(perturbations) else ""
    summary = f"{name} applies to {len(pairs)} of {len(perturbations)} texts{fraction}; {len(shown)} are shown"
    if listed:
        summary = f"{len(shown)} texts that {name} makes of this one" if shown else f"{name} finds nothing to change"
    if table is not None:
        write_whole(table, csv_bytes(_rows(name, shown)))
    if page is not None:
        about = f"seed {seed}"
        if not listed:
            use = Use.read(data)
            about = f"data {use.options.get('path') or use.use} · {about}"
        write_page(page, _html(name, shown, summary, about))
    for path in filter(None, (table, page)):
        print_line(console, f"{len(shown)} pairs are in {path}")
    for candidate in shown if table is None and page is None else ():
        for _, line in field_diffs(candidate.source.fields, candidate.edits) if candidate.edits else ():
            console.print(line)
        console.print()
    print_line(console, summary)


def _rows(name: str, pairs: Sequence[Candidate]) -> Iterator[Sequence[str]]:
    """Make a row of each edited field: its text before and after, and what was replaced by what."""
    yield ["perturbation", "id", "field", "before", "after", "edits"]
    for pair in pairs:
        for field in dict.fromkeys(edit.field for edit in pair.edits):
            edits = "; ".join(f"{edit.before} → {edit.after}" for edit in pair.edits if edit.field == field)
            yield [name, pair.source.id, field, pair.source.fields[field], pair.example.fields[field], edits]


def _html(name: str, pairs: Sequence[Candidate], summary: str, about: str) -> str:
    """Write a page that shows each edited field of the pairs with its edits marked."""
    from robustfim.exhibit import Mark, Passage, Passages
    from robustfim_drawing import page

    shown = []
    for pair in pairs:
        for field in dict.fromkeys(edit.field for edit in pair.edits):
            text, at, pieces = pair.source.fields[field], 0, list[tuple[Mark, str]]()
            for edit in sorted(edit for edit in pair.edits if edit.field == field):
                pieces += [("", text[at : edit.start]), ("del", edit.before), ("ins", edit.after)]
                at = edit.end
            note = field if len(pair.source.fields) > 1 else ""
            shown.append(Passage(note=note, pieces=[*pieces, ("", text[at:])]))
    texts = Passages(id="pairs", title="Before and after", passages=shown)
    return page(f"What does {name} make of texts?", [f"{summary}."], [], [], passages=[texts], about=about)
